// Package tunnels serves one tunnel for each agent.
package tunnels

import (
	"io"
	"sync"
)

type tunnel struct{ conn io.ReadWriteCloser }

func (t *tunnel) serve() {
	defer t.conn.Close()
	io.Copy(io.Discard, t.conn)
}

// Server has the tunnels by agent.
type Server struct{ tunnels sync.Map }

// Accept serves an agent that has connected, perhaps for the second time.
func (s *Server) Accept(agent string, conn io.ReadWriteCloser) {
	t := &tunnel{conn}
	s.tunnels.Store(agent, t)
	go func() {
		t.serve()
		s.tunnels.CompareAndDelete(agent, t)
	}()
}

// Write sends to an agent.
func (s *Server) Write(agent string, p []byte) (int, error) {
	v, ok := s.tunnels.Load(agent)
	if !ok {
		return 0, io.ErrClosedPipe
	}
	return v.(*tunnel).conn.Write(p)
}
