// Package counters has counters behind striped locks.
package counters

import (
	"hash/maphash"
	"sync"
)

const stripes = 64

var seed = maphash.MakeSeed()

// Counters count by key.
type Counters struct {
	locks  [stripes]sync.Mutex
	counts sync.Map
}

// Add adds n to a key.
func (c *Counters) Add(key string, n int) int {
	lock := &c.locks[maphash.String(seed, key+"add")%stripes]
	lock.Lock()
	defer lock.Unlock()
	v, _ := c.counts.Load(key)
	old, _ := v.(int)
	c.counts.Store(key, old+n)
	return old + n
}

// Reset takes what a key has.
func (c *Counters) Reset(key string) int {
	lock := &c.locks[maphash.String(seed, key)%stripes]
	lock.Lock()
	defer lock.Unlock()
	v, _ := c.counts.Load(key)
	old, _ := v.(int)
	c.counts.Store(key, 0)
	return old
}
