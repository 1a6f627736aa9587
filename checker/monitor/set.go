package monitor

import (
	"slices"

	"github.com/mapatom/mapatom/checker/history"
)

// The states of an element.
const (
	out int32 = iota
	in
)

// An elementStep is what an operation on an element finds and leaves; -1
// for what it leaves as it is.
type elementStep struct{ finds, makes int32 }

var elementSteps = [...]elementStep{
	history.Add:           {out, in},
	history.AddFailed:     {in, -1},
	history.Take:          {in, out},
	history.TakeFailed:    {out, -1},
	history.ContainsTrue:  {in, -1},
	history.ContainsFalse: {out, -1},
}

// setAnswer decides the history of a set. Every element is an object by
// itself, with two states that follow one another, so that a walk decides
// every history: there is no such thing as an ambiguous one. For elements
// that are put in and taken out once it is enough to look at their stay.
func setAnswer(l *history.Log, o Options) answer {
	if !o.Order && presencesFit(l) {
		return answer{ok: true}
	}
	p := split(l.Value)
	walks := make([]walk, workersFor(o.Workers, l.Len()))
	bad := make([]int32, len(walks)) // lowest part that has no linearization
	for i := range bad {
		bad[i] = int32(p.len())
	}
	var orders [][]int32
	if o.Order {
		orders = make([][]int32, p.len())
	}
	p.each(o.Workers, func(worker, from, to int) {
		w := &walks[worker]
		for part := from; part < to && part < int(bad[worker]); part++ {
			rows := p.of(part)
			if len(rows) == 0 {
				continue
			}
			if !w.element(l, rows) {
				bad[worker] = int32(part)
			} else if o.Order {
				orders[part] = pick(rows, w.order)
			}
		}
	})
	part := int(slices.Min(bad))
	if part == p.len() {
		a := answer{ok: true}
		if o.Order {
			a.order = merge(l, orders)
		}
		return a
	}
	w := &walks[0]
	w.element(l, p.of(part))
	return answer{core: pick(p.of(part), w.core())}
}

// element decides the history of one element of a set.
func (w *walk) element(l *history.Log, rows []int32) bool {
	w.reset(len(rows), 2, out)
	for i, row := range rows {
		w.call[i], w.ret[i] = l.Call[row], l.Return[row]
		m := l.Method[row]
		if w.ret[i] == history.Pending {
			m = m.Called()
			if m == history.ContainsTrue {
				continue
			}
		}
		w.finds[i], w.makes[i] = elementSteps[m].finds, elementSteps[m].makes
	}
	return w.run()
}

// pick gives the rows that positions stand for.
func pick(rows, positions []int32) []int32 {
	some := make([]int32, len(positions))
	for i, at := range positions {
		some[i] = rows[at]
	}
	return some
}
