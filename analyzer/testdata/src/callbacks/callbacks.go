// Package callbacks has functions that run one that they are given, and look again
// afterwards.
package callbacks

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

// Breaker lets calls through or not.
type Breaker struct{ state atomic.Int32 }

// Execute means to see what has become of the state while fn ran.
func (b *Breaker) Execute(fn func() error) error {
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

// Switch is turned although somebody else may just have done so.
type Switch struct{ state atomic.Int32 }

func (s *Switch) Execute(fn func() error) error {
	if s.state.Load() == open {
		return errOpen
	}
	if err := fn(); err != nil {
		if s.state.Load() == closed { // want "inconsistent-read"
			s.state.Store(open)
		}
		return err
	}
	return nil
}

func (s *Switch) Probe() bool { return s.state.CompareAndSwap(open, halfOpen) }

// Gate looks twice with nothing in between.
type Gate struct{ state atomic.Int32 }

func (g *Gate) Pass() int32 {
	if g.state.Load() == open {
		return 0
	}
	s := g.state.Load() // want "inconsistent-read"
	g.state.CompareAndSwap(s, halfOpen)
	return s
}

func (g *Gate) Set(s int32) { g.state.Store(s) }

// Value carries over what it found.
type Value struct{ n atomic.Int64 }

func (v *Value) Update(f func(int64) int64) {
	v.n.Store(f(v.n.Load())) // want "lost-update"
}
