// Package helpers proves that the halves of a step are found when they lie in
// different functions. A function that makes one call and nothing else counts
// as that call, so the report is at the line that calls it; any other helper is
// followed into, and the report is at the operation inside. In the negatives
// the helper is atomic, runs in another goroutine, or is about another entry.
package helpers

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
}

// Split has one small method for each half.
type Split struct{ m sync.Map }

func (c *Split) lookup(id string) (*session, bool) {
	v, ok := c.m.Load(id)
	if !ok {
		return nil, false
	}
	return v.(*session), true
}

func (c *Split) add(id string, s *session) { c.m.Store(id, s) }

func (c *Split) Put(id string, s *session) { c.add(id, s) }

func (c *Split) Open(id string) *session {
	if s, ok := c.lookup(id); ok {
		return s
	}
	s := &session{}
	c.add(id, s) // want "lost-update"
	return s
}

func (c *Split) Lookup(id string) *session {
	s, _ := c.lookup(id)
	return s
}

// Inside has a helper that does more than the one call.
type Inside struct{ m sync.Map }

func (c *Inside) Put(id string, s *session) { c.m.Store(id, s) }

func (c *Inside) create(id string) *session {
	s := &session{hits: 1}
	c.m.Store(id, s) // want "lost-update"
	return s
}

func (c *Inside) Open(id string) *session {
	if v, ok := c.m.Load(id); ok {
		return v.(*session)
	}
	return c.create(id)
}

// Atomic has a helper that leaves the map to decide.
type Atomic struct{ m sync.Map }

func (c *Atomic) Put(id string, s *session) { c.m.Store(id, s) }

func (c *Atomic) create(id string) *session {
	v, _ := c.m.LoadOrStore(id, &session{hits: 1})
	return v.(*session)
}

func (c *Atomic) Open(id string) *session {
	if v, ok := c.m.Load(id); ok {
		return v.(*session)
	}
	return c.create(id)
}

// Deep takes three calls to get to the map.
type Deep struct{ m sync.Map }

func (c *Deep) Put(id string, s *session) { c.m.Store(id, s) }

func (c *Deep) has(id string) bool {
	_, ok := c.m.Load(id)
	return ok
}

func (c *Deep) missing(id string) bool { return !c.has(id) }

func (c *Deep) set(id string, s *session) { c.m.Store(id, s) }

func (c *Deep) reset(id string, s *session) { c.set(id, s) }

func (c *Deep) Ensure(id string) {
	if c.missing(id) {
		c.reset(id, &session{}) // want "lost-update"
	}
}

// get and put take the map as an argument.
func get(m *sync.Map, id string) (any, bool)   { return m.Load(id) }
func put(m *sync.Map, id string, s *session)   { m.Store(id, s) }
func offer(m *sync.Map, id string, s *session) { m.LoadOrStore(id, s) }

// ByArgument passes its map to plain functions.
type ByArgument struct{ m, spare sync.Map }

func (c *ByArgument) Put(id string, s *session) { put(&c.m, id, s) }

func (c *ByArgument) Ensure(id string) {
	if _, ok := get(&c.m, id); !ok {
		put(&c.m, id, &session{}) // want "lost-update"
	}
}

func (c *ByArgument) EnsureOnce(id string) {
	if _, ok := get(&c.m, id); !ok {
		offer(&c.m, id, &session{})
	}
}

// Elsewhere passes another map the second time.
func (c *ByArgument) Elsewhere(id string) {
	if _, ok := get(&c.m, id); !ok {
		put(&c.spare, id, &session{})
	}
}

// MethodValues takes the methods out of the map before it calls them.
type MethodValues struct{ m sync.Map }

func (c *MethodValues) Put(id string, s *session) { c.m.Store(id, s) }

func (c *MethodValues) Ensure(id string) {
	load, store := c.m.Load, c.m.Store
	if _, ok := load(id); !ok {
		store(id, &session{}) // want "lost-update"
	}
}

func (c *MethodValues) EnsureOnce(id string) {
	load, offer := c.m.Load, c.m.LoadOrStore
	if _, ok := load(id); !ok {
		offer(id, &session{})
	}
}

// MethodExpression names the methods by their type.
func (c *MethodValues) MethodExpression(id string) {
	if _, ok := (*sync.Map).Load(&c.m, id); !ok {
		(*sync.Map).Store(&c.m, id, &session{}) // want "lost-update"
	}
}

// Literals has its halves in function literals that it calls itself.
type Literals struct{ m sync.Map }

func (c *Literals) Put(id string, s *session) { c.m.Store(id, s) }

func (c *Literals) Ensure(id string) {
	create := func() *session {
		s := &session{}
		c.m.Store(id, s) // want "lost-update"
		return s
	}
	if _, ok := c.m.Load(id); !ok {
		create()
	}
}

// Later starts another goroutine that stores: that is no step of this one.
func (c *Literals) Later(id string) {
	if _, ok := c.m.Load(id); !ok {
		go func() { c.m.Store(id, &session{}) }()
	}
}
