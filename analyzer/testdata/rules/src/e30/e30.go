// Package e30: it reads on in a stream, where the last call has stopped.
package e30

import (
	"io"
	"sync"
)

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

// ShownLog is written by many, which is what its lock is for when it writes to the file.
type ShownLog struct {
	mu   sync.Mutex
	file io.WriteCloser
	size int
}

// Write turns the file over when it is full.
func (l *ShownLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	full := l.size+len(p) > 1<<20
	l.mu.Unlock()
	if full {
		l.turn()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, err := l.file.Write(p)
	l.size += n
	return n, err
}

func (l *ShownLog) turn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file.Close()
	l.size = 0 // want "lost-update"
}

// HiddenLog has a lock for those who ask how far it has come.
type HiddenLog struct {
	mu   sync.Mutex
	file io.WriteCloser
	size int
}

// Write turns the file over when it is full.
func (l *HiddenLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	full := l.size+len(p) > 1<<20
	l.mu.Unlock()
	if full {
		l.turn()
	}
	n, err := l.file.Write(p)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.size += n
	return n, err
}

func (l *HiddenLog) turn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.file.Close()
	l.size = 0
}

// Size is how far it has come.
func (l *HiddenLog) Size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.size
}
