// Package e24: the key was drawn for this call, from a counter or as a new object.
package e24

import (
	"sync"
	"sync/atomic"
)

type Client struct {
	next    atomic.Uint64
	pending sync.Map
	send    func(uint64) error
}

type call struct{ replies int }

// Answer is told which call it is for.
func (c *Client) Answer(id uint64) bool {
	v, ok := c.pending.Load(id)
	if ok {
		v.(*call).replies++
	}
	return ok
}

// Hidden takes back what it put under its own number.
func (c *Client) Hidden() *call {
	id := c.next.Add(1)
	mine := &call{}
	if _, ok := c.pending.Load(id); ok {
		return nil
	}
	c.pending.Store(id, mine)
	return mine
}

// Shown is given the number.
func (c *Client) Shown(id uint64) *call {
	mine := &call{}
	if _, ok := c.pending.Load(id); ok {
		return nil
	}
	c.pending.Store(id, mine) // want "lost-update"
	return mine
}
