// Package counts counts events by name.
package counts

import (
	"hash/maphash"
	"sync"
)

type part struct {
	sync.Mutex
	counts map[string]uint64
}

// Counts are counters in several parts.
type Counts struct {
	seed  maphash.Seed
	parts []part
}

// New returns counters in n parts.
func New(n int) *Counts {
	c := &Counts{seed: maphash.MakeSeed(), parts: make([]part, n)}
	for i := range c.parts {
		c.parts[i].counts = map[string]uint64{}
	}
	return c
}

func (c *Counts) of(name string) *part {
	return &c.parts[maphash.String(c.seed, name)%uint64(len(c.parts))]
}

// Get returns the count of name.
func (c *Counts) Get(name string) uint64 {
	p := c.of(name)
	p.Lock()
	defer p.Unlock()
	return p.counts[name]
}

func (c *Counts) set(name string, n uint64) {
	p := c.of(name)
	p.Lock()
	defer p.Unlock()
	p.counts[name] = n
}

// Add adds n to the count of name.
func (c *Counts) Add(name string, n uint64) {
	c.set(name, c.Get(name)+n)
}

// Reset sets the count of name to zero.
func (c *Counts) Reset(name string) { c.set(name, 0) }
