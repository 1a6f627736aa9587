// Package libgocache proves that github.com/patrickmn/go-cache is known. Its
// entries expire, so a second look may find nothing even where nobody deletes.
package libgocache

import (
	"sync"
	"time"

	cache "github.com/patrickmn/go-cache"
)

type session struct {
	mu   sync.Mutex
	hits int
}

// Sessions uses the cache.
type Sessions struct{ c *cache.Cache }

func NewSessions() *Sessions { return &Sessions{c: cache.New(time.Hour, time.Minute)} }

func (s *Sessions) Put(id string, v *session) { s.c.SetDefault(id, v) }

func (s *Sessions) Open(id string) *session {
	if v, ok := s.c.Get(id); ok {
		return v.(*session)
	}
	v := &session{}
	s.c.Set(id, v, cache.DefaultExpiration) // want "lost-update"
	return v
}

// Ensure lets Add decide; who loses has nothing left to do.
func (s *Sessions) Ensure(id string) {
	if _, ok := s.c.Get(id); !ok {
		_ = s.c.Add(id, &session{}, cache.DefaultExpiration)
	}
}

// Register passes on what Add says.
func (s *Sessions) Register(id string, v *session) error {
	return s.c.Add(id, v, cache.NoExpiration)
}

// Added ignores what Add says.
func (s *Sessions) Added(id string) *session {
	if v, ok := s.c.Get(id); ok {
		return v.(*session)
	}
	v := &session{}
	_ = s.c.Add(id, v, cache.DefaultExpiration) // want "lost-update"
	return v
}

func (s *Sessions) Drop(id string) *session {
	v, ok := s.c.Get(id)
	if !ok {
		return nil
	}
	s.c.Delete(id) // want "stale-delete"
	return v.(*session)
}

// Counts are numbers in a cache.
type Counts struct{ c *cache.Cache }

func NewCounts() *Counts { return &Counts{c: cache.New(time.Hour, time.Minute)} }

func (c *Counts) Inc(name string) {
	v, _ := c.c.Get(name)
	n, _ := v.(int)
	c.c.SetDefault(name, n+1) // want "lost-update"
}

func (c *Counts) IncOnce(name string) error {
	_, err := c.c.IncrementInt(name, 1)
	return err
}

// Kept only ever adds, but what was added expires.
type Kept struct{ c *cache.Cache }

func NewKept() *Kept { return &Kept{c: cache.New(time.Hour, time.Minute)} }

func (k *Kept) Add(id string, v *session) error {
	return k.c.Add(id, v, cache.DefaultExpiration)
}

func (k *Kept) HasThenGet(id string) *session {
	if _, ok := k.c.Get(id); !ok {
		return nil
	}
	v, _ := k.c.Get(id) // want "crash"
	return v.(*session)
}

func (k *Kept) GetOnce(id string) *session {
	v, ok := k.c.Get(id)
	if !ok {
		return nil
	}
	return v.(*session)
}
