package search

import "github.com/mapatom/mapatom/checker/history"

// The states of an element of a set, as a register that holds one of these.
const (
	elementOut int64 = iota
	elementIn
)

// cellSpec is the specification of a register, of one key of a map, and of
// one element of a set: one cell that operations compare and write.
func cellSpec(l *history.Log) *spec[int64] {
	initial := history.Absent
	switch l.Kind {
	case history.Register:
		initial = l.Initial
	case history.Set:
		initial = elementOut
	}
	c := cell{l}
	return &spec[int64]{
		init:    func() []int64 { return []int64{initial} },
		step:    c.step,
		effects: c.effects,
		equal:   func(a, b int64) bool { return a == b },
		hash:    func(s int64) uint64 { return mix(uint64(s)) },
		traits:  c.traits,
		settles: c.settles,
		alike:   alikeRows(l),
		flow:    c.flow,
		value:   func(s int64) int64 { return s },
		groups:  c.groups,
		call:    l.Call, ret: l.Return,
	}
}

// cell reads the rows of a log as operations on a cell. They are read anew each
// time: the columns of a log are compact, and a copy in another form would cost
// more memory than the search itself.
type cell struct{ *history.Log }

// flow says what the row must find in the cell and what it leaves there. But
// for a compare-and-swap that failed, that is all there is to say.
func (c cell) flow(row int32, isPending bool) flow {
	v, w := c.Value[row], int64(0)
	if c.Second != nil {
		w = c.Second[row]
	}
	if isPending {
		return pendingFlow(c.Method[row].Called(), v, w)
	}
	switch c.Method[row] {
	case history.Write:
		return leaves(v)
	case history.Read:
		return finds(v)
	case history.CAS:
		return moves(v, w)
	case history.Swap:
		return moves(w, v)
	case history.FetchAdd:
		return moves(w, w+v)
	case history.GetOrPut:
		if w == history.Absent {
			return moves(history.Absent, v)
		}
		return finds(w)
	case history.Add:
		return moves(elementOut, elementIn)
	case history.Take:
		return moves(elementIn, elementOut)
	case history.AddFailed, history.ContainsTrue:
		return finds(elementIn)
	case history.TakeFailed, history.ContainsFalse:
		return finds(elementOut)
	}
	return flow{}
}

// pendingFlow is the flow of a pending operation, as far as it takes effect. What
// it found is not known, so that it needs nothing; what it leaves counts as
// something that may yet come.
func pendingFlow(m history.Method, v, w int64) flow {
	switch m {
	case history.Write, history.Swap, history.GetOrPut:
		return leaves(v)
	case history.CAS:
		return leaves(w)
	case history.FetchAdd:
		return flow{anything: true}
	case history.Add:
		return leaves(elementIn)
	case history.Take:
		return leaves(elementOut)
	}
	return flow{}
}

// The three forms that a flow has: a look, a plain write, and a look with a
// write.
func finds(v int64) flow  { return flow{needs: v, hasNeeds: true} }
func leaves(v int64) flow { return flow{makes: v, hasMakes: true} }

func moves(from, to int64) flow {
	return flow{needs: from, hasNeeds: true, makes: to, hasMakes: true}
}

// step is a row that returned: the cell must hold what the row found, and then
// holds what it left.
func (c cell) step(s int64, row int32, buf []int64) []int64 {
	f := c.flow(row, false)
	switch {
	case f.hasNeeds && s != f.needs:
		return buf
	case c.Method[row] == history.CASFailed && s == c.Value[row]:
		return buf
	case c.Method[row] == history.FetchAdd && s == history.Absent:
		return buf // nothing to add to
	case f.hasMakes:
		return append(buf, f.makes)
	}
	return append(buf, s)
}

// effects is a row that did not return: a compare-and-swap that finds something
// else, or an addition to nothing, changes nothing. There is one effect always,
// so that no operation on a cell can block.
func (c cell) effects(s int64, row int32, buf []int64) []int64 {
	switch c.Method[row].Called() {
	case history.CAS:
		if s != c.Value[row] {
			return append(buf, s)
		}
	case history.GetOrPut:
		if s != history.Absent {
			return append(buf, s)
		}
	case history.FetchAdd:
		if s == history.Absent {
			return append(buf, s)
		}
		return append(buf, s+c.Value[row])
	}
	if f := c.flow(row, true); f.hasMakes {
		return append(buf, f.makes)
	}
	return append(buf, s)
}

// traits follow from the flow. A compare-and-swap from a value to itself, or a
// swap of a value for itself, only looks. A pending swap is blind, although one
// that returned is not: nobody knows what it found.
func (c cell) traits(row int32, isPending bool) trait {
	if isPending {
		switch c.Method[row].Called() {
		case history.Write, history.Swap, history.Add, history.Take:
			return blind
		case history.Read, history.ContainsTrue:
			return readOnly
		}
		return 0
	}
	f := c.flow(row, false)
	switch {
	case !f.hasMakes, f.hasNeeds && f.needs == f.makes:
		return readOnly
	case !f.hasNeeds:
		return blind
	}
	return 0
}

// settles is known of every operation but a compare-and-swap that failed.
func (c cell) settles(row int32) (int64, bool) {
	f := c.flow(row, false)
	if f.hasMakes {
		return f.makes, true
	}
	return f.needs, f.hasNeeds
}

// groups puts operations together that can be left out together: those of
// one value. If a write is left out with all that find its value, the rest
// finds what it found before. Operations that find one value and leave
// another tie the two together; a pending addition ties everything, and a
// compare-and-swap that failed must not be left with another value than it
// found, so that there are no groups if there is one.
func (c cell) groups(rows []int32) [][]int32 {
	if c.Kind == history.Set {
		return nil
	}
	var tied unionFind
	for _, row := range rows {
		isPending := c.Return[row] == history.Pending
		f := c.flow(row, isPending)
		if f.anything || !f.hasMakes && !f.hasNeeds && !isPending {
			return nil
		}
		if isPending {
			f = c.pendingTie(row, f)
		}
		if f.hasNeeds && f.hasMakes {
			tied.join(f.needs, f.makes)
		}
	}
	return tied.groups(rows, func(row int32) (int64, bool) {
		f := c.flow(row, c.Return[row] == history.Pending)
		if f.hasMakes {
			return f.makes, true
		}
		return f.needs, f.hasNeeds
	})
}

// pendingTie gives what a pending operation finds if it takes effect.
func (c cell) pendingTie(row int32, f flow) flow {
	switch c.Method[row].Called() {
	case history.CAS:
		return moves(c.Value[row], f.makes)
	case history.GetOrPut:
		return moves(history.Absent, f.makes)
	}
	return f
}
