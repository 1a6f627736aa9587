// Package e48: who starts to count again because it was enough loses nothing.
package e48

import "sync/atomic"

type meter interface{ Observe(failed int64) }

type Breaker struct {
	calls, failed atomic.Int64
	most          int64
}

func (b *Breaker) Fail() { b.failed.Add(1) }

// Hidden starts again.
func (b *Breaker) Hidden() {
	b.calls.Add(1)
	if b.failed.Load() > b.most {
		b.failed.Store(0)
	}
}

type Counter struct {
	calls, failed atomic.Int64
	most          int64
	meter         meter
}

func New(most int64, m meter) *Counter { return &Counter{most: most, meter: m} }

func (c *Counter) Fail() { c.failed.Add(1) }

// Shown says how many there were, and starts again.
func (c *Counter) Shown() {
	c.calls.Add(1)
	failed := c.failed.Load()
	if failed > c.most {
		c.meter.Observe(failed)
		c.failed.Store(0)
	}
}
