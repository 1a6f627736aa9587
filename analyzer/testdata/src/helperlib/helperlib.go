// Package helperlib is a library of wrappers, to be used from package facts.
// It has no extension of its own: each function makes one call, or is atomic.
package helperlib

import "sync"

// Map is a typed map. Its methods have names of their own, so that only what
// they do tells what they are.
type Map[K comparable, V any] struct{ m sync.Map }

// Find reads the entry.
func (m *Map[K, V]) Find(key K) (value V, ok bool) {
	v, ok := m.m.Load(key)
	if !ok {
		return value, false
	}
	return v.(V), true
}

// Put writes the entry.
func (m *Map[K, V]) Put(key K, value V) { m.m.Store(key, value) }

// PutIfAbsent inserts the entry and returns the one there.
func (m *Map[K, V]) PutIfAbsent(key K, value V) (V, bool) {
	v, loaded := m.m.LoadOrStore(key, value)
	return v.(V), loaded
}

// Remove removes the entry.
func (m *Map[K, V]) Remove(key K) { m.m.Delete(key) }

// Take removes the entry and returns it.
func (m *Map[K, V]) Take(key K) (any, bool) { return m.m.LoadAndDelete(key) }

// Get reads from any map.
func Get(m *sync.Map, key string) (any, bool) { return m.Load(key) }

// Set writes to any map.
func Set(m *sync.Map, key string, value any) { m.Store(key, value) }

// Offer inserts into any map.
func Offer(m *sync.Map, key string, value any) (any, bool) { return m.LoadOrStore(key, value) }

// GetOrPut makes a value on a miss, and is atomic.
func GetOrPut(m *sync.Map, key string, create func() any) any {
	v, ok := m.Load(key)
	if !ok {
		v, _ = m.LoadOrStore(key, create())
	}
	return v
}

// Names is a registry with a map of its own.
type Names struct{ names sync.Map }

// Lookup reads a name.
func (n *Names) Lookup(id int) (any, bool) { return n.names.Load(id) }

// Assign writes a name.
func (n *Names) Assign(id int, name string) { n.names.Store(id, name) }

// Claim assigns a name unless the id has one.
func (n *Names) Claim(id int, name string) bool {
	_, loaded := n.names.LoadOrStore(id, name)
	return !loaded
}
