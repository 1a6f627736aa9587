// Package hold has locks that are released in between, and can be held over both.
package hold

import (
	"errors"
	"sync"
)

type conn struct {
	addr string
	mu   sync.Mutex
	sent int
}

func (c *conn) send() {
	c.mu.Lock()
	c.sent++
	c.mu.Unlock()
}

func dial(addr string) *conn { return &conn{addr: addr} }

type Pool struct {
	mu    sync.RWMutex
	conns map[string]*conn
}

// Get has the second section at the end of a block.
func (p *Pool) Get(addr string) *conn {
	p.mu.RLock()
	c, ok := p.conns[addr]
	p.mu.RUnlock()
	if !ok {
		c = dial(addr)
		p.mu.Lock()
		p.conns[addr] = c // want "duplicate-instance"
		p.mu.Unlock()
	}
	return c
}

type Account struct {
	mu    sync.Mutex
	cents int
}

var errPoor = errors.New("not enough")

// Withdraw has a deferred release, and leaves in between.
func (a *Account) Withdraw(cents int) error {
	a.mu.Lock()
	have := a.cents
	a.mu.Unlock()
	if have < cents {
		return errPoor
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cents = have - cents // want "lost-update"
	return nil
}
