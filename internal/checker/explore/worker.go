package explore

import (
	"fmt"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

// A worker is what one goroutine needs to explore.
type worker struct {
	r      *run
	e      *expander
	c      *canonizer
	state  []byte // that is expanded
	packed []byte // that follows it
}

func newWorker(r *run) *worker {
	return &worker{r: r, e: newExpander(r.m, r.observer, !r.o.Full), c: newCanonizer(r.m, r.observer),
		state: make([]byte, r.m.base(r.m.Bounds.Threads)), packed: make([]byte, r.packing.size)}
}

// guard turns what is wrong with a model into an error.
func (w *worker) guard(do func()) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case modelError:
			err = p
		default:
			err = fmt.Errorf("model %s, step %q: %v", w.r.m.Name, w.r.m.program[w.e.x.step].text, p)
		}
	}()
	do()
	return nil
}

// Start adds the state that everything starts in.
func (w *worker) Start(to *reach.Successors) error {
	return w.guard(func() { w.add(to, &successor{state: w.r.m.start(), observer: w.r.observer.Start()}) })
}

// Expand adds what follows a state. Every step has the length 1.
func (w *worker) Expand(s reach.State, _ int, to *reach.Successors) error {
	return w.guard(func() {
		w.r.packing.unpack(w.state, s.Bytes)
		w.e.expand(w.state, s.Mark, func(s *successor) { w.add(to, s) })
	})
}

// add adds a successor.
func (w *worker) add(to *reach.Successors, s *successor) {
	switch {
	case s.wrong:
		to.Wrong()
		return
	case s.complete:
		to.Complete()
	}
	state, observer := w.canonical(s)
	if i := w.r.packing.pack(w.packed, state); i >= 0 {
		w.e.x.wrong("word %d is %d, at most %d fits", i, state[i], w.r.packing.fields[i].most)
	}
	to.Add(w.packed, observer)
}

// canonical is a successor with the names under which it is stored.
func (w *worker) canonical(s *successor) ([]byte, int32) {
	if w.r.o.Full {
		return s.state, s.observer
	}
	return w.c.canonical(s.state, s.observer)
}
