package workload

import "github.com/mapatom/mapatom/checker/history"

// spoil gives an operation a wrong result, as near to the end as it can.
func (g *generation) spoil() {
	g.insertOf = make(map[int64]int)
	for row, m := range g.log.Method {
		if m == history.Insert || m == history.Add {
			g.insertOf[g.log.Value[row]] = row
		}
	}
	for row := g.log.Len() - 1; row >= max(0, g.log.Len()-spoilable); row-- {
		if g.spoilRow(row) {
			return
		}
	}
}

// Spoiling looks at some of the last operations, and some before each.
const (
	spoilable = 10_000
	before    = 1_000
)

// spoilRow reports whether it could make the history wrong by changing what
// the operation of a row found.
func (g *generation) spoilRow(row int) bool {
	if g.log.Return[row] == history.Pending {
		return false
	}
	switch g.log.Method[row] {
	case history.ContainsTrue:
		return g.spoilContains(row)
	case history.Read:
		return g.spoilRead(row)
	case history.Remove:
		return g.spoilRemove(row)
	}
	return false
}

// spoilContains lets an element be overlooked that had been put in before,
// and that nobody can have taken out yet.
func (g *generation) spoilContains(row int) bool {
	l := g.log
	add, is := g.insertOf[l.Value[row]]
	if !is || l.Return[add] >= l.Call[row] {
		return false
	}
	for i, m := range l.Method {
		if m.Called() == history.Take && l.Value[i] == l.Value[row] && l.Call[i] <= l.Return[row] {
			return false
		}
	}
	l.Method[row] = history.ContainsFalse
	return true
}

// spoilRead lets a value be found that had been overwritten before.
func (g *generation) spoilRead(row int) bool {
	last := g.writeBefore(row)
	if last < 0 {
		return false
	}
	old := g.writeBefore(last)
	if old < 0 {
		return false
	}
	g.log.Value[row] = g.log.Value[old]
	return true
}

// writeBefore gives a write of the same key that returned before an
// operation was called, -1 if none is near.
func (g *generation) writeBefore(row int) int {
	l := g.log
	for i := row - 1; i >= max(0, row-before); i-- {
		if l.Method[i] == history.Write && l.Return[i] < l.Call[row] && (l.Key == nil || l.Key[i] == l.Key[row]) {
			return i
		}
	}
	return -1
}

// spoilRemove exchanges the values of two removals that were one after the
// other, when both values were there, in an order that was the only one.
func (g *generation) spoilRemove(row int) bool {
	l := g.log
	for first := row - 1; first >= max(0, row-before); first-- {
		if l.Method[first] != history.Remove || l.Return[first] >= l.Call[row] {
			continue
		}
		a, b := g.insertOf[l.Value[first]], g.insertOf[l.Value[row]]
		ordered := l.Return[a] < l.Call[first] && l.Return[b] < l.Call[first]
		switch l.Kind {
		case history.Queue:
			ordered = ordered && l.Return[a] < l.Call[b]
		case history.Stack:
			ordered = ordered && l.Return[b] < l.Call[a]
		}
		if ordered {
			l.Value[first], l.Value[row] = l.Value[row], l.Value[first]
			return true
		}
	}
	return false
}
