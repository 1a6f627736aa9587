// Package batch sends what has been counted.
package batch

import "sync/atomic"

// Counter is flushed now and then.
type Counter struct{ n atomic.Int64 }

// Add counts.
func (c *Counter) Add(n int64) { c.n.Add(n) }

// Flush sends the count and begins anew.
func (c *Counter) Flush(send func(int64)) {
	n := c.n.Load()
	c.n.Store(0)
	send(n)
}
