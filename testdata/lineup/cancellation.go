package lineup

import (
	"sync"
	"sync/atomic"
)

// CancellationTokenSource tells those who registered with it, once, that they
// are to stop. What is registered here counts.
type CancellationTokenSource struct {
	mu        sync.Mutex
	cancelled bool
	callbacks []func()
	count     atomic.Int32
}

// Increment registers a callback that counts, or runs it at once if it is too
// late for that. It gives the count.
func (c *CancellationTokenSource) Increment() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	count := func() { c.count.Add(1) }
	if c.cancelled {
		count()
	} else {
		c.callbacks = append(c.callbacks, count)
	}
	return int(c.count.Load())
}

// Cancel runs the callbacks, and says whether it was the first.
func (c *CancellationTokenSource) Cancel() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancelled {
		return false
	}
	c.cancelled = true
	for _, f := range c.callbacks {
		f()
	}
	return true
}
