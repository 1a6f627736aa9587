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

func (r *Room) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

func (r *Room) track(c io.Closer, name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.guests[c] = name
}

// Enter lets a guest in: one that comes when all have been sent away stays.
func (r *Room) Enter(c io.Closer, name string) error {
	if r.isClosed() {
		return errors.New("the room is closed")
	}
	r.track(c, name)
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
