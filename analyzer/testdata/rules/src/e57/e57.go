// Package e57: who loses an insertion clears up what it has made for nothing, and does nothing else then.
package e57

import (
	"net/http"
	"sync"
)

type room struct {
	mu     sync.Mutex
	guests []string
	closed chan struct{}
}

func (r *room) come(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests = append(r.guests, name)
}

func (r *room) stop() { close(r.closed) }

// Hub has rooms by their names.
type Hub struct {
	rooms  sync.Map
	cells  sync.Map
	open   func(string) *room
	refuse func(string)
}

func (h *Hub) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	h.Hidden(r.Host).come(r.Host)
	h.ShownRefused(r.Host)
}

// Hidden closes the room that came too late, and gives the one that is there.
func (h *Hub) Hidden(name string) *room {
	if r, ok := h.rooms.Load(name); ok {
		return r.(*room)
	}
	r := h.open(name)
	if there, lost := h.rooms.LoadOrStore(name, r); lost {
		r.stop()
		return there.(*room)
	}
	return r
}

// ShownRefused tells somebody, which the one who has looked later would not.
func (h *Hub) ShownRefused(name string) bool {
	if _, ok := h.cells.Load(name); ok {
		return true
	}
	r := h.open(name)
	if _, lost := h.cells.LoadOrStore(name, r); lost { // want "lost-update|duplicate-instance"
		r.stop()
		h.refuse(name)
		return false
	}
	return true
}
