// Package e34: a singleflight group runs it once at a time for each key.
package e34

import (
	"sync"

	"golang.org/x/sync/singleflight"
)

type conn struct {
	mu   sync.Mutex
	uses int
}

func (c *conn) use() {
	c.mu.Lock()
	c.uses++
	c.mu.Unlock()
}

type Pool struct {
	group singleflight.Group
	conns sync.Map
	dial  func(string) *conn
}

// Hidden looks in the flight of its key.
func (p *Pool) Hidden(addr string) *conn {
	v, _, _ := p.group.Do(addr, func() (any, error) {
		if c, ok := p.conns.Load(addr); ok {
			c.(*conn).use()
			return c, nil
		}
		c := &conn{}
		p.conns.Store(addr, c)
		return c, nil
	})
	return v.(*conn)
}

func (p *Pool) Drop(addr string) { p.conns.Delete(addr) }

type Net struct {
	group singleflight.Group
	conns sync.Map
}

// Shown looks in the flight of another key.
func (n *Net) Shown(net, addr string) *conn {
	v, _, _ := n.group.Do(net, func() (any, error) {
		if c, ok := n.conns.Load(addr); ok {
			c.(*conn).use()
			return c, nil
		}
		c := &conn{}
		n.conns.Store(addr, c) // want "lost-update|duplicate-instance"
		return c, nil
	})
	return v.(*conn)
}
