// Package facts proves that wrappers are known across packages: helperlib's
// functions count as the calls that they make. In the negatives they are the
// atomic ones, or work on another map.
package facts

import (
	"sync"

	"helperlib"
)

type session struct {
	mu   sync.Mutex
	hits int
}

// Sessions uses the library's map.
type Sessions struct {
	m     helperlib.Map[string, *session]
	spare helperlib.Map[string, *session]
}

func (c *Sessions) Put(id string, s *session) { c.m.Put(id, s) }

func (c *Sessions) Open(id string) *session {
	if s, ok := c.m.Find(id); ok {
		return s
	}
	s := &session{}
	c.m.Put(id, s) // want "lost-update"
	return s
}

func (c *Sessions) OpenOnce(id string) *session {
	if s, ok := c.m.Find(id); ok {
		return s
	}
	s, _ := c.m.PutIfAbsent(id, &session{})
	return s
}

func (c *Sessions) End(id string) *session {
	s, ok := c.m.Find(id)
	if !ok {
		return nil
	}
	c.m.Remove(id) // want "stale-delete"
	return s
}

func (c *Sessions) EndOnce(id string) any {
	s, _ := c.m.Take(id)
	return s
}

func (c *Sessions) Elsewhere(id string) {
	if s, ok := c.m.Find(id); ok {
		c.spare.Put(id, s)
	}
}

// Plain passes its own map to the library's functions.
type Plain struct{ m sync.Map }

func (p *Plain) Put(id string, s *session) { helperlib.Set(&p.m, id, s) }

func (p *Plain) Ensure(id string) {
	if _, ok := helperlib.Get(&p.m, id); !ok {
		helperlib.Set(&p.m, id, &session{}) // want "lost-update"
	}
}

// Mixed makes one half itself.
func (p *Plain) Mixed(id string) {
	if _, ok := p.m.Load(id); !ok {
		helperlib.Set(&p.m, id, &session{}) // want "lost-update"
	}
}

func (p *Plain) EnsureOnce(id string) {
	if _, ok := helperlib.Get(&p.m, id); !ok {
		helperlib.Offer(&p.m, id, &session{})
	}
}

func (p *Plain) ByLibrary(id string) any {
	return helperlib.GetOrPut(&p.m, id, func() any { return &session{} })
}

// Named joins two calls on a map that only the library can see.
type Named struct{ names helperlib.Names }

func (n *Named) Name(id int, name string) bool {
	if _, ok := n.names.Lookup(id); ok {
		return false
	}
	n.names.Assign(id, name) // want "lost-update"
	return true
}

func (n *Named) NameOnce(id int, name string) bool {
	if _, ok := n.names.Lookup(id); ok {
		return false
	}
	return n.names.Claim(id, name)
}

// wrapped is a wrapper around the library's wrapper.
type wrapped struct {
	m helperlib.Map[string, *session]
}

func (w *wrapped) get(id string) (*session, bool)  { return w.m.Find(id) }
func (w *wrapped) set(id string, s *session)       { w.m.Put(id, s) }
func (w *wrapped) offer(id string, s *session) any { v, _ := w.m.PutIfAbsent(id, s); return v }

// Twice uses it.
type Twice struct{ w wrapped }

func (t *Twice) Put(id string, s *session) { t.w.set(id, s) }

func (t *Twice) Ensure(id string) {
	if _, ok := t.w.get(id); !ok {
		t.w.set(id, &session{}) // want "lost-update"
	}
}

func (t *Twice) EnsureOnce(id string) {
	if _, ok := t.w.get(id); !ok {
		t.w.offer(id, &session{})
	}
}
