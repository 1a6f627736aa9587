// Package peers keeps connections until the server is shut down.
package peers

import (
	"errors"
	"io"
	"sync"
	"sync/atomic"
)

// ErrShutdown is returned after Shutdown.
var ErrShutdown = errors.New("server is shut down")

// Server has peers.
type Server struct {
	down atomic.Bool

	mu    sync.Mutex
	peers map[string]io.Closer
}

// New returns a server without peers.
func New() *Server { return &Server{peers: map[string]io.Closer{}} }

// Accept adds a peer.
func (s *Server) Accept(addr string, c io.Closer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down.Load() {
		return ErrShutdown
	}
	s.peers[addr] = c
	return nil
}

// Shutdown closes all peers.
func (s *Server) Shutdown() {
	s.down.Store(true)
	s.mu.Lock()
	defer s.mu.Unlock()
	for addr, c := range s.peers {
		c.Close()
		delete(s.peers, addr)
	}
}
