package explore

import "fmt"

// A worker is what one goroutine needs to explore.
type worker struct {
	r     *run
	e     *expander
	c     *canonizer
	state []byte   // that is expanded
	free  []*chunk // to be used again
}

// A chunk is what some states lead to.
type chunk struct {
	packed    []byte
	found     []found
	of        [shards][]int32 // indices of found
	histories int64
	violation stateID // first state with a step that goes wrong
}

// found is a state without its words.
type found struct {
	hash     uint32
	observer int32
	parent   stateID
}

func (c *chunk) reset() {
	c.packed, c.found, c.histories, c.violation = c.packed[:0], c.found[:0], 0, noState
	for i := range c.of {
		c.of[i] = c.of[i][:0]
	}
}

func newWorker(r *run) *worker {
	return &worker{r: r, e: newExpander(r.m, r.observer, !r.o.Full), c: newCanonizer(r.m, r.observer),
		state: make([]byte, r.m.base(r.m.Bounds.Threads))}
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

// expand finds what some states lead to.
func (w *worker) expand(states []stateID) *chunk {
	var c *chunk
	if n := len(w.free); n > 0 {
		c, w.free = w.free[n-1], w.free[:n-1]
	} else {
		c = &chunk{}
	}
	c.reset()
	for _, id := range states {
		sh, i := w.r.store.at(id)
		w.r.packing.unpack(w.state, sh.state(i))
		w.e.expand(w.state, sh.observers[i], func(s *successor) { w.add(c, s, id) })
	}
	return c
}

// add puts a successor into a chunk.
func (w *worker) add(c *chunk, s *successor, parent stateID) {
	if s.wrong {
		if c.violation == noState {
			c.violation = parent
		}
		return
	}
	if s.complete {
		c.histories++
	}
	state, observer := w.canonical(s)
	size := w.r.packing.size
	n := len(c.packed)
	c.packed = append(c.packed, make([]byte, size)...)
	if i := w.r.packing.pack(c.packed[n:], state); i >= 0 {
		w.e.x.wrong("word %d is %d, at most %d fits", i, state[i], w.r.packing.fields[i].most)
	}
	h := hashOf(c.packed[n:])
	sh := h >> (64 - shardBits)
	c.of[sh] = append(c.of[sh], int32(len(c.found)))
	c.found = append(c.found, found{w.r.salt(uint32(h), observer), observer, parent})
}

// canonical is a successor with the names under which it is stored.
func (w *worker) canonical(s *successor) ([]byte, int32) {
	if w.r.o.Full {
		return s.state, s.observer
	}
	return w.c.canonical(s.state, s.observer)
}

// salt makes the hash depend on the observer where states with different ones
// are different, or a table would have long rows of the same words.
func (r *run) salt(hash uint32, observer int32) uint32 {
	if r.exact {
		hash ^= uint32(mix(uint64(observer)+1, 0x9e3779b97f4a7c15))
	}
	return hash
}
