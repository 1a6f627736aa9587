package absint

import (
	"slices"

	"github.com/mapatom/mapatom/reduce/register"
)

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
