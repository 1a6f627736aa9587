// Package lru is a stand-in for the real package: its signatures, no bodies.
package lru

// Cache is the cache. It evicts entries when it is full.
type Cache[K comparable, V any] struct{ _ [0]func(K, V) }

// New returns an empty cache of the given size.
func New[K comparable, V any](size int) (*Cache[K, V], error) { return &Cache[K, V]{}, nil }

// Get reads the entry and marks it used.
func (c *Cache[K, V]) Get(key K) (value V, ok bool) { return }

// Peek reads the entry.
func (c *Cache[K, V]) Peek(key K) (value V, ok bool) { return }

// Contains reports whether the entry is there.
func (c *Cache[K, V]) Contains(key K) bool { return false }

// Add writes the entry.
func (c *Cache[K, V]) Add(key K, value V) (evicted bool) { return }

// ContainsOrAdd inserts the entry if absent.
func (c *Cache[K, V]) ContainsOrAdd(key K, value V) (ok, evicted bool) { return }

// PeekOrAdd inserts the entry if absent and returns the one there.
func (c *Cache[K, V]) PeekOrAdd(key K, value V) (previous V, ok, evicted bool) { return }

// Remove removes the entry and reports whether there was one.
func (c *Cache[K, V]) Remove(key K) (present bool) { return }

// Keys lists the keys, oldest first.
func (c *Cache[K, V]) Keys() []K { return nil }

// Len counts the entries.
func (c *Cache[K, V]) Len() int { return 0 }

// Purge removes all entries.
func (c *Cache[K, V]) Purge() {}
