package explore

import "fmt"

// A Thread is what a step sees: the words of its own thread and those that
// all share. Steps keep nothing else from one call to the next.
type Thread struct {
	m     *Model
	state []byte
	id    int
	base  int
	step  Label // that is executed
	next  Label
	event Event // under construction: call and result

	returned bool
	blocked  bool
	points   int // linearization points passed in the step

	choices []branch
	chosen  int // how many of them were used
}

// A branch is one nondeterministic choice inside a step.
type branch struct{ taken, of int }

// A modelError is a mistake in a model that shows when it runs. It is the
// only value that the package panics with, and is recovered in Explore.
type modelError struct{ error }

// wrong ends the execution of a step that makes no sense.
func (x *Thread) wrong(format string, args ...any) {
	panic(modelError{fmt.Errorf("model %s, step %q: %s", x.m.Name, x.m.program[x.step].text, fmt.Sprintf(format, args...))})
}

// word is where a variable lies.
func (x *Thread) word(v Variable) *byte {
	if v.at == 0 {
		x.wrong("a field of nil, or an element outside of an array")
	}
	if v.own {
		return &x.state[x.base+int(v.at)-1]
	}
	return &x.state[v.at-1]
}

// ID is the number of the thread, from 0.
func (x *Thread) ID() int { return x.id }

// Threads is how many there are.
func (x *Thread) Threads() int { return x.m.Bounds.Threads }

// Argument is what the running method was called with.
func (x *Thread) Argument() byte { return x.state[x.base+headerArgument] }

// Get reads a word.
func (x *Thread) Get(v Variable) byte { return *x.word(v) }

// Set writes a word.
func (x *Thread) Set(v Variable, w byte) { *x.word(v) = w }

// CAS writes new if the word is old, and reports whether it was.
func (x *Thread) CAS(v Variable, old, new byte) bool {
	w := x.word(v)
	if *w != old {
		return false
	}
	*w = new
	return true
}

// DCAS writes both words if both are what they are expected to be.
func (x *Thread) DCAS(a, b Variable, oldA, oldB, newA, newB byte) bool {
	wa, wb := x.word(a), x.word(b)
	if *wa != oldA || *wb != oldB {
		return false
	}
	*wa, *wb = newA, newB
	return true
}

// Forget sets registers to 0 that will not be read again, so that states that
// differ only there are the same.
func (x *Thread) Forget(registers ...Variable) {
	for _, v := range registers {
		for i := range int(v.length) {
			x.Set(v.At(i), 0)
		}
	}
}

// Goto says which step is next. Without it, it is the one declared next.
func (x *Thread) Goto(l Label) { x.next = l }

// Return ends the operation.
func (x *Thread) Return(results ...byte) {
	x.returned = true
	x.event.Result = NewWords(results...)
}

// Block says that the step cannot be taken now. What it did to the state is
// undone.
func (x *Thread) Block() { x.blocked = true }

// Point says that the operation takes effect here, for the mode Points. If it
// passes several points, the last counts; but one at which it changed the
// object is final.
func (x *Thread) Point() { x.points++ }

// Choose is a number from 0 to n-1. All are explored.
func (x *Thread) Choose(n int) int {
	if n < 1 {
		x.wrong("a choice between %d", n)
	}
	if x.chosen == len(x.choices) {
		x.choices = append(x.choices, branch{0, n})
	}
	b := &x.choices[x.chosen]
	if b.of = n; b.taken >= n {
		x.wrong("choice %d of %d", b.taken, n)
	}
	x.chosen++
	return b.taken
}

// New allocates a node, all of whose fields are 0: one that was freed, or one
// that nothing refers to. All nodes of the latter sort are alike.
func (x *Thread) New() byte {
	h := x.m.heap
	if h == nil {
		x.wrong("there is no heap")
	}
	reached := h.reachable(x.state)
	var free []byte
	unused := byte(0)
	for n := byte(h.nodes); n > 0; n-- {
		switch {
		case reached&(1<<n) == 0:
			unused = n
		case h.freed.at != 0 && x.Get(h.freed.Of(n)) == 1:
			free = append(free, n)
		}
	}
	if unused != 0 {
		free = append(free, unused)
	}
	if len(free) == 0 {
		x.wrong("all %d nodes are in use", h.nodes)
	}
	n := free[x.Choose(len(free))]
	for _, f := range h.fields {
		x.Set(f.Of(n), 0)
	}
	return n
}

// Free gives a node back, whatever still refers to it.
func (x *Thread) Free(node byte) {
	if x.m.heap == nil || x.m.heap.freed.at == 0 {
		x.wrong("nodes of this heap are not freed by hand")
	}
	x.Set(x.m.heap.freed.Of(node), 1)
}

// reachable is a mask of the nodes that a thread can get at.
func (h *Heap) reachable(state []byte) uint64 {
	var reached uint64
	var todo []byte
	reach := func(n byte) {
		if n != 0 && reached&(1<<n) == 0 {
			reached |= 1 << n
			todo = append(todo, n)
		}
	}
	m := h.m
	for _, i := range m.roots {
		if m.shared[i] == Pointer {
			reach(state[i])
		}
	}
	for t := range m.Bounds.Threads {
		words := state[m.base(t)+headerSize:]
		for i, k := range m.private {
			if k == Pointer {
				reach(words[i])
			}
		}
	}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, f := range h.fields {
			if m.shared[f.at-1] == Pointer {
				reach(state[f.Of(n).at-1])
			}
		}
	}
	return reached
}

// owns reports whether a shared word belongs to a node.
func (h *Heap) owns(word int) bool {
	for _, f := range h.fields {
		if word >= int(f.at)-1 && word < int(f.at)-1+h.nodes {
			return true
		}
	}
	return false
}
