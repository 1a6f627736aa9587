// Package liblru proves that github.com/hashicorp/golang-lru/v2 is known. A full
// cache evicts entries, so a second look may find nothing.
package liblru

import (
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"
)

type session struct {
	mu   sync.Mutex
	hits int
}

// Sessions uses the cache.
type Sessions struct{ c *lru.Cache[string, *session] }

func NewSessions() (*Sessions, error) {
	c, err := lru.New[string, *session](128)
	if err != nil {
		return nil, err
	}
	return &Sessions{c: c}, nil
}

func (s *Sessions) Put(id string, v *session) { s.c.Add(id, v) }

func (s *Sessions) Open(id string) *session {
	if v, ok := s.c.Get(id); ok {
		return v
	}
	v := &session{}
	s.c.Add(id, v) // want "lost-update"
	return v
}

// OpenOnce takes what PeekOrAdd found.
func (s *Sessions) OpenOnce(id string) *session {
	if v, ok := s.c.Get(id); ok {
		return v
	}
	v := &session{}
	if old, ok, _ := s.c.PeekOrAdd(id, v); ok {
		return old
	}
	return v
}

// Ensure asks with Contains.
func (s *Sessions) Ensure(id string) {
	if !s.c.Contains(id) {
		s.c.Add(id, &session{}) // want "lost-update"
	}
}

func (s *Sessions) EnsureOnce(id string) {
	s.c.ContainsOrAdd(id, &session{})
}

// Added ignores whether there was one.
func (s *Sessions) Added(id string) *session {
	if v, ok := s.c.Peek(id); ok {
		return v
	}
	v := &session{}
	s.c.ContainsOrAdd(id, v) // want "duplicate-instance"
	return v
}

func (s *Sessions) Take(id string) *session {
	v, ok := s.c.Peek(id)
	if !ok {
		return nil
	}
	s.c.Remove(id) // want "stale-delete"
	return v
}

func (s *Sessions) RemoveOnce(id string) bool { return s.c.Remove(id) }

// Hits looks twice at what may have been evicted in between.
func (s *Sessions) Hits(id string) int {
	if !s.c.Contains(id) {
		return 0
	}
	v, _ := s.c.Get(id) // want "crash"
	return v.hits
}

func (s *Sessions) HitsOnce(id string) int {
	if v, ok := s.c.Get(id); ok {
		return v.hits
	}
	return 0
}
