// Package e23: only another package could do it, and this one always holds a lock.
package e23

import "sync"

// Sessions lets others read its map.
type Sessions struct {
	mu sync.Mutex
	M  sync.Map
}

type session struct{ seen int }

func (s *Sessions) Hidden(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.M.Load(id); ok {
		return v.(*session)
	}
	n := &session{}
	n.seen++
	s.M.Store(id, n)
	return n
}

func (s *Sessions) Drop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.M.Delete(id)
}

// Pages are put without the lock as well.
type Pages struct {
	mu sync.Mutex
	M  sync.Map
}

func (p *Pages) Shown(id string) *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.M.Load(id); ok {
		return v.(*session)
	}
	n := &session{}
	p.M.Store(id, n) // want "lost-update"
	return n
}

func (p *Pages) Put(id string) { p.M.Store(id, &session{}) }
