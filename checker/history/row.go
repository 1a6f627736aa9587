package history

// A row is what an operation adds to a Log, without its key, its times and its
// thread.
type row struct {
	method        Method
	value, second int64
}

// Outcomes of a method that answers yes or no. unsaid is the outcome of a
// pending operation, and of a method that answers nothing of the kind.
type outcome uint8

const (
	unsaid outcome = iota
	no
	yes
)

// width gives how many values a method of the shape is written with, its key
// and its outcome left out.
func (s shape) width() (least, most int) {
	switch s {
	case shapeErase:
		return 0, 1
	case shapePut:
		return 1, 2
	case shapeCAS, shapeSwap, shapeNewSum:
		return 2, 2
	}
	return 1, 1
}

// answers reports whether a method of the shape has an outcome.
func (s shape) answers() bool {
	return s == shapeTest || s == shapeCAS || s == shapeCASOut
}

// resultAt gives the index of the value that is a result; -1 if none is.
func (s shape) resultAt() int {
	switch s {
	case shapeOut, shapeRead, shapeTake, shapeErase:
		return 0
	case shapeSwap, shapeNewSum, shapePut:
		return 1
	}
	return -1
}

// takes gives how many arguments a call has, its key left out.
func (s *spelling) takes() int {
	least, _ := s.shape.width()
	if s.gives() {
		least--
	}
	return least
}

// gives reports whether a call that returned always has a value as its result.
func (s *spelling) gives() bool {
	return s.shape.resultAt() >= 0 && s.shape != shapePut && s.shape != shapeErase
}

// fill makes a row of a call with the values that its shape asks for. The
// result of a shapeOut is Absent if there was nothing.
func (s *spelling) fill(values []int64, answer outcome) row {
	r := row{method: s.method, value: Absent, second: Absent}
	if answer == no {
		r.method = s.otherwise
	}
	switch s.shape {
	case shapeOut:
		if r.value = values[0]; r.value == Absent {
			r.method = s.otherwise
		}
	case shapeCAS, shapeSwap:
		r.value, r.second = values[0], values[1]
	case shapeNewSum:
		r.value, r.second = values[0], values[1]
		if r.second != Unknowable {
			r.second -= r.value
		}
	case shapePut:
		r.value = values[0]
		if len(values) == 2 {
			r.method, r.second = Swap, values[1]
		}
	case shapeErase:
		if len(values) == 1 {
			r.method, r.second = Swap, values[0]
		}
	case shapeTake:
		r.second = values[0]
	default:
		r.value = values[0]
	}
	return r
}

// complain says why the values and the outcome do not make a call of the
// method; nil if they do. l gives the kind.
func (s *spelling) complain(l *Log, values []int64, answer outcome, pending bool) *Error {
	result := s.shape.resultAt()
	for i, v := range values {
		switch {
		case v == Unknowable && !(pending && i == result):
			return found("?", "a value: only the result of an operation that did not return is unknown")
		case pending && i == result && v != Unknowable:
			return found("a result of an operation that did not return", "? in its place")
		case v == Absent && !s.takesAbsent(l.Kind):
			return found(s.word+" with null for a value", "another value, since null says that there is none")
		case l.isName(v) && (l.Kind == PriorityQueue || s.method == FetchAdd):
			return found("a value that is no integer", "an integer, since "+s.word+" needs its order or its sum")
		}
	}
	// What is left are answers: one too many, one too few, or a no of a method
	// that is only written if it succeeded.
	switch {
	case pending && answer != unsaid:
		return found("an answer of an operation that did not return", "no answer")
	case pending && (s.shape == shapeTrue || s.shape == shapeFalse):
		return found(s.word+" that did not return", "contains, since nobody has its answer")
	case answer == no && s.otherwise == s.method:
		return found(s.word+" that failed", s.word+" that succeeded")
	case answer == unsaid && !pending && s.needsAnswer():
		return found(s.word+" without an answer", "contains VALUE 0, contains VALUE 1, contains_true or contains_false")
	}
	return nil
}

// takesAbsent reports whether Absent may stand among the values of a call: in
// a container only for "there was nothing", in a register or map wherever it
// is a state of the cell and not a number.
func (s *spelling) takesAbsent(k Kind) bool {
	if k != Register && k != Map {
		return s.shape == shapeOut
	}
	return s.method != FetchAdd
}
