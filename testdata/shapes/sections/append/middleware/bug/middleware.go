// Package middleware has a chain of handlers that can grow while it is used.
package middleware

import "sync"

// Handler handles a request.
type Handler func(request string) string

// Server has a chain.
type Server struct {
	sync.RWMutex
	chain []Handler
}

// Use adds a handler at the end, and says how many there are.
func (s *Server) Use(h Handler) int {
	s.RLock()
	n := len(s.chain)
	chain := make([]Handler, n+1)
	copy(chain, s.chain)
	s.RUnlock()
	chain[n] = h
	s.Lock()
	s.chain = chain
	s.Unlock()
	return n + 1
}

// Serve runs the chain.
func (s *Server) Serve(request string) string {
	s.RLock()
	chain := s.chain
	s.RUnlock()
	for _, h := range chain {
		request = h(request)
	}
	return request
}
