// Package locklib has types that are locks to those who use them so.
package locklib

import (
	"context"
	"errors"
	"sync/atomic"
)

var errTwice = errors.New("twice")

// Try is a lock that refuses who comes second.
type Try struct{ n int32 }

func (t *Try) Lock() error {
	if !atomic.CompareAndSwapInt32(&t.n, 0, 1) {
		return errTwice
	}
	return nil
}

func (t *Try) Unlock() { atomic.StoreInt32(&t.n, 0) }

// Flag is the same, and says it by a truth value.
type Flag struct{ set atomic.Bool }

func (f *Flag) Set() bool { return f.set.CompareAndSwap(false, true) }

func (f *Flag) Clear() { f.set.Store(false) }

// Turn is a channel with one place.
type Turn struct{ c chan struct{} }

func NewTurn() *Turn { return &Turn{c: make(chan struct{}, 1)} }

func (t *Turn) Take() { t.c <- struct{}{} }

func (t *Turn) TakeUnless(ctx context.Context) error {
	select {
	case t.c <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t *Turn) Give() { <-t.c }

// Toll tells whether it was taken, and is taken in any case for who comes last.
type Toll struct {
	set  atomic.Bool
	last bool
}

func (t *Toll) Set() bool {
	if !t.set.CompareAndSwap(false, true) {
		return t.last
	}
	return true
}

func (t *Toll) Clear() { t.set.Store(false) }
