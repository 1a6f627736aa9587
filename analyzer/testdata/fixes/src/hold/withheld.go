package hold

import "sync"

type Sessions struct {
	mu       sync.Mutex
	sessions map[string]*conn
	counting sync.Mutex
	count    int
}

// Open asks somebody else in between, who may need the lock.
func (s *Sessions) Open(id string, dial func(string) *conn) *conn {
	s.mu.Lock()
	c, ok := s.sessions[id]
	s.mu.Unlock()
	if !ok {
		c = dial(id)
		s.mu.Lock()
		s.sessions[id] = c // want "lost-update"
		s.mu.Unlock()
	}
	return c
}

// Count takes another lock in between, which others may hold when they take this one.
func (s *Sessions) Count(id string) *conn {
	s.mu.Lock()
	c, ok := s.sessions[id]
	s.mu.Unlock()
	if !ok {
		c = &conn{addr: id}
		s.counting.Lock()
		s.count++
		s.counting.Unlock()
		s.mu.Lock()
		s.sessions[id] = c // want "lost-update"
		s.mu.Unlock()
	}
	c.send()
	return c
}
