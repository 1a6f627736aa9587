// Package ttlcache is a stand-in for the real package: its signatures, no bodies.
package ttlcache

import "time"

// Times to live with a meaning of their own.
const (
	NoTTL      time.Duration = -1
	DefaultTTL time.Duration = 0
)

// Option configures a cache or one call.
type Option[K comparable, V any] interface{ apply() }

// Item is one entry.
type Item[K comparable, V any] struct {
	key   K
	value V
}

// Key returns the item's key.
func (item *Item[K, V]) Key() K { return item.key }

// Value returns the item's value.
func (item *Item[K, V]) Value() V { return item.value }

// IsExpired reports whether the item has expired.
func (item *Item[K, V]) IsExpired() bool { return false }

// Cache is the cache. Entries expire on their own.
type Cache[K comparable, V any] struct{ _ [0]func(K, V) }

// New returns an empty cache.
func New[K comparable, V any](opts ...Option[K, V]) *Cache[K, V] { return &Cache[K, V]{} }

// Get reads the entry; nil if there is none.
func (c *Cache[K, V]) Get(key K, opts ...Option[K, V]) *Item[K, V] { return nil }

// Has reports whether the entry is there.
func (c *Cache[K, V]) Has(key K) bool { return false }

// Set writes the entry.
func (c *Cache[K, V]) Set(key K, value V, ttl time.Duration) *Item[K, V] { return nil }

// GetOrSet inserts the entry if absent and returns the one there.
func (c *Cache[K, V]) GetOrSet(key K, value V, opts ...Option[K, V]) (*Item[K, V], bool) {
	return nil, false
}

// GetAndDelete removes the entry and returns it.
func (c *Cache[K, V]) GetAndDelete(key K, opts ...Option[K, V]) (*Item[K, V], bool) {
	return nil, false
}

// Delete removes the entry.
func (c *Cache[K, V]) Delete(key K) {}

// Touch extends the entry's life.
func (c *Cache[K, V]) Touch(key K) {}

// Range calls fn for every unexpired entry.
func (c *Cache[K, V]) Range(fn func(item *Item[K, V]) bool) {}

// Len counts the entries.
func (c *Cache[K, V]) Len() int { return 0 }

// DeleteAll removes all entries.
func (c *Cache[K, V]) DeleteAll() {}
