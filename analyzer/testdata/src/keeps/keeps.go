// Package keeps has functions that store something of their own, and remove the
// entry when they are done: by then it can be somebody else's.
package keeps

import "sync"

type conn struct {
	addr string
	mu   sync.Mutex
	sent int
}

// Registry has connections by address.
type Registry struct{ m sync.Map }

func (r *Registry) Serve(c *conn, serve func(*conn)) {
	r.m.Store(c.addr, c)
	defer r.m.Delete(c.addr) // want "stale-delete"
	serve(c)
}

// Own compares.
func (r *Registry) Own(c *conn, serve func(*conn)) {
	r.m.Store(c.addr, c)
	defer r.m.CompareAndDelete(c.addr, c)
	serve(c)
}

// Names are only claimed where there is nothing, so that an entry is its owner's for
// as long as it is there.
type Names struct{ m sync.Map }

func (n *Names) Hold(name string, c *conn, serve func(*conn)) bool {
	if _, taken := n.m.LoadOrStore(name, c); taken {
		return false
	}
	defer n.m.Delete(name)
	serve(c)
	return true
}

// Busy has marks, which belong to nobody: who takes one away does not mean its own.
type Busy struct{ m sync.Map }

func (b *Busy) Do(k string, work func()) {
	b.m.Store(k, true)
	defer b.m.Delete(k)
	work()
}

// Sessions is the same with a plain map.
type Sessions struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (s *Sessions) Serve(id string, c *conn, serve func(*conn)) {
	s.mu.Lock()
	s.m[id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.m, id) // want "s.mu is released between the write and the delete of s.m"
		s.mu.Unlock()
	}()
	serve(c)
}

type Checked struct {
	mu sync.Mutex
	m  map[string]*conn
}

func (s *Checked) Serve(id string, c *conn, serve func(*conn)) {
	s.mu.Lock()
	s.m[id] = c
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		if s.m[id] == c {
			delete(s.m, id)
		}
		s.mu.Unlock()
	}()
	serve(c)
}
