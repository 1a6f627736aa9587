package explore

import (
	"bytes"
	"slices"
)

// A canonizer brings states into their canonical form: of all states that
// differ only in the names of threads, nodes and values, one. Its result is
// the same for all of them, so that they are stored once.
//
// Nodes and values are named in the order in which they are met, from the
// shared words over the threads to the fields of nodes; nodes that are not met
// are gone. Threads are sorted by what does not depend on names, and all
// orders of those that this does not tell apart are tried.
type canonizer struct {
	m       *Model
	renamer Renamer // nil: threads and values keep their names
	cache   map[renameKey]int32

	order    []int              // old thread of each new one
	keys     [][]byte           // of old threads: what does not depend on names
	trial    form               // that is being made
	best     form               // of those that were tried
	found    bool               // there is a best
	nodes    []byte             // old node of each new one
	nodeName [maxNodes + 1]byte // new name of each old node
}

// A form is a state with other names.
type form struct {
	state    []byte
	original int32 // the observer's state with the old names
	observer int32 // and with the new ones, if renamed
	renamed  bool
	names    Renaming
	count    byte // how many values have names
}

// renameKey is what Renamer.Rename depends on.
type renameKey struct {
	state int32
	names Renaming
}

func newCanonizer(m *Model, o Observer) *canonizer {
	c := &canonizer{m: m, cache: map[renameKey]int32{}}
	c.renamer, _ = o.(Renamer)
	size := m.base(m.Bounds.Threads)
	c.trial.state, c.best.state = make([]byte, size), make([]byte, size)
	for range m.Bounds.Threads {
		c.keys = append(c.keys, make([]byte, m.threadSize()))
	}
	return c
}

// canonical brings a state into its form. The result is overwritten by the
// next call.
func (c *canonizer) canonical(state []byte, observer int32) ([]byte, int32) {
	c.found = false
	c.order = c.order[:0]
	for t := range c.m.Bounds.Threads {
		c.order = append(c.order, t)
	}
	if c.renamer == nil || !c.m.symmetric() {
		c.try(state, observer)
	} else {
		c.sortThreads(state)
		c.tryOrders(state, observer, 0)
	}
	c.rename(&c.best)
	return c.best.state, c.best.observer
}

// sortThreads puts the threads in the order of their keys.
func (c *canonizer) sortThreads(state []byte) {
	for t, key := range c.keys {
		words := state[c.m.base(t):]
		copy(key, words[:headerSize])
		key[headerArgument] = 0
		if pc := words[headerPC]; pc != 0 && !c.m.takesFresh(pc) {
			key[headerArgument] = words[headerArgument]
		}
		for i, k := range c.m.private {
			w := words[headerSize+i]
			if !k.isNumber() {
				w = min(w, 1)
			}
			key[headerSize+i] = w
		}
	}
	slices.SortStableFunc(c.order, func(a, b int) int { return bytes.Compare(c.keys[a], c.keys[b]) })
}

// tryOrders tries all orders of the threads from the n-th on that sorting
// leaves open.
func (c *canonizer) tryOrders(state []byte, observer int32, n int) {
	if n == len(c.order) {
		c.try(state, observer)
		return
	}
	key := c.keys[c.order[n]]
	for i := n; i < len(c.order) && bytes.Equal(c.keys[c.order[i]], key); i++ {
		c.order[n], c.order[i] = c.order[i], c.order[n]
		c.tryOrders(state, observer, n+1)
		c.order[n], c.order[i] = c.order[i], c.order[n]
	}
}

// try makes the form for one order of threads, and keeps it if it is the
// best so far.
func (c *canonizer) try(state []byte, observer int32) {
	t := &c.trial
	t.original, t.renamed, t.names, t.count = observer, false, Renaming{}, 0
	c.renameState(state)
	left := uint64(0)
	if c.renamer != nil {
		left = c.renamer.Values(observer)
	}
	for v := 1; left>>v != 0; v++ {
		if t.names.Value[v] != 0 {
			left &^= 1 << v
		}
	}
	c.nameRest(left)
}

// nameRest names the values that only the observer knows. There is rarely
// more than one, as a right object loses none; all orders are tried.
func (c *canonizer) nameRest(left uint64) {
	t := &c.trial
	if left == 0 {
		c.keepBest()
		return
	}
	for v := 1; left>>v != 0; v++ {
		if left&(1<<v) == 0 {
			continue
		}
		t.count++
		t.names.Value[v] = t.count
		c.nameRest(left &^ (1 << v))
		t.names.Value[v] = 0
		t.count--
	}
}

// keepBest keeps the trial if it is less than the best so far.
func (c *canonizer) keepBest() {
	t, best := &c.trial, &c.best
	t.renamed = false
	if c.found {
		d := bytes.Compare(t.state, best.state)
		if d == 0 && c.renamer != nil {
			c.rename(t)
			c.rename(best)
			d = c.renamer.Compare(t.observer, best.observer)
		}
		if d >= 0 {
			return
		}
	}
	c.found = true
	state := append(best.state[:0], t.state...)
	*best = *t
	best.state = state
}

// rename gives the observer of a form the form's names.
func (c *canonizer) rename(f *form) {
	if f.renamed {
		return
	}
	f.renamed, f.observer = true, f.original
	if c.renamer == nil {
		return
	}
	key := renameKey{state: f.original, names: Renaming{Thread: f.names.Thread}}
	same := true
	for t := range c.m.Bounds.Threads {
		same = same && int(f.names.Thread[t]) == t
	}
	known := c.renamer.Values(f.original) // names of other values do not matter
	for v := 1; known>>v != 0; v++ {
		if known&(1<<v) != 0 {
			key.names.Value[v] = f.names.Value[v]
			same = same && int(f.names.Value[v]) == v
		}
	}
	if same {
		return
	}
	var ok bool
	if f.observer, ok = c.cache[key]; !ok {
		f.observer = c.renamer.Rename(f.original, &key.names)
		if len(c.cache) < maxCache {
			c.cache[key] = f.observer
		}
	}
}

// renameState makes the state of the trial, naming what it meets.
func (c *canonizer) renameState(state []byte) {
	m, t := c.m, &c.trial
	clear(t.state)
	c.nodes = c.nodes[:0]
	clear(c.nodeName[:])
	for new, old := range c.order {
		t.names.Thread[old] = uint8(new)
	}
	for _, i := range m.roots {
		t.state[i] = c.name(m.shared[i], state[i])
	}
	for new, old := range c.order {
		src, dst := state[m.base(old):], t.state[m.base(new):]
		dst[headerPC], dst[headerCalled] = src[headerPC], src[headerCalled]
		kind := UpTo(0)
		if m.takesFresh(src[headerPC]) {
			kind = Value
		}
		dst[headerArgument] = c.name(kind, src[headerArgument])
		for i, k := range m.private {
			dst[headerSize+i] = c.name(k, src[headerSize+i])
		}
	}
	for new := 0; new < len(c.nodes); new++ { // grows
		old := int(c.nodes[new]) - 1
		for _, f := range m.heap.fields {
			at := int(f.at) - 1
			t.state[at+new] = c.name(m.shared[at], state[at+old])
		}
	}
}

// name is the new name of a word.
func (c *canonizer) name(k Kind, w byte) byte {
	if w == 0 || k.isNumber() {
		return w
	}
	t := &c.trial
	switch k {
	case Pointer:
		if c.nodeName[w] == 0 {
			c.nodes = append(c.nodes, w)
			c.nodeName[w] = byte(len(c.nodes))
		}
		return c.nodeName[w]
	case Value:
		if c.renamer == nil {
			return w
		}
		if t.names.Value[w] == 0 {
			t.count++
			t.names.Value[w] = t.count
		}
		return t.names.Value[w]
	}
	return w
}
