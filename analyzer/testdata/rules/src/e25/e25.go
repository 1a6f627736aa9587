// Package e25: entries are put there under keys that were drawn for them.
package e25

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errFull = errors.New("full")

type client struct {
	id    int64
	sent  int
	alive bool
}

type Pool struct {
	mu     sync.RWMutex
	max    int
	byID   map[int64]*client
	byName map[string]*client
	last   atomic.Int64
}

// Accept draws a number for a client.
func (p *Pool) Accept() error {
	c := newClient(p.last.Add(1))
	return p.addHidden(c.id, c)
}

func newClient(id int64) *client { return &client{id: id, alive: true} }

// Sent counts, and tells who else is known.
func (p *Pool) Sent(id int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.byID[id]; c != nil {
		c.sent++
	}
}

// addHidden adds a client under the number that it has.
func (p *Pool) addHidden(id int64, c *client) error {
	p.mu.RLock()
	_, known := p.byID[id]
	n := len(p.byID)
	p.mu.RUnlock()
	if known {
		return nil
	}
	if n >= p.max {
		return errFull
	}
	p.mu.Lock()
	p.byID[id] = c
	p.mu.Unlock()
	return nil
}

// AddShown adds a client under a name, which others have as well.
func (p *Pool) AddShown(name string, c *client) error {
	p.mu.RLock()
	_, known := p.byName[name]
	n := len(p.byName)
	p.mu.RUnlock()
	if known {
		return nil
	}
	if n >= p.max {
		return errFull
	}
	p.mu.Lock()
	p.byName[name] = c // want "lost-update"
	p.mu.Unlock()
	return nil
}

func (p *Pool) SentTo(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.byName[name]; c != nil {
		c.sent++
	}
}
