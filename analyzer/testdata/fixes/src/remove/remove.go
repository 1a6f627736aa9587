// Package remove proves which Deletes remove only what was looked at, and which
// Loads take the entry along.
package remove

import (
	"sync"
	"time"
)

type conn struct {
	addr    string
	expires time.Time
}

type Pool struct{ m sync.Map }

func (p *Pool) Put(c *conn) { p.m.Store(c.addr, c) }

// Take returns what it deletes.
func (p *Pool) Take(addr string) *conn {
	v, ok := p.m.Load(addr)
	if !ok {
		return nil
	}
	p.m.Delete(addr) // want "stale-delete"
	return v.(*conn)
}

// TakeIf has it in the body.
func (p *Pool) TakeIf(addr string) (*conn, bool) {
	if v, ok := p.m.Load(addr); ok {
		p.m.Delete(addr) // want "stale-delete"

		return v.(*conn), true
	}
	return nil, false
}

// Removed only asks whether there was one.
func (p *Pool) Removed(addr string) bool {
	_, ok := p.m.Load(addr)
	if ok {
		p.m.Delete(addr) // want "stale-delete"
		return true
	}
	return false
}

// Retire means one connection.
func (p *Pool) Retire(c *conn) {
	if v, ok := p.m.Load(c.addr); ok && v == c {
		p.m.Delete(c.addr) // want "stale-delete"
	}
}

// Expire means an entry that is too old.
func (p *Pool) Expire(addr string, now time.Time) {
	v, ok := p.m.Load(addr)
	if !ok {
		return
	}
	if c := v.(*conn); c.expires.Before(now) {
		p.m.Delete(addr) // want "stale-delete"
	}
}

// Sweep means all of those.
func (p *Pool) Sweep(now time.Time) {
	p.m.Range(func(k, v any) bool {
		if v.(*conn).expires.Before(now) {
			p.m.Delete(k) // want "stale-delete"
		}
		return true
	})
}

// RetireKnown says whether it removed the connection.
func (p *Pool) RetireKnown(c *conn) bool {
	if v, ok := p.m.Load(c.addr); ok && v == c {
		p.m.Delete(c.addr) // want "stale-delete"
		return true
	}
	return false
}
