package history

import "math"

// A Method says what an operation of one of the known kinds did: the method
// that was called together with how it ended. A pending operation has the
// method of its successful form, and a result of Unknowable where the method
// gives one; how it ended, or whether it took place at all, is not known.
type Method uint8

// The methods. Value and Second are the columns of Log that hold their
// arguments and results.
const (
	// Stacks, queues and priority queues.
	Insert      Method = iota // push, enq, insert: Value went in
	Remove                    // pop, deq, poll: Value came out
	RemoveEmpty               // pop, deq, poll: there was nothing
	Peek                      // peek: Value was next
	PeekEmpty                 // peek: there was nothing

	// Sets. Value is the element.
	Add           // insert: it was not there, and is now
	AddFailed     // insert: it was there already
	Take          // remove: it was there, and is not any more
	TakeFailed    // remove: it was not there
	ContainsTrue  // contains: it was there
	ContainsFalse // contains: it was not there

	// Registers, and one key of a map, where the value Absent means that the
	// key is not there.
	Write     // write, store: Value is the new value; delete writes Absent
	Read      // read, load: Value is the value found
	CAS       // compare-and-swap from Value to Second, which succeeded
	CASFailed // compare-and-swap from Value to Second, which found something else than Value
	Swap      // put Value in, and gave Second, the value before; load-and-delete puts Absent in
	FetchAdd  // added Value to the number, and gave Second, the number before
	GetOrPut  // load-or-store: Value was offered, Second is the result: Absent if Value was stored, else the value found
)

// Values that stand for no value of the user's.
const (
	// Absent is the value of a key that is not in the map, and of a register
	// before its first write where the history does not give it another.
	Absent int64 = math.MinInt64
	// Unknowable is the result of an operation that did not return.
	Unknowable int64 = math.MinInt64 + 1
	// FirstName is the first of the numbers that stand for Log.Names.
	FirstName int64 = math.MinInt64 + 2
)

// Pending is the return time of an operation that did not return.
const Pending int64 = math.MaxInt64

// A Log is the history of one object of a known kind as flat columns, one
// entry an operation: 37 bytes each, 45 in a map. All columns that are not nil
// have the same length. The value of RemoveEmpty and PeekEmpty is Absent, and
// so is what a method does not use of Second. An operation a precedes an operation b if Return[a] < Call[b];
// operations that share an instant are concurrent, since a clock that shows
// the same time twice does not tell which came first.
type Log struct {
	Kind   Kind
	Object string // its name in the file; "" if there is only one
	Method []Method
	Key    []int64 // of a Map; nil for the other kinds
	Value  []int64
	Second []int64 // nil if no method of the log uses it
	Call   []int64
	Return []int64 // Pending if the operation did not return
	Thread []int32 // index of Threads; nil if the format does not say
	// Line is the line of the file that each operation began on; nil means
	// that operation i stands on line FirstLine+i.
	Line      []int32
	FirstLine int
	Threads   []string
	// Names are the texts of keys and values that are not integers (or are
	// too far below zero): Names[i] is the text of the value FirstName+i.
	Names []Value
	// Initial is the value of a register before the first write; Absent if
	// the history does not say.
	Initial int64
	// MinFirst says of a priority queue that its smallest value comes out
	// first. Without it the largest does, which is what Fastlin and PolyLin
	// take for granted.
	MinFirst bool
}

// Len gives the number of operations, pending ones included.
func (l *Log) Len() int { return len(l.Method) }

// Called is the method as it was called, without how it ended: all that is known
// of an operation before it returns.
func (m Method) Called() Method {
	switch m {
	case RemoveEmpty:
		return Remove
	case PeekEmpty:
		return Peek
	case AddFailed:
		return Add
	case TakeFailed:
		return Take
	case ContainsFalse:
		return ContainsTrue
	case CASFailed:
		return CAS
	}
	return m
}

// Select is a log of some of the rows, in the order in which they are given, as
// if the others had never been. Their lines are known only if l has the column.
func (l *Log) Select(rows []int32) *Log {
	some := &Log{}
	l.selectInto(some, rows)
	return some
}

// selectInto is Select into the memory of another log.
func (l *Log) selectInto(some *Log, rows []int32) {
	some.Kind, some.Object, some.Threads, some.Names, some.Initial, some.MinFirst = l.Kind, l.Object, l.Threads, l.Names, l.Initial, l.MinFirst
	some.Method, some.Key, some.Value, some.Second = pick(some.Method, l.Method, rows), pick(some.Key, l.Key, rows), pick(some.Value, l.Value, rows), pick(some.Second, l.Second, rows)
	some.Call, some.Return = pick(some.Call, l.Call, rows), pick(some.Return, l.Return, rows)
	some.Thread, some.Line = pick(some.Thread, l.Thread, rows), pick(some.Line, l.Line, rows)
}

// pick gives the rows of a column, in the memory of some if that is enough; nil
// if the log does not have it.
func pick[T any](some, column []T, rows []int32) []T {
	if column == nil {
		return nil
	}
	if some = some[:0]; cap(some) < len(rows) || some == nil {
		some = make([]T, 0, len(rows))
	}
	for _, row := range rows {
		some = append(some, column[row])
	}
	return some
}
