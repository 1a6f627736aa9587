package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// witness makes a concrete interleaving of a configuration that has no
// candidate left, and checks that it really is one; nil if it is not. One that needs
// somebody who looks in between is kept, for if there is no other.
func (e *engine) witness(c *config) *Witness {
	m := e.newModel(c.alongTheWay())
	if m == nil {
		return nil
	}
	h := e.history(c, m)
	if h == nil || !h.run() {
		return nil
	}
	orders, linearizable := h.orders()
	watched := linearizable && e.watched == nil && !e.assume.unwatched
	if watched {
		if h = h.watched(); !h.run() {
			return nil
		}
		orders, linearizable = h.orders()
	}
	if linearizable {
		return nil
	}
	h, orders = h.shrink(orders)
	if watched {
		e.watched = h.witness(orders)
		return nil
	}
	return h.witness(orders)
}

// alongTheWay is c with the answers that the steps of others were given on their ways,
// as far as they fit together.
func (c *config) alongTheWay() *config {
	d := *c
	for _, l := range c.refuted {
		if p := d.path.with(l); p != nil {
			d.path = p
		}
	}
	for t := c.trail; t != nil; t = t.prev {
		if t.step == nil {
			continue
		}
		for _, l := range t.step.taken {
			if p := d.path.with(l); p != nil {
				d.path = p
			}
		}
	}
	return d.apart()
}

// maxApart bounds how many values of an interleaving are kept apart.
const maxApart = 12

// apart is c with different values for what can be different: a candidate that was
// given up because it was of no hope is one all the same if two values happen to be
// equal.
func (c *config) apart() *config {
	var values []term
	note := func(x term) {
		if x != noTerm && x != c.path.terms.absentT && len(values) < maxApart && !c.path.terms.isBool(x) {
			values = addTerm(values, x)
		}
	}
	for _, x := range slices.Concat(c.regs, c.first) {
		note(x)
	}
	for t := c.trail; t != nil; t = t.prev {
		if t.step == nil {
			continue
		}
		note(t.step.value)
		for _, x := range t.step.args {
			note(x)
		}
	}
	d := *c
	for i, x := range values {
		for _, y := range values[:i] {
			if d.path.equal(x, y) != undecided {
				continue
			}
			if p := d.path.with(literal{x, y, false}); p != nil {
				d.path = p
			}
		}
	}
	return &d
}

// witness writes the history down.
func (h *history) witness(orders []Order) *Witness {
	w := &Witness{Result: ending(&h.out), Atomic: orders, Events: h.events}
	region := h.engine.problem.Region
	for i, l := range region.Params {
		w.Params = append(w.Params, Binding{region.Names[l], h.args[i]})
	}
	w.Initial = h.contents(h.initial)
	w.Final = h.contents(h.final)
	w.Breaking = breaking(w.Events)
	return w
}

func (h *history) contents(cells []register.Value) []Binding {
	var out []Binding
	for i, v := range cells {
		out = append(out, Binding{h.engine.problem.Region.Cells[i].Label, v})
	}
	return out
}

// shrink leaves out the environment's steps without which the history is
// still not linearizable: the exploration takes every step that it can, but a
// person wants those that matter. The operation that breaks stays the same.
func (h *history) shrink(orders []Order) (*history, []Order) {
	at := h.breaks()
	for i := len(h.steps) - 1; i >= 0; i-- {
		less := h.without(i)
		if !less.run() || less.breaks() != at {
			continue
		}
		if os, linearizable := less.orders(); !linearizable {
			h, orders = less, os
		}
	}
	return h, orders
}

// breaks says which operation of the call breaks.
func (h *history) breaks() (at struct {
	op  string
	pos register.Pos
}) {
	if i := breaking(h.events); i >= 0 {
		at.op, at.pos = h.events[i].Op, h.events[i].Pos
	}
	return at
}

// watched is the history in which somebody looks at the cells after each step of the
// package, yet to be run. The exploration gives a candidate up where somebody could
// have seen that it is none.
func (h *history) watched() *history {
	w := h.again()
	for _, s := range h.steps {
		w.steps = append(w.steps, s.again())
		if s.action.kind != runStep {
			continue
		}
		for cell := range h.initial {
			if h.engine.problem.guarded(cell) {
				continue // who looks may have to wait
			}
			w.steps = append(w.steps, &concreteStep{action: &envAction{point: s.action.point, kind: observe, cell: cell}})
		}
	}
	return w
}

// without is the history without one step, yet to be run.
func (h *history) without(i int) *history {
	less := h.again()
	for j, s := range h.steps {
		if j != i {
			less.steps = append(less.steps, s.again())
		}
	}
	return less
}

// again is the history without its steps, and without what comes of running it.
func (h *history) again() *history {
	return &history{
		engine: h.engine, model: h.model, args: h.args, initial: h.initial, made: h.made,
		allocated: map[register.Value]allocation{},
	}
}

func (s *concreteStep) again() *concreteStep {
	a := *s
	a.shown = ""
	a.own = slices.Clone(s.own)
	return &a
}
