// Package e17: what was put there is taken back, unless others came in between.
package e17

import (
	"errors"
	"sync/atomic"
)

var errChanged = errors.New("changed")

type state struct{ wanted bool }

type Conn struct {
	state atomic.Pointer[state]
	begin func() error
}

func (c *Conn) Want() { c.state.Store(&state{wanted: true}) }

func (c *Conn) Clear() { c.state.Store(nil) }

func (c *Conn) Hidden() error {
	old := c.state.Load()
	if old == nil || !old.wanted {
		return errChanged
	}
	mark := &state{}
	if !c.state.CompareAndSwap(old, mark) {
		return errChanged
	}
	if err := c.begin(); err != nil {
		c.state.CompareAndSwap(mark, old)
		return err
	}
	return nil
}

// Blunt stores the old state, whoever was there in between.
type Blunt struct {
	state atomic.Pointer[state]
	begin func() error
}

func (c *Blunt) Want() { c.state.Store(&state{wanted: true}) }

func (c *Blunt) Clear() { c.state.Store(nil) }

func (c *Blunt) Shown() error {
	old := c.state.Load()
	if old == nil || !old.wanted {
		return errChanged
	}
	mark := &state{}
	if !c.state.CompareAndSwap(old, mark) {
		return errChanged
	}
	if err := c.begin(); err != nil {
		c.state.Store(old) // want "lost-update"
		return err
	}
	return nil
}
