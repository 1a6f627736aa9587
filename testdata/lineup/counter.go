package lineup

import "sync"

// Counter1 is the first counter of section 2.2: Inc forgets the lock, so two
// of them can count as one.
//
//	Inc() Get() | Inc()        Get = 1 after both
//
// It has no synchronization at all, so that its steps can only be told apart
// with -granularity=memory.
type Counter1 struct{ count int }

func (c *Counter1) Inc()     { c.count = c.count + 1 }
func (c *Counter1) Get() int { return c.count }

// Counter2 is the second: Get forgets to release the lock. Every call after
// that blocks, in a serial execution as well, so that no specification that
// is made from these can object. Against a Counter as the specification, an
// Inc that is stuck is.
type Counter2 struct {
	mu    sync.Mutex
	count int
}

func (c *Counter2) Inc() {
	c.mu.Lock()
	c.count++
	c.mu.Unlock()
}

func (c *Counter2) Get() int {
	c.mu.Lock()
	return c.count
}

// Counter is a counter that is right.
type Counter struct {
	mu    sync.Mutex
	count int
}

func (c *Counter) Inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count++
}

func (c *Counter) Get() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}
