// Package cache is a stand-in for the real package: its signatures, no bodies.
// As there, the methods belong to an unexported type embedded in Cache.
package cache

import "time"

// Expirations with a meaning of their own.
const (
	NoExpiration      time.Duration = -1
	DefaultExpiration time.Duration = 0
)

// Item is one entry.
type Item struct {
	Object     interface{}
	Expiration int64
}

// Cache is the cache. Entries expire on their own.
type Cache struct {
	*cache
}

type cache struct{ defaultExpiration time.Duration }

// New returns an empty cache.
func New(defaultExpiration, cleanupInterval time.Duration) *Cache { return &Cache{&cache{}} }

// Get reads the entry.
func (c *cache) Get(k string) (interface{}, bool) { return nil, false }

// Set writes the entry.
func (c *cache) Set(k string, x interface{}, d time.Duration) {}

// SetDefault writes the entry with the default expiration.
func (c *cache) SetDefault(k string, x interface{}) {}

// Add inserts the entry, or fails if there is one.
func (c *cache) Add(k string, x interface{}, d time.Duration) error { return nil }

// Replace writes the entry, or fails if there is none.
func (c *cache) Replace(k string, x interface{}, d time.Duration) error { return nil }

// Delete removes the entry.
func (c *cache) Delete(k string) {}

// IncrementInt adds n to an int entry and returns the new value.
func (c *cache) IncrementInt(k string, n int) (int, error) { return 0, nil }

// IncrementInt64 adds n to an int64 entry and returns the new value.
func (c *cache) IncrementInt64(k string, n int64) (int64, error) { return 0, nil }

// Items copies the unexpired entries.
func (c *cache) Items() map[string]Item { return nil }

// ItemCount counts the entries.
func (c *cache) ItemCount() int { return 0 }

// Flush removes all entries.
func (c *cache) Flush() {}
