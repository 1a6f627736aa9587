// Package warmup fetches an entry with a helper goroutine.
package warmup

import "sync"

// Entry is filled once and used by all.
type Entry struct {
	mu   sync.Mutex
	hits int
}

// Cache has the entries.
type Cache struct{ entries sync.Map }

// Warm finds an entry, or makes it.
func (c *Cache) Warm(key string) *Entry {
	var e *Entry
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		if v, ok := c.entries.Load(key); ok {
			e = v.(*Entry)
		}
	}()
	wait.Wait()
	if e == nil {
		e = &Entry{}
		c.entries.Store(key, e)
	}
	return e
}

// Hit counts.
func (c *Cache) Hit(key string) {
	e := c.Warm(key)
	e.mu.Lock()
	e.hits++
	e.mu.Unlock()
}
