// Package e7: two callers get different instances of a value that nobody changes.
package e7

import "sync"

type name struct{ text string }

type Names struct{ m sync.Map }

func (c *Names) Hidden(k string) *name {
	if v, ok := c.m.Load(k); ok {
		return v.(*name)
	}
	n := &name{k}
	c.m.Store(k, n)
	return n
}

type counter struct {
	mu sync.Mutex
	n  int
}

type Counters struct{ m sync.Map }

func (c *Counters) Shown(k string) *counter {
	if v, ok := c.m.Load(k); ok {
		return v.(*counter)
	}
	n := &counter{}
	c.m.Store(k, n) // want "duplicate-instance"
	return n
}
