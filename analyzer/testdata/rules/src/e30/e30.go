// Package e30: it reads on in a stream, where the last call has stopped.
package e30

import "sync"

type chunk struct {
	next  *chunk
	bytes []byte
}

// HiddenConn has chunks that somebody else puts there.
type HiddenConn struct {
	mu   sync.Mutex
	head *chunk
	last *chunk
}

func (c *HiddenConn) Put(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := &chunk{bytes: b}
	if c.head == nil {
		c.head = n
	} else {
		c.last.next = n
	}
	c.last = n
}

// Read takes the first chunk.
func (c *HiddenConn) Read(p []byte) (int, error) {
	c.mu.Lock()
	h := c.head
	c.mu.Unlock()
	if h == nil {
		return 0, nil
	}
	n := copy(p, h.bytes)
	c.mu.Lock()
	c.head = c.head.next
	c.mu.Unlock()
	return n, nil
}

// Queue is the same for whoever comes.
type Queue struct {
	mu   sync.Mutex
	head *chunk
	last *chunk
}

func (c *Queue) Put(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := &chunk{bytes: b}
	if c.head == nil {
		c.head = n
	} else {
		c.last.next = n
	}
	c.last = n
}

// ShownTake takes the first chunk.
func (c *Queue) ShownTake() []byte {
	c.mu.Lock()
	h := c.head
	c.mu.Unlock()
	if h == nil {
		return nil
	}
	c.mu.Lock()
	c.head = c.head.next // want "crash|lost-update"
	c.mu.Unlock()
	return h.bytes
}
