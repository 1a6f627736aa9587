// Package directivelib has a map of its own, and says so.
package directivelib

import "sync"

// Cache is guarded by a mutex.
type Cache struct {
	mu sync.Mutex
	m  map[string]int
}

// Fetch looks.
//
//mapatom:base Load
func (c *Cache) Fetch(k string) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok
}

// Put stores, for so many seconds.
//
//mapatom:base (key, value, _) = store
func (c *Cache) Put(k string, v, seconds int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] = v
}

// PutNew stores where there is nothing.
//
//mapatom:base LoadOrStore
func (c *Cache) PutNew(k string, v int) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.m[k]; ok {
		return old, true
	}
	c.m[k] = v
	return v, false
}

// A Namer finds names.
type Namer interface{ Name(int) string }

// Key is always the same for the same number, whoever finds it.
//
//mapatom:pure
func Key(n Namer, i int) string { return n.Name(i) }

// Name is not known to be.
func Name(n Namer, i int) string { return finder(n, i) }

var finder = Namer.Name
