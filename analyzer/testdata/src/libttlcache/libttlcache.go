// Package libttlcache proves that github.com/jellydator/ttlcache/v3 is known. Get
// returns an item around the value, nil if there is none.
package libttlcache

import (
	"sync"

	"github.com/jellydator/ttlcache/v3"
)

type session struct {
	mu   sync.Mutex
	hits int
}

// Sessions uses the cache.
type Sessions struct {
	c *ttlcache.Cache[string, *session]
}

func NewSessions() *Sessions { return &Sessions{c: ttlcache.New[string, *session]()} }

func (s *Sessions) Put(id string, v *session) { s.c.Set(id, v, ttlcache.DefaultTTL) }

func (s *Sessions) Open(id string) *session {
	if item := s.c.Get(id); item != nil {
		return item.Value()
	}
	v := &session{}
	s.c.Set(id, v, ttlcache.DefaultTTL) // want "lost-update"
	return v
}

// OpenOnce takes what GetOrSet found.
func (s *Sessions) OpenOnce(id string) *session {
	item, _ := s.c.GetOrSet(id, &session{})
	return item.Value()
}

func (s *Sessions) Ensure(id string) {
	if !s.c.Has(id) {
		s.c.Set(id, &session{}, ttlcache.NoTTL) // want "lost-update"
	}
}

func (s *Sessions) EnsureOnce(id string) {
	if !s.c.Has(id) {
		s.c.GetOrSet(id, &session{})
	}
}

func (s *Sessions) Take(id string) *session {
	item := s.c.Get(id)
	if item == nil {
		return nil
	}
	s.c.Delete(id) // want "stale-delete"
	return item.Value()
}

func (s *Sessions) TakeOnce(id string) *session {
	item, ok := s.c.GetAndDelete(id)
	if !ok {
		return nil
	}
	return item.Value()
}

// Hits takes the item for granted.
func (s *Sessions) Hits(id string) int {
	if !s.c.Has(id) {
		return 0
	}
	item := s.c.Get(id) // want "crash"
	return item.Value().hits
}

func (s *Sessions) HitsOnce(id string) int {
	if item := s.c.Get(id); item != nil {
		return item.Value().hits
	}
	return 0
}
