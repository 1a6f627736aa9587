package explore

import (
	"fmt"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

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
		o.Inner = append(o.Inner, witness.Operation{Thread: o.Thread, Method: action, Step: true, Call: at, Return: witness.Instant(at)})
	})
	if t.Wrong {
		p.Verdict, p.Reason = "violation", "no order of the operations explains the results"
	}
	return p
}
