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

// threadNames numbers threads in order of first appearance. Most threads
// are called by a small number, and those need no hashing.
type threadNames struct {
	small [256]int32 // index+1 of the thread with this number
	index map[string]int32
	list  []string
}

// number gives the index of a thread.
func (t *threadNames) number(name []byte) int32 {
	if n, ok := smallNumber(name); ok {
		if t.small[n] == 0 {
			t.list = append(t.list, string(name))
			t.small[n] = int32(len(t.list))
		}
		return t.small[n] - 1
	}
	if i, ok := t.index[string(name)]; ok {
		return i
	}
	if t.index == nil {
		t.index = map[string]int32{}
	}
	i := int32(len(t.list))
	t.list = append(t.list, string(name))
	t.index[string(name)] = i
	return i
}

// smallNumber reads 0 to 255 written without a leading zero, so that two
// spellings of a name are never taken for one.
func smallNumber(name []byte) (int, bool) {
	if len(name) == 0 || len(name) > 3 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	n := 0
	for _, c := range name {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n < 256
}
