// Package rounds proves what is known of a step that asks a function of which nothing is
// known in each round of a loop.
package rounds

import (
	"context"
	"sync/atomic"
	"time"
)

type Counter struct {
	n     atomic.Int64
	again func(round int) bool
	last  func() bool
	grow  func(n int64) int64
}

// Grow computes the same from the same.
//
//mapatom:atomic
func (c *Counter) Grow() int64 {
	for {
		n := c.n.Load()
		m := c.grow(n)
		if c.n.CompareAndSwap(n, m) {
			return m
		}
	}
}

// Once asks the same in each round.
//
//mapatom:atomic may give up
func (c *Counter) Once() bool {
	for {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+1) {
			return true
		}
		if c.last() {
			return false
		}
	}
}

// Wait waits longer in each round, which is told to nobody.
//
//mapatom:atomic may give up
func (c *Counter) Wait(ctx context.Context) error {
	for d := time.Second; ; d *= 2 {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+1) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(d):
		}
	}
}

// Rounds asks something else in each round: what gives up in the third has been told twice
// to go on.
func (c *Counter) Rounds() bool {
	for i := 0; ; i++ {
		n := c.n.Load()
		if c.n.CompareAndSwap(n, n+1) {
			return true
		}
		if !c.again(i) {
			return false
		}
	}
}

// Late loses what comes between its compare-and-swap and its store.
func (c *Counter) Late() int64 {
	defer c.n.Store(3) // want "lost-update"
	for i := 0; ; i++ {
		n := c.n.Load()
		if !c.again(i) {
			return 0
		}
		if c.n.CompareAndSwap(n, n) {
			return n
		}
	}
}
