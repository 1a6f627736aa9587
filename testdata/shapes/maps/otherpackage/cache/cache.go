// Package cache is a cache that others use.
package cache

import "sync"

// Cache has values by key.
type Cache struct{ m sync.Map }

// Get is the value of a key.
func (c *Cache) Get(key string) (any, bool) { return c.m.Load(key) }

// Put replaces it.
func (c *Cache) Put(key string, v any) { c.m.Store(key, v) }

// Offer keeps what is there, and is what is there then.
func (c *Cache) Offer(key string, v any) any {
	kept, _ := c.m.LoadOrStore(key, v)
	return kept
}
