// Package anything keeps what its users make, of whatever type.
package anything

import "sync"

// Shelf has a value for each key.
type Shelf[K comparable, V any] struct {
	mu     sync.Mutex
	values map[K]V
}

// Fetch is the value of a key, which is made if need be.
func (s *Shelf[K, V]) Fetch(key K, produce func() (V, error)) (V, error) {
	s.mu.Lock()
	v, ok := s.values[key]
	s.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := produce()
	if err != nil {
		return v, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = v
	return v, nil
}

// Drop forgets it.
func (s *Shelf[K, V]) Drop(key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, key)
}
