// Package libhaxmap proves that github.com/alphadose/haxmap is known. Its
// GetOrSet looks and then stores, which is not one step: a caller that trusts
// it is reported although it makes a single call. The negatives use calls that
// are atomic there, or only look.
package libhaxmap

import (
	"sync"

	"github.com/alphadose/haxmap"
)

type session struct {
	mu      sync.Mutex
	hits    int
	expires int64
}

// Sessions uses the map.
type Sessions struct{ m *haxmap.Map[string, *session] }

func NewSessions() *Sessions { return &Sessions{m: haxmap.New[string, *session]()} }

func (c *Sessions) Put(id string, s *session) { c.m.Set(id, s) }

func (c *Sessions) Open(id string) *session {
	if s, ok := c.m.Get(id); ok {
		return s
	}
	s := &session{}
	c.m.Set(id, s) // want "lost-update"
	return s
}

// OpenTrusting would be right in any other library.
func (c *Sessions) OpenTrusting(id string) *session {
	s, _ := c.m.GetOrSet(id, &session{}) // want "lost-update"
	return s
}

func (c *Sessions) Take(id string) *session {
	s, ok := c.m.Get(id)
	if !ok {
		return nil
	}
	c.m.Del(id) // want "stale-delete"
	return s
}

func (c *Sessions) TakeOnce(id string) *session {
	s, _ := c.m.GetAndDel(id)
	return s
}

func (c *Sessions) Sweep(now int64) {
	c.m.ForEach(func(id string, s *session) bool {
		if s.expires < now {
			c.m.Del(id) // want "stale-delete"
		}
		return true
	})
}

func (c *Sessions) Expired(now int64) (n int) {
	c.m.ForEach(func(_ string, s *session) bool {
		if s.expires < now {
			n++
		}
		return true
	})
	return n
}

// Counts are numbers.
type Counts struct{ m *haxmap.Map[string, int] }

func NewCounts() *Counts { return &Counts{m: haxmap.New[string, int]()} }

func (c *Counts) Inc(name string) {
	n, _ := c.m.Get(name)
	c.m.Set(name, n+1) // want "lost-update"
}

// IncExisting counts only what was counted before.
func (c *Counts) IncExisting(name string) {
	for {
		n, ok := c.m.Get(name)
		if !ok || c.m.CompareAndSwap(name, n, n+1) {
			return
		}
	}
}
