// Package reservations lets each seat be taken once.
package reservations

import "sync"

// Set is a set of names behind a lock.
type Set struct {
	mu sync.Mutex
	m  map[string]struct{}
}

// NewSet is empty.
func NewSet() *Set { return &Set{m: map[string]struct{}{}} }

// Has reports whether a name is there.
func (s *Set) Has(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.m[name]
	return ok
}

// Add adds a name.
func (s *Set) Add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[name] = struct{}{}
}

// TryAdd adds a name that is not there.
func (s *Set) TryAdd(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.m[name]; ok {
		return false
	}
	s.m[name] = struct{}{}
	return true
}

// Hall has seats.
type Hall struct{ taken *Set }

// Reserve takes a seat that is free.
func (h *Hall) Reserve(seat string) bool {
	if h.taken.Has(seat) {
		return false
	}
	h.taken.Add(seat)
	return true
}
