// Package labels has counters that are found by their names.
package labels

import "sync"

type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Add(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += n
}

type Counters struct {
	mu  sync.Mutex
	all map[string]*Counter
}

// With finds the counter with a name.
func (c *Counters) With(name string) *Counter {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all[name] == nil {
		c.all[name] = &Counter{}
	}
	return c.all[name]
}
