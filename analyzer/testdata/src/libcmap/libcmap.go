// Package libcmap proves that github.com/orcaman/concurrent-map/v2 is known. Its
// map is a value whose copies share their contents. The func given to Upsert and
// RemoveCb runs under the shard's lock.
package libcmap

import (
	"sync"

	cmap "github.com/orcaman/concurrent-map/v2"
)

type session struct {
	mu      sync.Mutex
	hits    int
	expires int64
}

// Sessions uses the map.
type Sessions struct {
	m cmap.ConcurrentMap[string, *session]
}

func NewSessions() *Sessions { return &Sessions{m: cmap.New[*session]()} }

func (c *Sessions) Put(id string, s *session) { c.m.Set(id, s) }

func (c *Sessions) Open(id string) *session {
	if s, ok := c.m.Get(id); ok {
		return s
	}
	s := &session{}
	c.m.Set(id, s) // want "lost-update"
	return s
}

// Ensure asks with Has.
func (c *Sessions) Ensure(id string) {
	if !c.m.Has(id) {
		c.m.Set(id, &session{}) // want "lost-update"
	}
}

func (c *Sessions) EnsureOnce(id string) bool {
	return c.m.SetIfAbsent(id, &session{})
}

// Add returns its own session although another may have been in the way.
func (c *Sessions) Add(id string) *session {
	if s, ok := c.m.Get(id); ok {
		return s
	}
	s := &session{}
	c.m.SetIfAbsent(id, s) // want "lost-update"
	return s
}

// AddOnce tries until it has either inserted or found one.
func (c *Sessions) AddOnce(id string) *session {
	s := &session{}
	for {
		if old, ok := c.m.Get(id); ok {
			return old
		}
		if c.m.SetIfAbsent(id, s) {
			return s
		}
	}
}

func (c *Sessions) OpenUpsert(id string) *session {
	return c.m.Upsert(id, &session{}, func(exist bool, old, fresh *session) *session {
		if exist {
			return old
		}
		return fresh
	})
}

func (c *Sessions) Take(id string) *session {
	s, ok := c.m.Get(id)
	if !ok {
		return nil
	}
	c.m.Remove(id) // want "stale-delete"
	return s
}

func (c *Sessions) TakeOnce(id string) *session {
	s, _ := c.m.Pop(id)
	return s
}

// Expire tests and then removes.
func (c *Sessions) Expire(id string, now int64) {
	if s, ok := c.m.Get(id); ok && s.expires < now {
		c.m.Remove(id) // want "stale-delete"
	}
}

func (c *Sessions) ExpireOnce(id string, now int64) {
	c.m.RemoveCb(id, func(_ string, s *session, exists bool) bool {
		return exists && s.expires < now
	})
}

// Counts are numbers.
type Counts struct {
	m cmap.ConcurrentMap[string, int]
}

func (c *Counts) Inc(name string) {
	n, _ := c.m.Get(name)
	c.m.Set(name, n+1) // want "lost-update"
}

func (c *Counts) IncOnce(name string) {
	c.m.Upsert(name, 1, func(exist bool, old, fresh int) int {
		if exist {
			return old + fresh
		}
		return fresh
	})
}
