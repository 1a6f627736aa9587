// Package e56: the key is an object that was received from a channel, which one gets at a time.
package e56

import (
	"net/http"
	"sync"
)

type conn struct{ uses int }

// Pool hands out connections, and prepares each of them once.
type Pool struct {
	mu       sync.Mutex
	free     chan *conn
	prepared map[*conn]bool
	primed   map[*conn]bool
	named    map[string]bool
	names    chan string
	prepare  func(*conn) error
	greet    func(string) error
}

func (p *Pool) ServeHTTP(http.ResponseWriter, *http.Request) {
	c := p.TakeHidden()
	p.WaitHidden(nil)
	p.Shown(c)
	p.NameShown()
}

// TakeHidden waits for a connection.
func (p *Pool) TakeHidden() *conn {
	c := <-p.free
	p.mu.Lock()
	done := p.prepared[c]
	p.mu.Unlock()
	if !done {
		if p.prepare(c) != nil {
			return nil
		}
		p.mu.Lock()
		p.prepared[c] = true
		p.mu.Unlock()
	}
	return c
}

// WaitHidden waits for one, or for the end.
func (p *Pool) WaitHidden(end chan struct{}) *conn {
	select {
	case c := <-p.free:
		p.mu.Lock()
		done := p.prepared[c]
		p.mu.Unlock()
		if !done {
			if p.prepare(c) != nil {
				return nil
			}
			p.mu.Lock()
			p.prepared[c] = true
			p.mu.Unlock()
		}
		return c
	case <-end:
		return nil
	}
}

// Shown is given a connection, which another one may have as well.
func (p *Pool) Shown(c *conn) error {
	p.mu.Lock()
	done := p.primed[c]
	p.mu.Unlock()
	if done {
		return nil
	}
	if err := p.prepare(c); err != nil {
		return err
	}
	p.mu.Lock()
	p.primed[c] = true
	p.mu.Unlock()
	return nil
}

// NameShown receives a name, of which there can be two that are equal.
func (p *Pool) NameShown() error {
	name := <-p.names
	p.mu.Lock()
	done := p.named[name]
	p.mu.Unlock()
	if done {
		return nil
	}
	if err := p.greet(name); err != nil {
		return err
	}
	p.mu.Lock()
	p.named[name] = true
	p.mu.Unlock()
	return nil
}
