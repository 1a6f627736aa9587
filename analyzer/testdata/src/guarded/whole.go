package guarded

import (
	"maps"
	"slices"
	"sync"
)

// A map that somebody looks at as a whole, or that is taken out, is guarded like any other.

type entry struct{ hits int }

func (e *entry) hit() { e.hits++ }

type Cache struct {
	mu sync.RWMutex
	m  map[string]*entry
}

func (c *Cache) Names() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return slices.Sorted(maps.Keys(c.m))
}

// Drain takes all that there is.
func (c *Cache) Drain() map[string]*entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.m
	c.m = make(map[string]*entry)
	return m
}

func (c *Cache) Hits() int { return sum(c.Drain()) }

func sum(m map[string]*entry) int {
	n := 0
	for _, e := range m {
		n += e.hits
	}
	return n
}

func (c *Cache) Get(name string) *entry {
	c.mu.RLock()
	e := c.m[name]
	c.mu.RUnlock()
	if e == nil {
		e = new(entry)
		c.mu.Lock()
		c.m[name] = e // want "duplicate-instance"
		c.mu.Unlock()
	}
	e.hit()
	return e
}

// GetAgain looks a second time.
func (c *Cache) GetAgain(name string) *entry {
	c.mu.RLock()
	e := c.m[name]
	c.mu.RUnlock()
	if e == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		if e = c.m[name]; e == nil {
			e = new(entry)
			c.m[name] = e
		}
	}
	return e
}

// Batch puts back what it has taken out, and nobody looks at that meanwhile.
type Batch struct {
	mu sync.Mutex
	m  map[string]int
}

func (b *Batch) Add(name string, n int) {
	b.mu.Lock()
	b.m[name] += n
	b.mu.Unlock()
}

func (b *Batch) Flush(send func(map[string]int) error) error {
	b.mu.Lock()
	m := b.m
	b.m = map[string]int{}
	b.mu.Unlock()
	if err := send(m); err != nil {
		for name, n := range m {
			b.Add(name, n)
		}
		return err
	}
	return nil
}
