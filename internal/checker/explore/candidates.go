package explore

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// candidates is the observer of the modes External, Sound and Points. Its
// state is everything that the right object may be like after a history: the
// state that it is in, and which of the operations that have not returned
// have taken effect, and with what result. An operation may take effect at
// any time between its call and its return; in the mode Points it does so
// where the model says.
//
// A history is linearizable if and only if there is such a candidate. See the
// package comment for what follows from two sets of which one includes the
// other.
type candidates struct {
	m      *Model
	points bool
	table  table[*candidateSet]
	start  int32

	mu    sync.Mutex
	known map[nextKey]int32 // of Next
}

// A candidateSet is a state of the observer. It is never changed.
type candidateSet struct {
	running [maxThreads]running
	all     []string // encoded candidates, sorted
	values  uint64   // that are mentioned
}

// running is the operation that a thread is in.
type running struct {
	is       bool
	method   MethodID
	argument byte
}

// A possibility is one candidate, decoded.
type possibility struct {
	effects [maxThreads]effect
	state   []byte // of the object
}

// An effect is what is settled of an operation that has not returned.
type effect struct {
	taken  bool
	final  bool // mode Points: a later point does not replace it
	result Words
}

func newCandidates(m *Model, points bool) *candidates {
	c := &candidates{m: m, points: points, known: map[nextKey]int32{}}
	first := &candidateSet{all: []string{c.encode(&possibility{state: m.object.Initial})}}
	c.start = c.intern(first)
	return c
}

func (c *candidates) Start() int32 { return c.start }

func (c *candidates) Next(state int32, e Event) int32 {
	key := nextKey{state, e}
	c.mu.Lock()
	next, ok := c.known[key]
	c.mu.Unlock()
	if !ok {
		next = c.follow(state, e)
		c.mu.Lock()
		c.known[key] = next
		c.mu.Unlock()
	}
	return next
}

// follow takes every candidate through the event.
func (c *candidates) follow(state int32, e Event) int32 {
	old := c.table.get(state)
	next := &candidateSet{running: old.running}
	switch e.Kind {
	case Called:
		next.running[e.Thread] = running{true, e.Method, e.Argument}
		next.all = old.all
		if !c.points {
			next.all = c.closure(next)
		}
	case TookEffect:
		if !c.points {
			return state
		}
		next.all = c.filter(old.all, func(p *possibility) bool { return c.effect(p, int(e.Thread), old) })
	case Returned:
		next.running[e.Thread] = running{}
		next.all = c.filter(old.all, func(p *possibility) bool {
			f := &p.effects[e.Thread]
			fits := f.taken && f.result == e.Result
			*f = effect{}
			return fits
		})
	}
	if len(next.all) == 0 {
		return Wrong
	}
	return c.intern(next)
}

// filter has change applied to every candidate, and keeps those for which it
// says so.
func (c *candidates) filter(all []string, change func(*possibility) bool) []string {
	var kept []string
	for _, s := range all {
		if p := c.decode(s); change(p) {
			kept = append(kept, c.encode(p))
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}

// closure is the candidates that become possible by having any of the running
// operations take effect, in any order, and those that are there.
func (c *candidates) closure(set *candidateSet) []string {
	all := slices.Clone(set.all)
	seen := map[string]bool{}
	for _, s := range all {
		seen[s] = true
	}
	for i := 0; i < len(all); i++ { // grows
		for t := range set.running {
			p := c.decode(all[i])
			if !set.running[t].is || p.effects[t].taken {
				continue
			}
			c.apply(p, t, &set.running[t])
			if s := c.encode(p); !seen[s] {
				seen[s] = true
				all = append(all, s)
			}
		}
	}
	slices.Sort(all)
	return all
}

// apply lets the operation of a thread take effect. It reports whether the
// object changed.
func (c *candidates) apply(p *possibility, t int, r *running) bool {
	next, result := c.m.methods[r.method].apply(p.state, r.argument)
	changed := string(next) != string(p.state)
	p.state, p.effects[t] = next, effect{taken: true, result: result}
	return changed
}

// effect is a linearization point. The last one that a thread passes counts,
// but one that changed the object cannot be undone: a second one is wrong.
func (c *candidates) effect(p *possibility, t int, set *candidateSet) bool {
	if p.effects[t].final {
		return false
	}
	p.effects[t].final = c.apply(p, t, &set.running[t])
	return true
}

// encode makes a candidate a text that is the same for equal ones.
func (c *candidates) encode(p *possibility) string {
	var b []byte
	for t := range c.m.Bounds.Threads {
		f := &p.effects[t]
		if !f.taken {
			b = append(b, 0)
			continue
		}
		final := byte(0)
		if f.final {
			final = 1
		}
		b = append(b, 1+f.result.n, final)
		b = append(b, f.result.w[:f.result.n]...)
	}
	return string(append(b, p.state...))
}

// decode is the inverse of encode.
func (c *candidates) decode(s string) *possibility {
	p := &possibility{}
	for t := range c.m.Bounds.Threads {
		n := int(s[0])
		if n == 0 {
			s = s[1:]
			continue
		}
		p.effects[t] = effect{taken: true, final: s[1] == 1, result: NewWords([]byte(s[2 : 1+n])...)}
		s = s[1+n:]
	}
	p.state = []byte(s)
	return p
}

// intern is the number of a set.
func (c *candidates) intern(set *candidateSet) int32 {
	var key strings.Builder
	for t := range c.m.Bounds.Threads {
		r := &set.running[t]
		if !r.is {
			key.WriteByte(0)
			continue
		}
		key.Write([]byte{1 + byte(r.method), r.argument})
	}
	for _, s := range set.all {
		key.WriteByte(byte(len(s)))
		key.WriteString(s)
	}
	return c.table.number(key.String(), func() *candidateSet {
		set.values = c.mentioned(set)
		return set
	})
}

// mentioned is a mask of the values in a set.
func (c *candidates) mentioned(set *candidateSet) uint64 {
	var mask uint64
	see := func(v byte) byte { mask |= 1 << v; return v }
	for t := range set.running {
		c.renameRunning(&set.running[t], see)
	}
	for _, s := range set.all {
		c.renamePossibility(c.decode(s), set, see)
	}
	return mask &^ 1
}

// renameRunning replaces the value that an operation was called with.
func (c *candidates) renameRunning(r *running, rename func(byte) byte) {
	if r.is && c.m.methods[r.method].argument.fresh {
		r.argument = rename(r.argument)
	}
}

// renamePossibility replaces the values of a candidate.
func (c *candidates) renamePossibility(p *possibility, set *candidateSet, rename func(byte) byte) {
	for t := range p.effects {
		if f := &p.effects[t]; f.taken && c.m.methods[set.running[t].method].result == Value {
			f.result.each(rename)
		}
	}
	if c.m.object.Words == Value {
		for i, v := range p.state {
			p.state[i] = rename(v)
		}
	}
}

func (c *candidates) Values(state int32) uint64 { return c.table.get(state).values }

func (c *candidates) Rename(state int32, r *Renaming) int32 {
	old := c.table.get(state)
	value := func(v byte) byte { return r.Value[v] }
	next := &candidateSet{}
	for t := range c.m.Bounds.Threads {
		op := old.running[t]
		c.renameRunning(&op, value)
		next.running[r.Thread[t]] = op
	}
	for _, s := range old.all {
		p := c.decode(s)
		c.renamePossibility(p, old, value)
		var moved [maxThreads]effect
		for t := range c.m.Bounds.Threads {
			moved[r.Thread[t]] = p.effects[t]
		}
		p.effects = moved
		next.all = append(next.all, c.encode(p))
	}
	slices.Sort(next.all)
	return c.intern(next)
}

func (c *candidates) Compare(a, b int32) int {
	if a == b {
		return 0
	}
	x, y := c.table.get(a), c.table.get(b)
	for t := range c.m.Bounds.Threads {
		p, q := x.running[t], y.running[t]
		if d := cmp.Or(compareBools(p.is, q.is), cmp.Compare(p.method, q.method), cmp.Compare(p.argument, q.argument)); d != 0 {
			return d
		}
	}
	return slices.Compare(x.all, y.all)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// includes reports whether every candidate of b is one of a.
func (c *candidates) includes(a, b int32) bool {
	if a == b {
		return true
	}
	x, y := c.table.get(a), c.table.get(b)
	if x.running != y.running || len(x.all) < len(y.all) {
		return false
	}
	i := 0
	for _, s := range y.all {
		for i < len(x.all) && x.all[i] < s {
			i++
		}
		if i == len(x.all) || x.all[i] != s {
			return false
		}
	}
	return true
}

// bytes is about how much memory the observer needs.
func (c *candidates) bytes() int64 { return c.table.size() }
