package monitor

import "github.com/mapatom/mapatom/checker/history"

// units are the values of some rows that can be left out with all that is
// done with them, and what is left is linearizable if the whole was.
//
// In a container each value is a unit. In a register an operation that finds
// one value and leaves another ties the two. The initial value ties nothing
// by itself: if all that comes out of it is left out, it is still there. But
// who finds it may rely on an operation that put it back; so a chain that
// began blindly and ends with it is tied to it.
type units struct {
	log    *history.Log
	parent map[int64]int64
	// fixed says that no value can be left out: there is a failed
	// compare-and-swap, or a pending addition.
	fixed bool
}

func newUnits(l *history.Log, rows []int32) *units {
	u := &units{log: l, parent: make(map[int64]int64)}
	if l.Kind != history.Register && l.Kind != history.Map {
		return u
	}
	initial := u.initial()
	blind := make(map[int64]bool) // units that something blind begins
	var back []int64              // values that the initial one was put after
	for _, row := range rows {
		finds, makes, hasFinds, hasMakes := u.role(row)
		switch {
		case !hasMakes:
		case !hasFinds:
			blind[makes] = true
		case makes == initial:
			back = append(back, finds)
		case finds != initial:
			u.join(finds, makes)
		}
	}
	begun := make(map[int64]bool)
	for v := range blind {
		begun[u.find(v)] = true
	}
	for _, v := range back {
		if begun[u.find(v)] {
			u.join(v, initial)
		}
	}
	return u
}

func (u *units) initial() int64 {
	if u.log.Kind == history.Map {
		return history.Absent
	}
	return u.log.Initial
}

// role gives what an operation on a register finds and leaves, as values. A
// pending one counts as if it had taken effect.
func (u *units) role(row int32) (finds, makes int64, hasFinds, hasMakes bool) {
	l := u.log
	v, w := l.Value[row], history.Absent
	if l.Second != nil {
		w = l.Second[row]
	}
	pending := l.Return[row] == history.Pending
	switch l.Method[row] {
	case history.Write:
		return 0, v, false, true
	case history.Read:
		return v, 0, !pending, false
	case history.CAS:
		return v, w, true, true
	case history.Swap:
		return w, v, !pending, true
	case history.FetchAdd:
		u.fixed = u.fixed || pending
		return w, w + v, true, true
	case history.GetOrPut:
		if pending || w == history.Absent {
			return history.Absent, v, true, true
		}
		return w, 0, true, false
	}
	u.fixed = true
	return 0, 0, false, false
}

// find gives the value that stands for the unit.
func (u *units) find(v int64) int64 {
	for {
		p, is := u.parent[v]
		if !is {
			return v
		}
		v = p
	}
}

func (u *units) join(a, b int64) {
	if a, b = u.find(a), u.find(b); a != b {
		u.parent[max(a, b)] = min(a, b)
	}
}

// of gives the unit of a row. A row that goes with no value can be left out
// alone, or cannot be left out.
func (u *units) of(row int32) (value int64, alone, stays bool) {
	l := u.log
	pending := l.Return[row] == history.Pending
	switch l.Kind {
	case history.Register, history.Map:
		finds, makes, hasFinds, hasMakes := u.role(row)
		switch {
		case u.fixed:
			return 0, false, true
		case hasMakes && !(hasFinds && makes == u.initial()):
			return u.find(makes), false, false
		case hasFinds:
			return u.find(finds), false, false
		}
		return 0, true, false
	case history.Set:
		return l.Value[row], false, false
	}
	switch l.Method[row] {
	case history.RemoveEmpty, history.PeekEmpty:
		return 0, !pending, pending
	}
	if pending && l.Method[row] != history.Insert {
		return 0, false, true // it may have taken any value
	}
	return l.Value[row], false, false
}

// byValue groups rows by their units, in order of their first rows.
func (u *units) byValue(rows []int32) (groups [][]int32, stay []int32) {
	at := make(map[int64]int)
	for _, row := range rows {
		value, alone, stays := u.of(row)
		switch {
		case stays:
			stay = append(stay, row)
			continue
		case alone:
			groups = append(groups, []int32{row})
			continue
		}
		unit, is := at[value]
		if !is {
			unit = len(groups)
			at[value], groups = unit, append(groups, nil)
		}
		groups[unit] = append(groups[unit], row)
	}
	return groups, stay
}

// looksOnly gives the rows that only look, each by itself, and the others.
func looksOnly(l *history.Log, rows []int32) (look [][]int32, others []int32) {
	for _, row := range rows {
		only := false
		switch l.Method[row] {
		case history.RemoveEmpty, history.Peek, history.PeekEmpty, history.AddFailed, history.TakeFailed,
			history.ContainsTrue, history.ContainsFalse, history.Read, history.CASFailed:
			only = l.Return[row] != history.Pending || l.Method[row].Called() == history.Peek ||
				l.Method[row].Called() == history.ContainsTrue || l.Method[row] == history.Read
		case history.GetOrPut:
			only = l.Return[row] != history.Pending && l.Second[row] != history.Absent
		}
		if only {
			look = append(look, []int32{row})
		} else {
			others = append(others, row)
		}
	}
	return look, others
}
