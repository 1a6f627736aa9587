// Package asked proves that a guard is about the entry that was found: a clock of which
// nothing is known shows the same to whoever asks, so that a newer entry need not have
// expired as well, and a part of another entry is another one.
package asked

import (
	"sync"
	"sync/atomic"
)

// Clock is behind an interface.
type Clock interface{ Now() int64 }

type entry struct {
	mu    sync.Mutex
	until int64
	dead  atomic.Bool
	n     int
}

type Cache struct {
	m     sync.Map
	clock Clock
	full  func() bool
}

func New(c Clock, full func() bool) *Cache { return &Cache{clock: c, full: full} }

func (c *Cache) Put(key string, until int64) { c.m.Store(key, &entry{until: until}) }

func (c *Cache) Touch(key string) {
	if v, ok := c.m.Load(key); ok {
		e := v.(*entry)
		e.mu.Lock()
		e.n++
		e.mu.Unlock()
	}
}

func (c *Cache) Kill(key string) {
	if v, ok := c.m.Load(key); ok {
		v.(*entry).dead.Store(true)
	}
}

func (c *Cache) Expire(key string) {
	v, ok := c.m.Load(key)
	if ok && c.clock.Now() > v.(*entry).until {
		c.m.Delete(key) // want "stale-delete"
	}
}

// ExpireRight removes what it has looked at.
//
//mapatom:atomic may give up
func (c *Cache) ExpireRight(key string) {
	v, ok := c.m.Load(key)
	if ok && c.clock.Now() > v.(*entry).until {
		c.m.CompareAndDelete(key, v)
	}
}

func (c *Cache) Bury(key string) {
	if v, ok := c.m.Load(key); ok && v.(*entry).dead.Load() {
		c.m.Delete(key) // want "stale-delete"
	}
}

// Drop asks nothing of the entry.
//
//mapatom:atomic
func (c *Cache) Drop(key string) {
	if _, ok := c.m.Load(key); ok && c.full() {
		c.m.Delete(key)
	}
}
