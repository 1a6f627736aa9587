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

func (r *Room) sit(name string, p *Party) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.seated) >= r.tables {
		return false
	}
	r.seated[name] = p
	return true
}

// Seat gives a party a table.
func (r *Room) Seat(name string, guests int) (*Party, error) {
	p := &Party{Guests: guests}
	if !r.sit(name, p) {
		return nil, ErrFull
	}
	return p, nil
}

// Leave frees the table of a party.
func (r *Room) Leave(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.seated, name)
}
