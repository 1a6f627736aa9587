package search

import (
	"cmp"
	"math"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// wholeHistory cuts nothing off.
var wholeHistory = cut{at: history.Pending, row: math.MaxInt32}

// hides reports whether a return is after the cut, or not there at all.
func (c cut) hides(ret int64, row int32) bool {
	return ret == history.Pending || ret > c.at || ret == c.at && row > c.row
}

// An order is the history of one part: the operations that returned as a
// list of events, calls and returns, from which operations are taken out and
// put back, and the pending ones besides. Operations are numbered by their
// calls, those that returned first; events by time, from 1, 0 being the
// list's head and last its end. Events of the same instant are in the order
// calls, returns, since their operations count as concurrent.
type order struct {
	rows     []int32 // row of each operation
	traits   []trait // of each operation
	complete int32   // operations that returned
	// callAt and retAt are the events of each operation. Pending ones have
	// none of their own: callAt is the event before the call.
	callAt, retAt []int32
	// op of each event, complemented if the event is a return.
	op []int32
	// calls is the number of calls before an event.
	calls      []int32
	next, prev []int32
	last       int32
	out        []bool // operations that are taken out

	byReturn []int32 // the operations that returned, in that order
	waiting  []int32 // rows that did not return
}

// build fills the order with the operations of a part up to a cut, and uses
// the memory of what was there before. Pending operations that change
// nothing are left out. The rows are sorted in place.
func build[S any](o *order, sp *spec[S], rows []int32, to cut) {
	sortByCall(rows, sp.call)
	o.rows, o.traits, o.byReturn, o.waiting = o.rows[:0], o.traits[:0], o.byReturn[:0], o.waiting[:0]
	for _, row := range rows {
		switch {
		case sp.call[row] > to.at:
		case to.hides(sp.ret[row], row):
			o.waiting = append(o.waiting, row)
		default:
			o.byReturn = append(o.byReturn, int32(len(o.rows)))
			o.rows, o.traits = append(o.rows, row), append(o.traits, sp.traits(row, false))
		}
	}
	o.complete = int32(len(o.rows))
	for _, row := range o.waiting {
		if t := sp.traits(row, true); t&readOnly == 0 {
			o.rows, o.traits = append(o.rows, row), append(o.traits, t)
		}
	}
	// Returns of the same instant are in the order of their rows, which is as
	// good as any, and always the same: cut relies on it.
	slices.SortFunc(o.byReturn, func(a, b int32) int {
		x, y := o.rows[a], o.rows[b]
		return cmp.Or(cmp.Compare(sp.ret[x], sp.ret[y]), cmp.Compare(x, y))
	})
	o.number(sp.call, sp.ret)
}

// sortByCall sorts rows by their calls. Histories mostly are in that order
// already, and a look is much cheaper than sorting.
func sortByCall(rows []int32, call []int64) {
	if slices.IsSortedFunc(rows, func(a, b int32) int { return cmp.Compare(call[a], call[b]) }) {
		return
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(call[a], call[b]), cmp.Compare(a, b))
	})
}

// number merges the calls and the returns into events.
func (o *order) number(call, ret []int64) {
	n := len(o.rows)
	o.last = 2*o.complete + 1
	size := int(o.last) + 1
	o.callAt, o.retAt, o.out = resize(o.callAt, n), resize(o.retAt, n), resize(o.out, n)
	o.op, o.calls = resize(o.op, size), resize(o.calls, size)
	o.next, o.prev = resize(o.next, size), resize(o.prev, size)
	e, r, p := int32(1), 0, o.complete
	for i, row := range o.rows[:o.complete] {
		for ; r < len(o.byReturn) && ret[o.rows[o.byReturn[r]]] < call[row]; r++ {
			p = o.wait(p, call, ret[o.rows[o.byReturn[r]]], e)
			o.op[e], o.calls[e], o.retAt[o.byReturn[r]] = ^o.byReturn[r], int32(i), e
			e++
		}
		p = o.wait(p, call, call[row], e)
		o.op[e], o.calls[e], o.callAt[i] = int32(i), int32(i), e
		e++
	}
	for ; r < len(o.byReturn); r++ {
		p = o.wait(p, call, ret[o.rows[o.byReturn[r]]], e)
		o.op[e], o.calls[e], o.retAt[o.byReturn[r]] = ^o.byReturn[r], o.complete, e
		e++
	}
	o.wait(p, call, history.Pending, e)
	o.calls[o.last] = o.complete
	clear(o.out)
	for e := range o.last {
		o.next[e], o.prev[e+1] = e+1, e
	}
}

// wait places the pending operations from p on that are called until the
// instant of event e.
func (o *order) wait(p int32, call []int64, until int64, e int32) int32 {
	for ; int(p) < len(o.rows) && call[o.rows[p]] <= until; p++ {
		o.callAt[p], o.retAt[p] = e-1, o.last
	}
	return p
}

func (o *order) is(op int32, t trait) bool { return o.traits[op]&t != 0 }

func (o *order) isPending(op int32) bool { return op >= o.complete }

// lift takes an operation out of the list. The next event of the call, which
// the list does not lead to any more, is still one in the list.
func (o *order) lift(op int32) {
	o.out[op] = true
	if o.isPending(op) {
		return
	}
	r := o.retAt[op]
	o.next[o.prev[r]], o.prev[o.next[r]] = o.next[r], o.prev[r]
	c := o.callAt[op]
	o.next[o.prev[c]], o.prev[o.next[c]] = o.next[c], o.prev[c]
}

// unlift undoes the latest lift that is not undone.
func (o *order) unlift(op int32) {
	o.out[op] = false
	if o.isPending(op) {
		return
	}
	c := o.callAt[op]
	o.next[o.prev[c]], o.prev[o.next[c]] = c, c
	r := o.retAt[op]
	o.next[o.prev[r]], o.prev[o.next[r]] = r, r
}

// resize gives a slice of n elements with any contents, in the memory of s
// if that is large enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}
