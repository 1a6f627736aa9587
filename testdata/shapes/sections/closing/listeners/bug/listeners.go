// Package listeners sends events to connections until it is stopped.
package listeners

import (
	"errors"
	"io"
	"sync"
)

// Hub has connections by name.
type Hub struct {
	mu      sync.RWMutex
	stopped bool
	conns   map[string]io.WriteCloser
}

// New returns a hub without connections.
func New() *Hub { return &Hub{conns: map[string]io.WriteCloser{}} }

// Attach has a connection told of events: one that comes when all have been closed stays open.
func (h *Hub) Attach(name string, c io.WriteCloser) error {
	h.mu.RLock()
	stopped := h.stopped
	h.mu.RUnlock()
	if stopped {
		return errors.New("hub is stopped")
	}
	h.mu.Lock()
	h.conns[name] = c
	h.mu.Unlock()
	return nil
}

// Send tells all connections.
func (h *Hub) Send(event []byte) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	for _, c := range h.conns {
		c.Write(event)
	}
}

// Stop closes all connections.
func (h *Hub) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.stopped {
		return
	}
	h.stopped = true
	for name, c := range h.conns {
		c.Close()
		delete(h.conns, name)
	}
}
