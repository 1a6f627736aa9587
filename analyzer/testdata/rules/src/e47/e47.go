// Package e47: a nil in a list is there for anybody who comes.
package e47

import (
	"sync"
	"time"
)

type conn struct {
	peer string
	busy bool
}

type List struct {
	mu    sync.Mutex
	conns []*conn
	at    time.Time
	limit time.Duration
}

func (l *List) Add(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = append(l.conns, c)
}

func (l *List) find(peer string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.conns {
		if c.peer == peer {
			return true
		}
	}
	return false
}

func (l *List) Gone(peer string) {
	if !l.find(peer) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, c := range l.conns {
		if c.peer == peer {
			l.conns = append(l.conns[:i], l.conns[i+1:]...)
			break
		}
	}
}

func (l *List) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns = l.conns[:0]
}

// Hidden looks at what is in the list.
func (l *List) Hidden(peer string) {
	if !l.find(peer) {
		return
	}
	if time.Since(l.at) > l.limit {
		l.remove(peer)
	}
}

func (l *List) remove(peer string) {
	l.mu.Lock()
	for i, c := range l.conns {
		if c.peer == peer {
			l.conns = append(l.conns[:i], l.conns[i+1:]...)
			break
		}
	}
	l.mu.Unlock()
}

type Pool struct {
	mu     sync.Mutex
	byPeer map[string]*conn
}

func (p *Pool) has(peer string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, ok := p.byPeer[peer]
	return ok
}

// Shown goes on with what can be gone.
func (p *Pool) Shown(peer string) bool {
	if !p.has(peer) {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byPeer[peer].busy
}

func (p *Pool) Add(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byPeer[c.peer] = c
}

func (p *Pool) Drop(peer string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.byPeer, peer)
}
