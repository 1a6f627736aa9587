// Package testmock has what tests use in the place of a server, as its name begins and ends.
package testmock

import "sync"

type Conn struct {
	mu   sync.Mutex
	sent int
}

func (c *Conn) Send() {
	c.mu.Lock()
	c.sent++
	c.mu.Unlock()
}

type Server struct {
	mu    sync.Mutex
	conns map[string]*Conn
}

// Hidden is used by tests, which take turns.
func (s *Server) Hidden(name string) *Conn {
	s.mu.Lock()
	c := s.conns[name]
	s.mu.Unlock()
	if c == nil {
		c = &Conn{}
		s.mu.Lock()
		s.conns[name] = c
		s.mu.Unlock()
	}
	return c
}
