package workload

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// An Object is a sequential object of any kind. It is a value: a step gives another
// one.
type Object struct {
	kind     history.Kind
	minFirst bool
	register int64
	held     []int64         // values of a container in order, elements of a set
	cells    map[int64]int64 // of a map
}

// NewObject gives the object of a log's kind with nothing in it.
func NewObject(l *history.Log) Object {
	return Object{kind: l.Kind, minFirst: l.MinFirst, register: l.Initial}
}

// Next gives the value of a container that comes out next.
func (o Object) Next() (v int64, ok bool) {
	if len(o.held) == 0 {
		return 0, false
	}
	return o.held[o.next()], true
}

func (o Object) next() int {
	switch {
	case o.kind == history.Stack:
		return len(o.held) - 1
	case o.kind == history.PriorityQueue && o.minFirst:
		return slices.Index(o.held, slices.Min(o.held))
	case o.kind == history.PriorityQueue:
		return slices.Index(o.held, slices.Max(o.held))
	}
	return 0
}

// cell gives the value of a register or of a key.
func (o Object) cell(key int64) int64 {
	if o.kind == history.Register {
		return o.register
	}
	if v, ok := o.cells[key]; ok {
		return v
	}
	return history.Absent
}

// Step does the operation of a row, and reports whether it can have had its
// result. A pending operation has whatever result fits.
func (o Object) Step(l *history.Log, row int) (Object, bool) {
	pending := l.Return[row] == history.Pending
	m, v := l.Method[row], l.Value[row]
	w := history.Absent
	if l.Second != nil {
		w = l.Second[row]
	}
	switch o.kind {
	case history.Set:
		return o.stepSet(m, v, pending)
	case history.Register:
		now, ok := stepCell(o.register, m, v, w, pending)
		o.register = now
		return o, ok
	case history.Map:
		now, ok := stepCell(o.cell(l.Key[row]), m, v, w, pending)
		cells := map[int64]int64{}
		for k, x := range o.cells {
			cells[k] = x
		}
		cells[l.Key[row]] = now
		o.cells = cells
		return o, ok
	}
	return o.stepContainer(m, v, pending)
}

func (o Object) stepContainer(m history.Method, v int64, pending bool) (Object, bool) {
	if m == history.Insert {
		o.held = append(slices.Clone(o.held), v)
		return o, true
	}
	if len(o.held) == 0 {
		return o, pending || m == history.RemoveEmpty || m == history.PeekEmpty
	}
	at := o.next()
	ok := pending || (m == history.Remove || m == history.Peek) && o.held[at] == v
	if m.Called() == history.Remove {
		o.held = slices.Delete(slices.Clone(o.held), at, at+1)
	}
	return o, ok
}

func (o Object) stepSet(m history.Method, v int64, pending bool) (Object, bool) {
	at := slices.Index(o.held, v)
	wants := m == history.Take || m == history.AddFailed || m == history.ContainsTrue
	if !pending && wants != (at >= 0) {
		return o, false
	}
	switch {
	case m.Called() == history.Add && at < 0:
		o.held = append(slices.Clone(o.held), v)
	case m.Called() == history.Take && at >= 0:
		o.held = slices.Delete(slices.Clone(o.held), at, at+1)
	}
	return o, true
}

func stepCell(now int64, m history.Method, v, w int64, pending bool) (int64, bool) {
	switch m {
	case history.Write:
		return v, true
	case history.Read:
		return now, pending || now == v
	case history.CAS, history.CASFailed:
		if now == v {
			return w, pending || m == history.CAS
		}
		return now, pending || m == history.CASFailed
	case history.Swap:
		return v, pending || now == w
	case history.FetchAdd:
		if now == history.Absent {
			return now, pending
		}
		return now + v, pending || now == w
	}
	if now == history.Absent { // GetOrPut
		return v, pending || w == history.Absent
	}
	return now, pending || now == w
}

// Linearizable decides a tiny log by trying every order of its operations, with
// every choice of pending ones. It shares nothing with what else decides that.
func Linearizable(l *history.Log) bool {
	rows := make([]int, l.Len())
	for i := range rows {
		rows[i] = i
	}
	return tryOrders(l, NewObject(l), rows)
}

// tryOrders tries every row as the next one that is called before any that is
// left has returned.
func tryOrders(l *history.Log, o Object, left []int) bool {
	first := history.Pending
	for _, i := range left {
		first = min(first, l.Return[i])
	}
	if first == history.Pending {
		return true
	}
	for at, i := range left {
		if l.Call[i] > first {
			continue
		}
		if next, ok := o.Step(l, i); ok && tryOrders(l, next, slices.Delete(slices.Clone(left), at, at+1)) {
			return true
		}
	}
	return false
}

// Add adds a row to a log without keys.
func Add(l *history.Log, m history.Method, value, call, ret int64) {
	l.Method, l.Value = append(l.Method, m), append(l.Value, value)
	l.Call, l.Return = append(l.Call, call), append(l.Return, ret)
}

// CutOff makes a row pending: nothing is known of its result.
func CutOff(l *history.Log, row int) {
	l.Return[row], l.Method[row] = history.Pending, l.Method[row].Called()
	switch l.Method[row] {
	case history.Remove, history.Peek, history.Read:
		l.Value[row] = history.Unknowable
	case history.Swap, history.FetchAdd, history.GetOrPut:
		l.Second[row] = history.Unknowable
	}
}

// Describe writes a log for the message of a test that fails.
func Describe(l *history.Log) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, initial %s, smallest first %t\n", l.Kind, l.NameOf(l.Initial), l.MinFirst)
	for i, m := range l.Method {
		fmt.Fprintf(&b, "%2d %-13s", i, m)
		if l.Key != nil {
			fmt.Fprintf(&b, " key %d", l.Key[i])
		}
		fmt.Fprintf(&b, " %s", l.NameOf(l.Value[i]))
		if l.Second != nil {
			fmt.Fprintf(&b, " %s", l.NameOf(l.Second[i]))
		}
		if l.Return[i] == history.Pending {
			fmt.Fprintf(&b, " [%d,\n", l.Call[i])
		} else {
			fmt.Fprintf(&b, " [%d,%d]\n", l.Call[i], l.Return[i])
		}
	}
	return b.String()
}
