package helpers

import "sync"

// Typed has one method per call, with the types of its key and value.
type Typed struct{ m sync.Map }

func (t *Typed) Load(id string) (*session, bool) {
	v, ok := t.m.Load(id)
	if !ok {
		return nil, false
	}
	return v.(*session), true
}

func (t *Typed) Store(id string, s *session) { t.m.Store(id, s) }

func (t *Typed) LoadOrStore(id string, s *session) (*session, bool) {
	v, loaded := t.m.LoadOrStore(id, s)
	return v.(*session), loaded
}

// OfTyped uses the typed map.
type OfTyped struct{ sessions Typed }

func (c *OfTyped) Put(id string, s *session) { c.sessions.Store(id, s) }

func (c *OfTyped) Open(id string) *session {
	if s, ok := c.sessions.Load(id); ok {
		return s
	}
	s := &session{}
	c.sessions.Store(id, s) // want "lost-update"
	return s
}

func (c *OfTyped) OpenOnce(id string) *session {
	if s, ok := c.sessions.Load(id); ok {
		return s
	}
	s, _ := c.sessions.LoadOrStore(id, &session{})
	return s
}

// Generic is the typed map for all types. Its names are its own.
type Generic[K comparable, V any] struct{ m sync.Map }

func (g *Generic[K, V]) Find(key K) (value V, ok bool) {
	v, ok := g.m.Load(key)
	if !ok {
		return value, false
	}
	return v.(V), true
}

func (g *Generic[K, V]) Put(key K, value V) { g.m.Store(key, value) }

func (g *Generic[K, V]) PutIfAbsent(key K, value V) (V, bool) {
	v, loaded := g.m.LoadOrStore(key, value)
	return v.(V), loaded
}

func (g *Generic[K, V]) Remove(key K) { g.m.Delete(key) }

// OfGeneric uses two instances of the generic map.
type OfGeneric struct {
	sessions Generic[string, *session]
	counts   Generic[int, int]
}

func (c *OfGeneric) Add(id string, s *session) { c.sessions.Put(id, s) }

func (c *OfGeneric) Open(id string) *session {
	if s, ok := c.sessions.Find(id); ok {
		return s
	}
	s := &session{}
	c.sessions.Put(id, s) // want "lost-update"
	return s
}

func (c *OfGeneric) OpenOnce(id string) *session {
	if s, ok := c.sessions.Find(id); ok {
		return s
	}
	s, _ := c.sessions.PutIfAbsent(id, &session{})
	return s
}

func (c *OfGeneric) Count(kind int) {
	n, _ := c.counts.Find(kind)
	c.counts.Put(kind, n+1) // want "lost-update"
}

// Both uses the two instances, one call each.
func (c *OfGeneric) Both(id string, kind int) {
	if _, ok := c.sessions.Find(id); ok {
		c.counts.Put(kind, 0)
	}
}

// openIn is generic over the key, and right for all of them.
func openIn[K comparable](g *Generic[K, *session], key K) *session {
	if s, ok := g.Find(key); ok {
		return s
	}
	s, _ := g.PutIfAbsent(key, &session{})
	return s
}

func (c *OfGeneric) OpenByHelper(id string) *session { return openIn(&c.sessions, id) }

// Converted is a sync.Map under another name, with conversions in place of a
// field.
type Converted sync.Map

func (c *Converted) Load(id string) (any, bool)  { return (*sync.Map)(c).Load(id) }
func (c *Converted) Store(id string, s *session) { (*sync.Map)(c).Store(id, s) }
func (c *Converted) Offer(id string, s *session) (any, bool) {
	return (*sync.Map)(c).LoadOrStore(id, s)
}

// OfConverted uses it.
type OfConverted struct{ sessions Converted }

func (c *OfConverted) Put(id string, s *session) { c.sessions.Store(id, s) }

func (c *OfConverted) Ensure(id string) {
	if _, ok := c.sessions.Load(id); !ok {
		c.sessions.Store(id, &session{}) // want "lost-update"
	}
}

func (c *OfConverted) EnsureOnce(id string) {
	if _, ok := c.sessions.Load(id); !ok {
		c.sessions.Offer(id, &session{})
	}
}

// Take reports what it removed.
func (g *Generic[K, V]) Take(key K) (value V, ok bool) {
	v, ok := g.m.LoadAndDelete(key)
	if !ok {
		return value, false
	}
	return v.(V), true
}

func (c *OfGeneric) End(id string) *session {
	s, ok := c.sessions.Find(id)
	if !ok {
		return nil
	}
	c.sessions.Remove(id) // want "stale-delete"
	return s
}

func (c *OfGeneric) EndOnce(id string) *session {
	s, _ := c.sessions.Take(id)
	return s
}
