package lineup

import (
	"errors"
	"slices"
	"sync"
)

// ErrAddingCompleted says that nothing comes into a collection any more, and
// of Take, that nothing comes out either.
var ErrAddingCompleted = errors.New("adding is completed")

// BlockingCollection is a queue of two places for producers and consumers.
// Everything happens under one lock.
type BlockingCollection struct {
	mu        sync.Mutex
	changed   sync.Cond
	items     []int
	completed bool
}

// places is how many items a collection holds.
const places = 2

func NewBlockingCollection() *BlockingCollection {
	c := &BlockingCollection{}
	c.changed.L = &c.mu
	return c
}

// Add blocks while the collection is full.
func (c *BlockingCollection) Add(v int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.items) == places && !c.completed {
		c.changed.Wait()
	}
	if c.completed {
		return ErrAddingCompleted
	}
	c.put(v)
	return nil
}

// TryAdd is Add that does not block.
func (c *BlockingCollection) TryAdd(v int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.items) == places || c.completed {
		return false
	}
	c.put(v)
	return true
}

// put needs the lock.
func (c *BlockingCollection) put(v int) {
	c.items = append(c.items, v)
	c.changed.Broadcast()
}

// Take blocks while the collection is empty and more may come.
func (c *BlockingCollection) Take() (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.items) == 0 && !c.completed {
		c.changed.Wait()
	}
	if v, ok := c.get(); ok {
		return v, nil
	}
	return 0, ErrAddingCompleted
}

// TryTake is Take that does not block.
func (c *BlockingCollection) TryTake() (v int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.get()
}

// get needs the lock.
func (c *BlockingCollection) get() (v int, ok bool) {
	if len(c.items) == 0 {
		return 0, false
	}
	v = c.items[0]
	c.items = c.items[1:]
	c.changed.Broadcast()
	return v, true
}

// CompleteAdding says that nothing more will come.
func (c *BlockingCollection) CompleteAdding() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.completed = true
	c.changed.Broadcast()
}

func (c *BlockingCollection) Count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.items)
}

func (c *BlockingCollection) ToArray() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.items)
}

func (c *BlockingCollection) IsAddingCompleted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.completed
}

func (c *BlockingCollection) IsCompleted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.completed && len(c.items) == 0
}
