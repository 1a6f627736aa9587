// Package libhashmap proves that github.com/cornelk/hashmap is known.
package libhashmap

import (
	"sync"

	"github.com/cornelk/hashmap"
)

type session struct {
	mu   sync.Mutex
	hits int
}

// Sessions uses the map.
type Sessions struct {
	m *hashmap.Map[string, *session]
}

func NewSessions() *Sessions { return &Sessions{m: hashmap.New[string, *session]()} }

func (c *Sessions) Put(id string, s *session) { c.m.Set(id, s) }

func (c *Sessions) Open(id string) *session {
	if s, ok := c.m.Get(id); ok {
		return s
	}
	s := &session{}
	c.m.Set(id, s) // want "lost-update"
	return s
}

func (c *Sessions) OpenOnce(id string) *session {
	s, _ := c.m.GetOrInsert(id, &session{})
	return s
}

// Inserted ignores whether its session went in.
func (c *Sessions) Inserted(id string) *session {
	if s, ok := c.m.Get(id); ok {
		return s
	}
	s := &session{}
	c.m.Insert(id, s) // want "duplicate-instance"
	return s
}

func (c *Sessions) EnsureOnce(id string) {
	if _, ok := c.m.Get(id); !ok {
		c.m.Insert(id, &session{})
	}
}

func (c *Sessions) Take(id string) *session {
	s, ok := c.m.Get(id)
	if !ok {
		return nil
	}
	c.m.Del(id) // want "stale-delete"
	return s
}

// TakeChecked asks whether it removed something, but not what.
func (c *Sessions) TakeChecked(id string) *session {
	s, ok := c.m.Get(id)
	if !ok || !c.m.Del(id) { // want "stale-delete"
		return nil
	}
	return s
}

func (c *Sessions) Drop(id string) bool { return c.m.Del(id) }
