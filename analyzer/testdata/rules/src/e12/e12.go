// Package e12: it is about several cells, and writes at most one.
package e12

import (
	"sync"
	"sync/atomic"
)

type Copied struct{ from, to sync.Map }

func (c *Copied) Set(k string, n int) { c.from.Store(k, n) }

func (c *Copied) Hidden(k string) {
	if v, ok := c.from.Load(k); ok {
		c.to.Store(k, v)
	}
}

func (c *Copied) Get(k string) any {
	v, _ := c.to.Load(k)
	return v
}

type Pair struct{ byName, byID sync.Map }

func (p *Pair) RemoveShown(name string) {
	if id, ok := p.byName.LoadAndDelete(name); ok {
		p.byID.Delete(id) // want "belong together"
	}
}

func (p *Pair) Shown(name string, id int) {
	if _, loaded := p.byName.LoadOrStore(name, id); !loaded {
		p.byID.Store(id, name) // want "belong together"
	}
}

// Names takes no more names when it has given those away that it had.
type Names struct {
	mu    sync.RWMutex
	given bool
	names map[string]int
}

// AddShown adds to what is of no more use.
func (n *Names) AddShown(name string, id int) bool {
	n.mu.RLock()
	given := n.given
	n.mu.RUnlock()
	if given {
		return false
	}
	n.mu.Lock()
	n.names[name] = id // want "can come after a change"
	n.mu.Unlock()
	return true
}

func (n *Names) Give(to func(name string, id int)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.given = true
	for name, id := range n.names {
		to(name, id)
		delete(n.names, name)
	}
}

// Peers sets a flag, and takes away what is there, in steps of their own.
type Peers struct {
	down  atomic.Bool
	mu    sync.Mutex
	peers map[string]int
}

// AddOtherShown adds to what has been taken away.
func (p *Peers) AddOtherShown(name string, id int) bool {
	if p.down.Load() {
		return false
	}
	p.mu.Lock()
	p.peers[name] = id // want "can overwrite what another goroutine stored|can come after a change"
	p.mu.Unlock()
	return true
}

func (p *Peers) Close(gone func(name string)) {
	p.down.Store(true)
	p.mu.Lock()
	defer p.mu.Unlock()
	for name := range p.peers {
		gone(name)
		delete(p.peers, name)
	}
}
