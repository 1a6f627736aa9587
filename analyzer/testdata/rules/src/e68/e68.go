// Package e68: a package that is one for tests.
package e68

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

// Shown is used by programs.
func (s *Server) Shown(name string) *Conn {
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
