// Package e10: it is about several cells, and shows only while the call runs.
package e10

import (
	"sync"
	"sync/atomic"
)

type Turned struct{ current, next, last sync.Map }

func (t *Turned) Put(k string) { t.current.Store(k, 1) }

func (t *Turned) Hidden(k string) {
	if _, ok := t.current.Load(k); !ok {
		t.next.Store(k, 1)
		t.last.Store(k, 1)
	}
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

// Kept sets a flag, and leaves what is there.
type Kept struct {
	down  atomic.Bool
	mu    sync.Mutex
	peers map[string]int
}

func (p *Kept) AddHidden(name string, id int) bool {
	if p.down.Load() {
		return false
	}
	p.mu.Lock()
	p.peers[name] = id
	p.mu.Unlock()
	return true
}

func (p *Kept) Close() { p.down.Store(true) }

func (p *Kept) Get(name string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.peers[name]
}

// Served sets a flag, and tells all who are there; they go by themselves.
type Served struct {
	down    atomic.Bool
	mu      sync.Mutex
	clients map[string]chan int
}

// AddShown lets in who is told nothing any more.
func (s *Served) AddShown(name string, c chan int) bool {
	if s.down.Load() {
		return false
	}
	s.mu.Lock()
	s.clients[name] = c // want "is not held over both"
	s.mu.Unlock()
	return true
}

func (s *Served) Drop(name string) {
	s.mu.Lock()
	delete(s.clients, name)
	s.mu.Unlock()
}

func (s *Served) Close() {
	s.down.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.clients {
		c <- 0
	}
}

// Counted sets a flag, and only looks who is there.
type Counted struct {
	down    atomic.Bool
	mu      sync.Mutex
	clients map[string]int
}

func (s *Counted) AddHidden(name string, id int) bool {
	if s.down.Load() {
		return false
	}
	s.mu.Lock()
	s.clients[name] = id
	s.mu.Unlock()
	return true
}

func (s *Counted) Close() (sum int) {
	s.down.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range s.clients {
		sum += id
	}
	return sum
}
