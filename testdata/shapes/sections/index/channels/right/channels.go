// Package channels gives channels new names.
package channels

import (
	"errors"
	"sync"
)

// Errors of Rename.
var (
	ErrUnknown = errors.New("no such channel")
	ErrExists  = errors.New("name is taken")
)

// Channel is a channel.
type Channel struct {
	Topic string
}

// Directory has channels by name.
type Directory struct {
	mu       sync.RWMutex
	channels map[string]*Channel
}

// New returns an empty directory.
func New() *Directory { return &Directory{channels: map[string]*Channel{}} }

func (d *Directory) find(name string) (*Channel, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	c, ok := d.channels[name]
	return c, ok
}

// Create adds a channel, if the name is free.
func (d *Directory) Create(name, topic string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.channels[name]; ok {
		return false
	}
	d.channels[name] = &Channel{Topic: topic}
	return true
}

// Rename gives the channel from the name to.
func (d *Directory) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	c, ok := d.channels[from]
	if !ok {
		return ErrUnknown
	}
	if _, ok := d.channels[to]; ok {
		return ErrExists
	}
	delete(d.channels, from)
	d.channels[to] = c
	return nil
}
