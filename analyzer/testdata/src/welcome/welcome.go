// Package welcome has steps in which the code says that what another goroutine
// does in between is welcome: it does not ask. Where it asks, or uses what is its
// own all the same, that is another matter.
package welcome

import (
	"errors"
	"sync"
	"sync/atomic"
)

var errChanged = errors.New("changed")

type state struct{ wanted bool }

// Conn is marked, and the mark is taken back if the work cannot begin.
type Conn struct {
	state atomic.Pointer[state]
	begin func() error
}

func (c *Conn) Want() { c.state.Store(&state{wanted: true}) }

func (c *Conn) Clear() { c.state.Store(nil) }

func (c *Conn) Mark() error {
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

func (c *Blunt) Mark() error {
	old := c.state.Load()
	if old == nil || !old.wanted {
		return errChanged
	}
	if !c.state.CompareAndSwap(old, &state{}) {
		return errChanged
	}
	if err := c.begin(); err != nil {
		c.state.Store(old) // want "lost-update"
		return err
	}
	return nil
}

type entry struct {
	mu   sync.Mutex
	done bool
}

func (e *entry) get() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done = true
	return e.done
}

// Lazy sees to it that there is an entry, and uses the one that is there.
type Lazy struct{ cache atomic.Pointer[entry] }

func (z *Lazy) Notify() { z.cache.Swap(&entry{}) }

func (z *Lazy) Get() bool {
	e := z.cache.Load()
	if e == nil {
		z.cache.CompareAndSwap(nil, &entry{})
		e = z.cache.Load()
	}
	return e.get()
}

// Both keeps its own entry as well, which may not be the one that is there.
type Both struct {
	cache atomic.Pointer[entry]
	mine  *entry
}

func (z *Both) Notify() { z.cache.Swap(&entry{}) }

func (z *Both) Get() bool {
	e := z.cache.Load()
	if e == nil {
		own := &entry{}
		z.cache.CompareAndSwap(nil, own)
		e = z.cache.Load() // want "inconsistent-read"
		z.keep(own)
	}
	return e.get()
}

func (z *Both) keep(own *entry) { z.mine = own }

// Own uses its own entry, which nobody else may have.
type Own struct{ cache atomic.Pointer[entry] }

func (z *Own) Notify() { z.cache.Swap(&entry{}) }

func (z *Own) Get() bool {
	e := z.cache.Load()
	if e == nil {
		e = &entry{}
		z.cache.Store(e) // want "duplicate-instance"
	}
	return e.get()
}
