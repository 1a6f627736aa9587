package history

import "strconv"

// lowestNumber is the smallest integer that stands for itself in a Log. The
// two thousand million numbers below it are room for names; an integer among
// them is kept as a name, like any text.
const lowestNumber = FirstName + 1<<31

// names numbers the values that are not integers, in order of first use.
type names struct {
	index map[Value]int64
	list  []Value
}

// number gives the integer that stands for v in a Log.
func (n *names) number(v Value) int64 {
	if i, ok := integer(v); ok {
		return i
	}
	return n.name(v)
}

// name gives the number of a text that is no integer.
func (n *names) name(v Value) int64 {
	if i, ok := n.index[v]; ok {
		return i
	}
	if n.index == nil {
		n.index = map[Value]int64{}
	}
	i := FirstName + int64(len(n.list))
	n.list = append(n.list, v)
	n.index[v] = i
	return i
}

// integer gives the number that stands for itself, if v is one.
func integer(v Value) (int64, bool) {
	if v == "" || (v[0] != '-' && (v[0] < '0' || v[0] > '9')) {
		return 0, false
	}
	i, err := strconv.ParseInt(string(v), 10, 64)
	return i, err == nil && i >= lowestNumber
}

// NameOf gives the text of a key or a value of the log. Absent is null, and
// Unknowable is a question mark, which is not JSON and so no other value's.
func (l *Log) NameOf(v int64) Value {
	switch {
	case v == Absent:
		return "null"
	case v == Unknowable:
		return "?"
	case l.isName(v) && v-FirstName < int64(len(l.Names)):
		return l.Names[v-FirstName]
	}
	return Value(strconv.FormatInt(v, 10))
}

// isName reports whether v stands for one of the log's names.
func (l *Log) isName(v int64) bool {
	return v >= FirstName && v < lowestNumber
}
