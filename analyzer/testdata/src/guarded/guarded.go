// Package guarded proves which lock guards a map that is reached in a roundabout
// way: as the argument of a helper, as an element of a container, through a
// pointer that is in one place only, or by a function that another one left the
// lock to. The same lock of another object guards nothing.
package guarded

import (
	"sync"
	"sync/atomic"
)

// lower gets its number from callers that hold the lock.
func lower(n *int32, limit int32) {
	if atomic.LoadInt32(n) > limit {
		atomic.StoreInt32(n, limit)
	}
}

// Client calls it under its lock.
type Client struct {
	mu             sync.Mutex
	payload, depth int32
}

func (c *Client) Limit(payload, depth int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	lower(&c.payload, payload)
	lower(&c.depth, depth)
}

func (c *Client) Raise(payload int32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	atomic.StoreInt32(&c.payload, payload)
}

// raise is called with and without.
func raise(n *int32, limit int32) {
	if atomic.LoadInt32(n) < limit {
		atomic.StoreInt32(n, limit) // want "lost-update"
	}
}

// Mixed locks for one of its numbers and forgets it for the other.
type Mixed struct {
	mu    sync.Mutex
	a, b  int32
	other sync.Map
}

func (m *Mixed) A(limit int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	raise(&m.a, limit)
}

func (m *Mixed) B(limit int32) { raise(&m.b, limit) }

// Given gets the number itself from outside.
func Given(n *int32, limit int32) {
	if atomic.LoadInt32(n) < limit {
		atomic.StoreInt32(n, limit) // want "lost-update"
	}
}

// Table has its counters in a built-in map.
type Table struct {
	mu    sync.Mutex
	tails map[string]*atomic.Uint64
}

func NewTable(names []string) *Table {
	t := &Table{tails: map[string]*atomic.Uint64{}}
	for _, n := range names {
		t.tails[n] = new(atomic.Uint64)
	}
	return t
}

func (t *Table) Tail(name string) uint64 {
	if tail, ok := t.tails[name]; ok {
		return tail.Load()
	}
	return 0
}

func (t *Table) Truncate(head uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tail := range t.tails {
		if tail.Load() > head {
			tail.Store(head)
		}
	}
}

func (t *Table) Advance(name string, to uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tails[name].Store(to)
}

// Unguarded has a writer without the lock.
type Unguarded struct {
	mu    sync.Mutex
	tails map[string]*atomic.Uint64
}

func NewUnguarded(names []string) *Unguarded {
	t := &Unguarded{tails: map[string]*atomic.Uint64{}}
	for _, n := range names {
		t.tails[n] = new(atomic.Uint64)
	}
	return t
}

func (t *Unguarded) Truncate(head uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tail := range t.tails {
		if tail.Load() > head {
			tail.Store(head) // want "lost-update"
		}
	}
}

func (t *Unguarded) Advance(name string, to uint64) { t.tails[name].Store(to) }

// Lent has counters that others have too.
type Lent struct {
	mu    sync.Mutex
	tails map[string]*atomic.Uint64
}

func (t *Lent) Add(name string, tail *atomic.Uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tails[name] = tail
}

func (t *Lent) Truncate(head uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, tail := range t.tails {
		if tail.Load() > head {
			tail.Store(head) // want "lost-update"
		}
	}
}

// Striped has a lock for each part, and takes that of another part.
type Striped struct {
	parts [4]struct {
		mu sync.Mutex
		m  sync.Map
	}
}

func (s *Striped) Put(i int, id string) {
	s.parts[i].mu.Lock()
	defer s.parts[i].mu.Unlock()
	s.parts[i].m.Store(id, new(int))
}

func (s *Striped) Get(i, j int, id string) any {
	s.parts[i].mu.Lock()
	defer s.parts[i].mu.Unlock()
	if v, ok := s.parts[j].m.Load(id); ok {
		return v
	}
	v := new(int)
	s.parts[j].m.Store(id, v) // want "duplicate-instance"
	return v
}

// Policies owns the objects in its container, and guards them.
type Policies struct {
	mu       sync.Mutex
	children map[string]*child
}

type child struct{ state atomic.Pointer[string] }

func NewPolicies() *Policies { return &Policies{children: map[string]*child{}} }

func (p *Policies) Add(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.children[id] = &child{}
}

func (p *Policies) Update(id string, state *string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c, ok := p.children[id]
	if !ok {
		return
	}
	if old := c.state.Load(); old != nil && *old == "ready" {
		return
	}
	c.state.Store(state)
}

// Shared has objects that another one can have as well.
type Shared struct {
	mu       sync.Mutex
	children map[string]*part
}

type part struct{ state atomic.Pointer[string] }

func (s *Shared) Adopt(from *Shared, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.children[id] = from.children[id]
}

func (s *Shared) Update(id string, state *string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.children[id]
	if !ok {
		return
	}
	if old := c.state.Load(); old != nil && *old == "ready" {
		return
	}
	c.state.Store(state) // want "lost-update"
}

// Cycle is begun by one call, which leaves the lock to the one that ends it.
type Cycle struct {
	mu    sync.Mutex
	state atomic.Int32
}

// Turn ends it.
type Turn struct {
	c     *Cycle
	state int32
}

func (c *Cycle) Begin() Turn {
	c.mu.Lock()
	return Turn{c, c.state.Load()}
}

func (t Turn) End() {
	t.c.state.Store(t.state + 1)
	t.c.mu.Unlock()
}

func (c *Cycle) Skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state := c.state.Load(); state < 9 {
		c.state.Store(state + 2)
	}
}

// Told has an end that is told whether it has the lock.
type Told struct {
	mu    sync.Mutex
	state atomic.Int32
}

func (c *Told) End(state int32, locked bool) {
	c.state.Store(state)
	if locked {
		c.mu.Unlock()
	}
}

func (c *Told) Skip() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if state := c.state.Load(); state < 9 {
		c.state.Store(state + 2) // want "lost-update"
	}
}
