// Package expired forgets entries that are too old.
package expired

import (
	"sync"
	"time"
)

type entry struct {
	value any
	until time.Time
}

// Cache has entries for some time.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]entry
}

// Set replaces an entry.
func (c *Cache) Set(key string, value any, until time.Time) {
	c.mu.Lock()
	c.entries[key] = entry{value, until}
	c.mu.Unlock()
}

// Get is the value of a key.
func (c *Cache) Get(key string) (any, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	e, ok := c.entries[key]
	return e.value, ok
}

// Sweep forgets what is too old at a time.
func (c *Cache) Sweep(now time.Time) {
	var old []string
	c.mu.RLock()
	for key, e := range c.entries {
		if e.until.Before(now) {
			old = append(old, key)
		}
	}
	c.mu.RUnlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, key := range old {
		delete(c.entries, key)
	}
}
