package monitor

import (
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
)

// An answer is what a monitor says of a log that it can decide.
type answer struct {
	ok bool
	// order is a linearization if ok, as row indices; pending rows that
	// never took effect are left out. It may be nil if nobody asked.
	order []int32
	// core is, if not ok, a set of rows that are not linearizable by
	// themselves, or as near to that as the monitor can tell; it is shrunk
	// afterwards.
	core []int32
	// reason is why the monitor has no answer; "" if it has. Then the rest
	// means nothing, and the general search takes over.
	reason string
	// unclear are, with a reason, two operations that the monitor cannot
	// tell apart; nil if there are none such.
	unclear []int32
	// open are parts of a map that are left to the general search, and
	// orders the linearizations of the others; see joinParts.
	open   []openPart
	orders [][]int32
}

// An openPart is a part of a log that a monitor has no answer for.
type openPart struct {
	rows []int32
	answer
}

// A matching says which rows of a container's log speak of the same value.
type matching struct {
	insertOf []int32 // see events
	removeOf []int32
	// wrong are rows that no container can have: a value that was never put
	// in, or two that came out of one.
	wrong []int32
	// unclear are two rows that put in the same value.
	unclear []int32
	value   history.Value // that they put in
}

// matchValues finds the Insert and the Remove of each value. A pending
// Remove or Peek has no value, and belongs to none.
func matchValues(l *history.Log) *matching {
	n := l.Len()
	m := &matching{insertOf: make([]int32, n), removeOf: make([]int32, n)}
	ids := numberValues(l.Value)
	insert := fill[int32](nil, ids.count, -1)
	for i, method := range l.Method {
		m.insertOf[i], m.removeOf[i] = -1, -1
		if method != history.Insert {
			continue
		}
		id := ids.of(l.Value[i])
		if insert[id] >= 0 && m.unclear == nil {
			m.unclear, m.value = []int32{insert[id], int32(i)}, l.NameOf(l.Value[i])
		}
		insert[id] = int32(i)
	}
	for i, method := range l.Method {
		switch {
		case method == history.RemoveEmpty || method == history.PeekEmpty:
			continue
		case method != history.Insert && l.Return[i] == history.Pending:
			continue
		}
		m.match(int32(i), insert[ids.of(l.Value[i])], method)
	}
	return m
}

// match notes that row is about the value that the given row put in.
func (m *matching) match(row, insert int32, method history.Method) {
	m.insertOf[row] = insert
	switch {
	case insert < 0:
		if m.wrong == nil {
			m.wrong = []int32{row}
		}
	case method == history.Remove && m.removeOf[insert] >= 0:
		if m.wrong == nil {
			m.wrong = []int32{insert, m.removeOf[insert], row}
		}
	case method == history.Remove:
		m.removeOf[insert] = row
	}
}

// answer is the answer if something is wrong or unclear. A value that comes
// out and was never put in is wrong even if others are unclear; one that
// came out twice may not be.
func (m *matching) answer() answer {
	if m.unclear == nil || len(m.wrong) == 1 {
		return answer{core: m.wrong}
	}
	return answer{reason: fmt.Sprintf("both put in the value %s", m.value), unclear: m.unclear}
}
