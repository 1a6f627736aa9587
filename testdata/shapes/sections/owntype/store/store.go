// Package store is a map that goroutines share.
package store

import "sync"

// Store has values by key.
type Store[V any] struct {
	mu sync.RWMutex
	m  map[string]V
}

// New is an empty store.
func New[V any]() *Store[V] { return &Store[V]{m: map[string]V{}} }

// Get is the value of a key.
func (s *Store[V]) Get(key string) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[key]
	return v, ok
}

// Set replaces it.
func (s *Store[V]) Set(key string, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[key] = v
}

// GetOrSet keeps the first value of a key, and is that.
func (s *Store[V]) GetOrSet(key string, v V) V {
	s.mu.Lock()
	defer s.mu.Unlock()
	if first, ok := s.m[key]; ok {
		return first
	}
	s.m[key] = v
	return v
}
