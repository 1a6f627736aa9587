// Package conns shares connections by address.
package conns

import "sync"

// Conn is used by many.
type Conn struct {
	addr string
	mu   sync.Mutex
	sent int
}

func dial(addr string) *Conn { return &Conn{addr: addr} }

func (c *Conn) send() {
	c.mu.Lock()
	c.sent++
	c.mu.Unlock()
}

// Pool has a connection for each address.
type Pool struct {
	mu    sync.RWMutex
	conns map[string]*Conn
}

// Send sends to an address.
func (p *Pool) Send(addr string) {
	p.mu.RLock()
	c, ok := p.conns[addr]
	p.mu.RUnlock()
	if !ok {
		c = dial(addr)
		p.mu.Lock()
		p.conns[addr] = c
		p.mu.Unlock()
	}
	c.send()
}
