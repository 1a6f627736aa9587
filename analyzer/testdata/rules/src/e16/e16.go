// Package e16: it looks again after it has called a function that it was given.
package e16

import (
	"errors"
	"sync/atomic"
)

const (
	closed = iota
	open
	halfOpen
)

var errOpen = errors.New("open")

type Breaker struct{ state atomic.Int32 }

// Hidden means to see what has become of the state while fn ran.
func (b *Breaker) Hidden(fn func() error) error {
	if b.state.Load() == open {
		return errOpen
	}
	err := fn()
	switch b.state.Load() {
	case closed:
		if err != nil {
			b.state.CompareAndSwap(closed, open)
		}
	case halfOpen:
		if err == nil {
			b.state.CompareAndSwap(halfOpen, closed)
		}
	}
	return err
}

func (b *Breaker) Probe() bool { return b.state.CompareAndSwap(open, halfOpen) }

// Gate looks twice with nothing in between.
type Gate struct{ state atomic.Int32 }

func (g *Gate) Shown() int32 {
	if g.state.Load() == open {
		return 0
	}
	s := g.state.Load() // want "inconsistent-read"
	g.state.CompareAndSwap(s, halfOpen)
	return s
}

func (g *Gate) Set(s int32) { g.state.Store(s) }
