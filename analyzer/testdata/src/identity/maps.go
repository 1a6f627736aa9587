// Package identity proves when two calls are on the same map, however it is
// reached: a field, a pointer field, an embedded field, a parameter, a package
// variable, a closure's variable, a map inside a map, a shard. In the negatives
// two maps are at work, or one that no other goroutine can reach.
package identity

import "sync"

type session struct {
	mu   sync.Mutex
	hits int
}

// Nested is reached through two fields, one of them a pointer.
type Nested struct{ reg *registry }

type registry struct{ sessions sync.Map }

func (n *Nested) Put(id string, s *session) { n.reg.sessions.Store(id, s) }

func (n *Nested) Ensure(id string) {
	if _, ok := n.reg.sessions.Load(id); !ok {
		n.reg.sessions.Store(id, &session{}) // want "lost-update"
	}
}

// Alias goes through a local pointer to the map.
func (n *Nested) Alias(id string) {
	m := &n.reg.sessions
	if _, ok := m.Load(id); !ok {
		m.Store(id, &session{}) // want "lost-update"
	}
}

// AliasOwner goes through a local pointer to what has the map.
func (n *Nested) AliasOwner(id string) {
	reg := n.reg
	if _, ok := reg.sessions.Load(id); !ok {
		n.reg.sessions.Store(id, &session{}) // want "lost-update"
	}
}

// Pointer has a pointer to its map.
type Pointer struct{ m *sync.Map }

func NewPointer() *Pointer { return &Pointer{m: new(sync.Map)} }

func (p *Pointer) Put(id string, s *session) { p.m.Store(id, s) }

func (p *Pointer) Ensure(id string) {
	if _, ok := p.m.Load(id); !ok {
		p.m.Store(id, &session{}) // want "lost-update"
	}
}

func (p *Pointer) Kept(id string) any {
	v, _ := p.m.LoadOrStore(id, &session{})
	return v
}

// Embedded promotes the methods of its map: its users call them too.
type Embedded struct{ sync.Map }

func (e *Embedded) Ensure(id string) {
	if _, ok := e.Load(id); !ok {
		e.Store(id, &session{}) // want "lost-update"
	}
}

func (e *Embedded) EnsureOnce(id string) {
	if _, ok := e.Load(id); !ok {
		e.LoadOrStore(id, &session{})
	}
}

// EmbeddedPointer does so through a pointer.
type EmbeddedPointer struct{ *sync.Map }

func (e EmbeddedPointer) Ensure(id string) {
	if _, ok := e.Load(id); !ok {
		e.Store(id, &session{}) // want "lost-update"
	}
}

// Parameter gets its map from a caller, who may do with it what he likes.
func Parameter(m *sync.Map, id string) {
	if _, ok := m.Load(id); !ok {
		m.Store(id, &session{}) // want "lost-update"
	}
}

func ParameterOnce(m *sync.Map, id string) any {
	v, ok := m.Load(id)
	if !ok {
		v, _ = m.LoadOrStore(id, &session{})
	}
	return v
}

// Owner gets what has the map from a caller.
func Owner(n *Nested, id string) {
	if _, ok := n.reg.sessions.Load(id); !ok {
		n.reg.sessions.Store(id, &session{}) // want "lost-update"
	}
}

var hidden sync.Map

func Hidden(id string) *session {
	if v, ok := hidden.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	hidden.Store(id, s) // want "duplicate-instance"
	return s
}

// Touch writes to what it was given.
func Touch(s *session) {
	s.mu.Lock()
	s.hits++
	s.mu.Unlock()
}

// Shown can be used by every package.
var Shown sync.Map

func Visible(id string) *session {
	if v, ok := Shown.Load(id); ok {
		return v.(*session)
	}
	s := &session{}
	Shown.Store(id, s) // want "lost-update"
	return s
}

func VisibleOnce(id string) *session {
	v, _ := Shown.LoadOrStore(id, &session{})
	return v.(*session)
}

// Closures share a variable of the function that made them.
func Closures() (open func(string) *session, put func(string, *session)) {
	var m sync.Map
	open = func(id string) *session {
		if v, ok := m.Load(id); ok {
			return v.(*session)
		}
		s := &session{}
		m.Store(id, s) // want "lost-update"
		return s
	}
	put = func(id string, s *session) { m.Store(id, s) }
	return open, put
}

func ClosuresOnce() (open func(string) *session, put func(string, *session)) {
	var m sync.Map
	open = func(id string) *session {
		v, _ := m.LoadOrStore(id, &session{})
		return v.(*session)
	}
	put = func(id string, s *session) { m.Store(id, s) }
	return open, put
}

// Shards are chosen by the key.
type Shards struct{ shards [16]sync.Map }

func (c *Shards) Put(id uint32, s *session) { c.shards[id%16].Store(id, s) }

func (c *Shards) Local(id uint32) {
	shard := &c.shards[id%16]
	if _, ok := shard.Load(id); !ok {
		shard.Store(id, &session{}) // want "lost-update"
	}
}

func (c *Shards) Indexed(id uint32) {
	if _, ok := c.shards[id%16].Load(id); !ok {
		c.shards[id%16].Store(id, &session{}) // want "lost-update"
	}
}

func (c *Shards) Once(id uint32) any {
	v, _ := c.shards[id%16].LoadOrStore(id, &session{})
	return v
}
