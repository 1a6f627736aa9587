package explore

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/witness"
)

// A Trace is a run of a model from its start, step by step, with names as
// they come: the n-th value that is put in is n, counting what is there at the
// start.
type Trace struct {
	m     *Model
	Steps []Step
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

func newTracer(m *Model, o Observer) *tracer {
	t := &tracer{e: newExpander(m, o), state: m.start(), observer: o.Start(), trace: &Trace{m: m}}
	t.e.distinct = true
	t.e.log = &t.log
	return t
}

// accept makes a successor, which was found just now, the state.
func (t *tracer) accept(s *successor) {
	copy(t.state, s.state)
	t.observer = s.observer
	t.trace.Wrong = s.wrong
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
func (r *run) trace() (*Trace, error) {
	w := r.workers[0]
	var t *Trace
	var err error
	model := w.guard(func() { t, err = r.follow(r.path(), newTracer(r.m, r.observer), w) })
	return t, errors.Join(err, model)
}

// path is the stored states up to the one whose step goes wrong.
func (r *run) path() []stateID {
	var ids []stateID
	for id := r.violation; id != noState; {
		ids = append(ids, id)
		sh, i := r.store.at(id)
		id = sh.parents[i]
	}
	slices.Reverse(ids)
	return ids
}

func (r *run) follow(path []stateID, t *tracer, w *worker) (*Trace, error) {
	packed := make([]byte, r.packing.size)
	for _, id := range path[1:] {
		sh, i := r.store.at(id)
		reaches := func(s *successor) bool {
			if s.wrong {
				return false
			}
			state, observer := w.canonical(s)
			return r.packing.pack(packed, state) < 0 && bytes.Equal(packed, sh.state(i)) && observer == sh.observers[i]
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

// History is what was called and returned. Instants count calls, returns and
// small steps.
func (t *Trace) History() *history.History {
	h := &history.History{Kind: t.m.object.Kind}
	for i := range t.m.Bounds.Threads {
		h.Threads = append(h.Threads, threadName(i))
	}
	t.each(func(at int64, thread int, e *Event, _ string) {
		if e == nil {
			return
		}
		method := &t.m.methods[e.Method]
		switch e.Kind {
		case Called:
			o := history.Operation{Thread: thread, Method: method.name, Call: at, Return: history.Pending}
			if method.argument.fresh || method.argument.options != nil {
				o.Args = []history.Value{history.Value(fmt.Sprint(e.Argument))}
			}
			h.Operations = append(h.Operations, o)
		case Returned:
			o := lastOf(h.Operations, func(o *history.Operation) bool { return o.Thread == thread })
			o.Return = at
			o.Results = []history.Value{}
			for i := range e.Result.Len() {
				o.Results = append(o.Results, text(method.result, e.Result.At(i)))
			}
		}
	})
	return h
}

func threadName(i int) string { return fmt.Sprint(i + 1) }

// text is a word as JSON: numbers up to 1 are truth values, and no value is
// null.
func text(k Kind, w byte) history.Value {
	switch {
	case k == UpTo(1):
		return history.Value(fmt.Sprint(w == 1))
	case k == Value && w == 0:
		return "null"
	}
	return history.Value(fmt.Sprint(w))
}

// each goes through what happened: events, and small steps by their text.
func (t *Trace) each(do func(at int64, thread int, e *Event, action string)) {
	at := int64(0)
	for i := range t.Steps {
		s := &t.Steps[i]
		events := s.Events
		show := func(kind EventKind) {
			if len(events) > 0 && events[0].Kind == kind {
				at++
				do(at, s.Thread, &events[0], "")
				events = events[1:]
			}
		}
		show(Called)
		for _, action := range s.Texts {
			at++
			do(at, s.Thread, nil, action)
		}
		for len(events) > 0 {
			show(TookEffect)
			show(Returned)
		}
	}
}

// lastOf is the last element that fits.
func lastOf[T any](all []T, fits func(*T) bool) *T {
	for i := len(all) - 1; i >= 0; i-- {
		if fits(&all[i]) {
			return &all[i]
		}
	}
	return nil
}

// Picture is the history with the small steps inside the operations.
func (t *Trace) Picture() *witness.Picture {
	p := witness.FromHistory(t.History())
	p.Title = t.m.Name
	t.each(func(at int64, thread int, e *Event, action string) {
		if e != nil {
			return
		}
		o := lastOf(p.Operations, func(o *witness.Operation) bool { return o.Thread == threadName(thread) && o.Call < at })
		o.Inner = append(o.Inner, witness.Operation{Thread: o.Thread, Method: action, Call: at, Return: witness.Instant(at)})
	})
	if t.Wrong {
		p.Verdict, p.Reason = "violation", "no order of the operations explains the results"
	}
	return p
}
