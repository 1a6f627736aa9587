// Package idle closes connections that nobody has used for a while.
package idle

import "sync"

type conn struct {
	idle   bool
	closed chan struct{}
}

// Pool has a connection for each host.
type Pool struct {
	mu    sync.Mutex
	conns map[string]*conn
}

// Put replaces the connection to a host.
func (p *Pool) Put(host string) {
	p.mu.Lock()
	p.conns[host] = &conn{closed: make(chan struct{})}
	p.mu.Unlock()
}

// Get is the connection to a host.
func (p *Pool) Get(host string) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns[host]
}

// Idle says that nobody has used the connection to a host for a while.
func (p *Pool) Idle(host string) {
	p.mu.Lock()
	if c := p.conns[host]; c != nil {
		c.idle = true
	}
	p.mu.Unlock()
}

// CloseIdle closes the connection to a host if it is idle.
func (p *Pool) CloseIdle(host string) {
	p.mu.Lock()
	c, ok := p.conns[host]
	if !ok || !c.idle {
		p.mu.Unlock()
		return
	}
	delete(p.conns, host)
	p.mu.Unlock()
	close(c.closed)
}
