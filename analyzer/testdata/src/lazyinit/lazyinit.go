// Package lazyinit proves the ways to make something on first use. Positives
// let two first users make one each. Negatives let the first one win, by a
// CompareAndSwap, by sync.Once, or by a second look under a lock that all
// writers hold.
package lazyinit

import (
	"sync"
	"sync/atomic"
)

type client struct {
	mu      sync.Mutex
	pending []string
}

func (c *client) send(text string) {
	c.mu.Lock()
	c.pending = append(c.pending, text)
	c.mu.Unlock()
}

// Pointer is made on first use.
type Pointer struct{ p atomic.Pointer[client] }

func (l *Pointer) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	c := &client{}
	l.p.Store(c) // want "duplicate-instance"
	return c
}

// PointerIgnored swaps, but does not ask who won.
type PointerIgnored struct{ p atomic.Pointer[client] }

func (l *PointerIgnored) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	c := &client{}
	l.p.CompareAndSwap(nil, c) // want "duplicate-instance"
	return c
}

// PointerOnce asks.
type PointerOnce struct{ p atomic.Pointer[client] }

func (l *PointerOnce) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	c := &client{}
	if l.p.CompareAndSwap(nil, c) {
		return c
	}
	return l.p.Load()
}

// Reset lets the pointer go back to nil: then the winner may have gone.
type Reset struct{ p atomic.Pointer[client] }

func (l *Reset) Reset() { l.p.Store(nil) }

func (l *Reset) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	c := &client{}
	if l.p.CompareAndSwap(nil, c) {
		return c
	}
	return l.p.Load() // want "inconsistent-read"
}

func (l *Reset) GetLoop() *client {
	fresh := &client{}
	for {
		if c := l.p.Load(); c != nil {
			return c
		}
		if l.p.CompareAndSwap(nil, fresh) {
			return fresh
		}
	}
}

// Value does it with an atomic.Value.
type Value struct{ v atomic.Value }

func (l *Value) Get() *client {
	if c, ok := l.v.Load().(*client); ok {
		return c
	}
	c := &client{}
	l.v.Store(c) // want "duplicate-instance"
	return c
}

// ValueOnce lets the first one win.
type ValueOnce struct{ v atomic.Value }

func (l *ValueOnce) Get() *client {
	if c, ok := l.v.Load().(*client); ok {
		return c
	}
	l.v.CompareAndSwap(nil, &client{})
	return l.v.Load().(*client)
}

// Once is what the standard library has for it.
type Once struct {
	once sync.Once
	c    *client
	p    atomic.Pointer[client]
}

func (l *Once) Get() *client {
	l.once.Do(func() { l.c = &client{} })
	return l.c
}

// Publish stores in there, and loads outside.
func (l *Once) Publish() *client {
	l.once.Do(func() { l.p.Store(&client{}) })
	return l.p.Load()
}

// Locked looks again under the lock that its writers hold.
type Locked struct {
	mu sync.Mutex
	p  atomic.Pointer[client]
}

func (l *Locked) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c := l.p.Load(); c != nil {
		return c
	}
	c := &client{}
	l.p.Store(c)
	return c
}

// Forgot forgets the second look.
type Forgot struct {
	mu sync.Mutex
	p  atomic.Pointer[client]
}

func (l *Forgot) Get() *client {
	if c := l.p.Load(); c != nil {
		return c
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	c := &client{}
	l.p.Store(c) // want "duplicate-instance"
	return c
}
