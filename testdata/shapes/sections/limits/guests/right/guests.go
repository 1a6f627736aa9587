// Package guests lets visitors in, each with a number of its own.
package guests

import "sync"

// Guest is a visitor who is in.
type Guest struct {
	ID   int
	Left chan struct{}
}

// House has room for so many.
type House struct {
	mu   sync.Mutex
	room int
	last int
	in   map[int]*Guest
}

// New is a house with room for so many.
func New(room int) *House {
	return &House{room: room, in: make(map[int]*Guest)}
}

func (h *House) full() bool { return len(h.in) >= h.room }

func (h *House) let() *Guest {
	h.last++
	g := &Guest{ID: h.last, Left: make(chan struct{})}
	h.in[g.ID] = g
	return g
}

// Enter lets one more in, and is nil if there is no room.
func (h *House) Enter() *Guest {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.full() {
		return nil
	}
	return h.let()
}

// Leave says that one has gone.
func (h *House) Leave(g *Guest) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.in[g.ID] == g {
		delete(h.in, g.ID)
		close(g.Left)
	}
}
