// Package says has functions of which the report says where and what.
package says

import (
	"sync"
	"sync/atomic"
)

type link struct{ since int }

// Client is connected once at a time.
type Client struct {
	mu   sync.RWMutex
	link *link
}

// Connect looks, sets the link, and takes it away again.
func (c *Client) Connect(serve func()) bool {
	c.mu.Lock()
	if c.link != nil {
		c.mu.Unlock()
		return false
	}
	c.link = &link{since: 1}
	c.mu.Unlock()
	serve()
	c.mu.Lock()
	c.link = nil // breaks Uptime
	c.mu.Unlock()
	return true
}

// Uptime finds it gone.
func (c *Client) Uptime() int {
	c.mu.RLock()
	up := c.link != nil
	c.mu.RUnlock()
	if !up {
		return 0
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.link.since
}

var ready atomic.Bool

// Prepare can be done twice.
func Prepare(name string) {
	if ready.Load() {
		return
	}
	ready.Store(true)
	hook(name)()
}

var hooks = map[string]func(){}

func hook(name string) func() { return hooks[name] }

// Set keeps what is there, and does not say what.
type Set struct{ m sync.Map }

func (s *Set) get(name string) (*Client, bool) {
	v, ok := s.m.Load(name)
	if !ok {
		return nil, false
	}
	return v.(*Client), true
}

func (s *Set) put(name string, c *Client) { s.m.LoadOrStore(name, c) }

// Clients are made once for each name.
type Clients struct{ set Set }

// Client gives one of its own to whoever comes second.
func (c *Clients) Client(name string) *Client {
	if had, ok := c.set.get(name); ok {
		return had
	}
	made := &Client{}
	c.set.put(name, made)
	return made
}
