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

// A presence is what is known of the one time that an element is in a set. It
// has to be in from the time in at the latest, when somebody who put it in
// or saw it returned, to the time out at least, when somebody who saw it or
// took it out was called.
type presence struct {
	in, out   int64
	addCall   int64 // -1 if nobody put it in
	takeEnd   int64 // return of who took it out; history.Pending if nobody did
	seen      bool
	takenOnce bool
}

// presencesFit reports whether every element is put in once at most and taken
// out once at most, and all that was observed fits its presence. If it is as
// short as it can be, that leaves most room for those that did not see it.
// False means nothing: it is said of every pending operation that could
// matter.
func presencesFit(l *history.Log) bool {
	ids := numberValues(l.Value)
	all := make([]presence, ids.count)
	for i := range all {
		all[i] = presence{in: history.Pending, out: -1, addCall: -1, takeEnd: history.Pending}
	}
	absences := false
	for row, m := range l.Method {
		call, ret := l.Call[row], l.Return[row]
		if ret == history.Pending {
			if m.Called() == history.ContainsTrue {
				continue
			}
			return false
		}
		s := &all[ids.of(l.Value[row])]
		switch m {
		case history.TakeFailed, history.ContainsFalse:
			absences = true
			continue
		case history.Add:
			if s.addCall >= 0 {
				return false
			}
			s.addCall = call
			s.in = min(s.in, ret)
		case history.Take:
			if s.takenOnce {
				return false
			}
			s.takenOnce, s.takeEnd = true, ret
			s.see(call, ret)
		default:
			s.see(call, ret)
		}
	}
	for i := range all {
		if !all[i].settle() {
			return false
		}
	}
	return !absences || absencesFit(l, ids, all)
}

// see notes that the element was there at some time between call and ret.
func (s *presence) see(call, ret int64) {
	s.seen = true
	s.in, s.out = min(s.in, ret), max(s.out, call)
}

// settle makes the presence as short as it can be, and reports whether there is
// one.
func (s *presence) settle() bool {
	if s.addCall < 0 {
		return !s.seen
	}
	s.out = max(s.out, s.in)
	if !s.takenOnce {
		s.out = history.Pending
	}
	return s.addCall <= s.in && s.out <= s.takeEnd
}

// absencesFit reports whether those that did not find an element have room
// before its presence or after it.
func absencesFit(l *history.Log, ids *numbering, all []presence) bool {
	for row, m := range l.Method {
		if m != history.TakeFailed && m != history.ContainsFalse || l.Return[row] == history.Pending {
			continue
		}
		if s := &all[ids.of(l.Value[row])]; l.Call[row] > s.in && l.Return[row] < s.out {
			return false
		}
	}
	return true
}
