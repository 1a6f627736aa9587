// Package lru is a stand-in for the real package: its signatures, no bodies.
package lru

// Cache is the cache. It evicts entries when it is full.
type Cache[K comparable, V any] struct{ _ [0]func(K, V) }

// Get reads the entry and marks it used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) { return }

// Add writes the entry.
func (c *Cache[K, V]) Add(key K, value V) (evicted bool) { return }

// Remove deletes the entry.
func (c *Cache[K, V]) Remove(key K) (present bool) { return }
