package zerotimes

import (
	"sync"
	"time"
)

// Seen has the time when something was seen last, which another call writes at another time.
type Seen struct{ at sync.Map }

func (s *Seen) See(id string) { s.at.Store(id, time.Now()) }

// Sweep removes what was seen again meanwhile.
func (s *Seen) Sweep(limit time.Duration) {
	now := time.Now()
	s.at.Range(func(k, v any) bool {
		if now.Sub(v.(time.Time)) > limit {
			s.at.Delete(k) // want "stale-delete"
		}
		return true
	})
}

// Kept is Seen with a comparison of what is removed.
type Kept struct{ at sync.Map }

func (s *Kept) See(id string) { s.at.Store(id, time.Now()) }

func (s *Kept) Sweep(limit time.Duration) {
	now := time.Now()
	s.at.Range(func(k, v any) bool {
		if now.Sub(v.(time.Time)) > limit {
			s.at.CompareAndDelete(k, v)
		}
		return true
	})
}

// Valid goes by a clock, and so does who removes what is valid no more.
type Valid struct{ until sync.Map }

func (s *Valid) Until(id string, at time.Time) { s.until.LoadOrStore(id, at) }

//mapatom:atomic
func (s *Valid) Twice(id string) bool {
	v, ok := s.until.Load(id)
	if !ok || time.Since(v.(time.Time)) > 0 {
		return true
	}
	_, ok = s.until.Load(id) // want "inconsistent-read"
	return ok
}

func (s *Valid) Forget(id string) {
	if v, ok := s.until.Load(id); ok && time.Since(v.(time.Time)) > 0 {
		s.until.CompareAndDelete(id, v)
	}
}
