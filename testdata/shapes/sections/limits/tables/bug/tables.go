// Package tables seats parties in a restaurant.
package tables

import (
	"errors"
	"sync"
)

// ErrFull means that no table is free.
var ErrFull = errors.New("tables: all are taken")

// Party is seated at a table.
type Party struct {
	Guests int
	Orders []string
}

// Room has so many tables.
type Room struct {
	tables int

	mu     sync.RWMutex
	seated map[string]*Party
}

// NewRoom is a room with so many tables.
func NewRoom(tables int) *Room {
	return &Room{tables: tables, seated: map[string]*Party{}}
}

// Taken is how many tables are taken.
func (r *Room) Taken() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.seated)
}

func (r *Room) sit(name string, p *Party) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seated[name] = p
}

// Seat gives a party a table.
func (r *Room) Seat(name string, guests int) (*Party, error) {
	if r.Taken() >= r.tables {
		return nil, ErrFull
	}
	p := &Party{Guests: guests}
	r.sit(name, p)
	return p, nil
}

// Leave frees the table of a party.
func (r *Room) Leave(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seated, name)
}
