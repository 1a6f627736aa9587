// Package e42: a singleflight group saves work.
package e42

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
}

// Hidden looks before the flight, and not in it.
func (p *Pool) Hidden(addr string) *conn {
	if v, ok := p.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	v, _, _ := p.group.Do(addr, func() (any, error) {
		c := &conn{}
		p.conns.Store(addr, c)
		return c, nil
	})
	return v.(*conn)
}

type Net struct {
	conns sync.Map
}

// Shown has no flight.
func (n *Net) Shown(addr string) *conn {
	if v, ok := n.conns.Load(addr); ok {
		v.(*conn).use()
		return v.(*conn)
	}
	c := &conn{}
	n.conns.Store(addr, c)
	return c
}
