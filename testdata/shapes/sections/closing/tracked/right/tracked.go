// Package tracked keeps those who have come until all are sent away.
package tracked

import (
	"errors"
	"io"
	"sync"
)

// Room has guests, which take themselves off when they go.
type Room struct {
	mu     sync.Mutex
	closed bool
	guests map[io.Closer]string
}

// New returns an empty room.
func New() *Room { return &Room{guests: map[io.Closer]string{}} }

func (r *Room) track(c io.Closer, name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.guests[c] = name
	return true
}

// Enter lets a guest in, until all are sent away.
func (r *Room) Enter(c io.Closer, name string) error {
	if !r.track(c, name) {
		return errors.New("the room is closed")
	}
	return nil
}

// Leave is called by a guest that goes.
func (r *Room) Leave(c io.Closer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.guests, c)
}

// Close sends all away.
func (r *Room) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	for c := range r.guests {
		c.Close()
	}
}
