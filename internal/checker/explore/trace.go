package explore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

// A Trace is a run of a model from its start, step by step, with names as
// they come: the n-th value that is put in is n, counting what is there at the
// start.
type Trace struct {
	m      *Model
	Steps  []Step
	merged bool // steps are those of an exploration that merges them
	// Wrong says that no right object has the history.
	Wrong bool
}

// A Step is what one thread does at a time.
type Step struct {
	Thread  int      // from 0
	Call    *Call    // if it starts an operation
	Choices []int    // what was chosen inside it
	Actions []Label  // small steps
	Events  []Event  // of the history
	Texts   []string // of the actions
}

// tracer runs a model without renaming anything.
type tracer struct {
	e        *expander
	log      stepLog
	state    []byte
	observer int32
	trace    *Trace
}

func newTracer(m *Model, o Observer, merge bool) *tracer {
	t := &tracer{e: newExpander(m, o, merge), state: m.start(), observer: o.Start(), trace: &Trace{m: m, merged: merge}}
	if t.e.naming == leastUnused {
		t.e.naming = inOrder
	}
	t.e.log = &t.log
	return t
}

// accept makes a successor, which was found just now, the state.
func (t *tracer) accept(s *successor) {
	copy(t.state, s.state)
	t.observer = s.observer
	t.trace.Wrong = s.wrong
	if c := t.log.call; c != nil && t.e.m.methods[c.Method].argument.fresh {
		t.e.given++
	}
	step := Step{Thread: s.thread, Call: t.log.call, Actions: t.log.steps, Events: t.log.events}
	for _, b := range t.log.choices {
		step.Choices = append(step.Choices, b.taken)
	}
	for _, l := range step.Actions {
		step.Texts = append(step.Texts, t.e.m.program[l].text)
	}
	t.trace.Steps = append(t.trace.Steps, step)
}

// errTrace says that the explorer contradicts itself.
func errTrace(m *Model) error {
	return fmt.Errorf("model %s: a state that was found cannot be reached again: its steps depend on more than its words", m.Name)
}

// trace is a run that leads to the violation. Stored states have canonical
// names; the run takes at each of them a step to a state that has the next one
// as its canonical form.
func (r *run) trace(path []reach.State) (*Trace, error) {
	w := newWorker(r)
	var t *Trace
	var err error
	model := w.guard(func() { t, err = r.follow(path, newTracer(r.m, r.observer, !r.o.Full), w) })
	return t, errors.Join(err, model)
}

func (r *run) follow(path []reach.State, t *tracer, w *worker) (*Trace, error) {
	for _, next := range path[1:] {
		reaches := func(s *successor) bool {
			if s.wrong {
				return false
			}
			state, observer := w.canonical(s)
			return r.packing.pack(w.packed, state) < 0 && bytes.Equal(w.packed, next.Bytes) && observer == next.Mark
		}
		if !t.take(reaches) {
			return nil, errTrace(r.m)
		}
	}
	if !t.take(func(s *successor) bool { return s.wrong }) {
		return nil, errTrace(r.m)
	}
	return t.trace, nil
}

// take takes the first step to a state that is wanted.
func (t *tracer) take(wanted func(*successor) bool) bool {
	found := false
	from := slices.Clone(t.state)
	t.e.expand(from, t.observer, func(s *successor) {
		if !found && wanted(s) {
			found = true
			t.accept(s)
		}
	})
	return found
}
