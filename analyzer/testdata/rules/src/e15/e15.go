// Package e15: only two objects with one id could do it, and a counter hands those out.
package e15

import (
	"sync"
	"sync/atomic"
)

var lastID atomic.Uint64

type conn struct {
	id     uint64
	closed bool
}

func NewConn() *conn { return &conn{id: lastID.Add(1)} }

type Pool struct{ conns sync.Map }

func (p *Pool) Track(c *conn) { p.conns.Store(c.id, c) }

func (p *Pool) Hidden() {
	p.conns.Range(func(k, v any) bool {
		if _, ok := p.conns.LoadAndDelete(k); ok {
			v.(*conn).closed = true
		}
		return true
	})
}

// Sessions are kept by the names that clients give themselves.
type session struct {
	client string
	closed bool
}

type Sessions struct{ sessions sync.Map }

func (p *Sessions) Open(client string) {
	s := &session{client: client}
	p.sessions.Store(s.client, s)
}

func (p *Sessions) Shown() {
	p.sessions.Range(func(k, v any) bool {
		if _, ok := p.sessions.LoadAndDelete(k); ok { // want "stale-delete"
			v.(*session).closed = true
		}
		return true
	})
}
