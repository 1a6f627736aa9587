// Package e6: two callers do the same work, and store the same.
package e6

import "sync"

// Rules are looked at by a callee that is not at hand.
type Rules interface {
	Check(name string) bool
	Merge(old any, name string) string
}

type Cache struct {
	m     sync.Map
	rules Rules
}

func (c *Cache) Hidden(name string) bool {
	if v, ok := c.m.Load(name); ok {
		return v.(bool)
	}
	ok := c.rules.Check(name)
	c.m.Store(name, ok)
	return ok
}

// Merged makes the new value of the old one.
type Merged struct {
	m     sync.Map
	rules Rules
}

func (c *Merged) Shown(name string) string {
	v, _ := c.m.Load(name)
	all := c.rules.Merge(v, name)
	c.m.Store(name, all) // want "lost-update"
	return all
}

// Conns makes two objects, although the function that makes them is asked the same.
type Conns struct {
	mu sync.Mutex
	m  map[string]*conn
}

type conn struct {
	mu   sync.Mutex
	sent int
}

func (c *conn) Send() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent++
}

func (c *Conns) Shown(name string, dial func() *conn) *conn {
	c.mu.Lock()
	found := c.m[name]
	c.mu.Unlock()
	if found != nil {
		return found
	}
	made := dial()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = made // want "duplicate-work"
	return made
}

// Sizes are numbers, which are the same.
type Sizes struct {
	mu sync.Mutex
	m  map[string]int
}

func (c *Sizes) Hidden(name string, measure func() int) int {
	c.mu.Lock()
	n, ok := c.m[name]
	c.mu.Unlock()
	if ok {
		return n
	}
	n = measure()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = n
	return n
}
