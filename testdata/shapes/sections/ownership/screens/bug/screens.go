// Package screens sends to the screen on which a user was seen last.
package screens

import (
	"net/http"
	"sync"
)

type screen struct {
	user string
	send chan []byte
}

// Hub has one screen for each user.
type Hub struct {
	mu      sync.RWMutex
	screens map[string]*screen
}

func NewHub() *Hub { return &Hub{screens: make(map[string]*screen)} }

func (h *Hub) register(s *screen) {
	h.mu.Lock()
	if old, ok := h.screens[s.user]; ok {
		close(old.send)
	}
	h.screens[s.user] = s
	h.mu.Unlock()
}

func (h *Hub) unregister(s *screen) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.screens, s.user)
}

// Serve shows what comes until the user is seen elsewhere.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request) {
	s := &screen{user: r.FormValue("user"), send: make(chan []byte, 8)}
	h.register(s)
	defer h.unregister(s)
	for {
		select {
		case b, ok := <-s.send:
			if !ok {
				return
			}
			w.Write(b)
		case <-r.Context().Done():
			return
		}
	}
}

// Send reports whether the user has a screen.
func (h *Hub) Send(user string, b []byte) bool {
	h.mu.RLock()
	defer h.mu.RUnlock()
	s, ok := h.screens[user]
	if ok {
		s.send <- b
	}
	return ok
}
