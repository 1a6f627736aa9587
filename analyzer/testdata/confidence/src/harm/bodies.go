package harm

import (
	"errors"
	"io"
	"sync"
)

// Bodies are read until they end, and can be closed meanwhile. What is done at the end is done once: whoever comes
// to it looks again whether it has been.
type Bodies struct {
	body   io.ReadCloser
	mu     sync.Mutex
	closed bool
	failed error
	done   func(error) error
	early  func() error
}

var errClosed = errors.New("closed")

// Read asks whether it is closed only in order not to begin.
func (b *Bodies) Read(p []byte) (n int, err error) {
	b.mu.Lock()
	closed, failed := b.closed, b.failed
	b.mu.Unlock()
	if closed {
		return 0, errClosed
	}
	if failed != nil {
		return 0, failed
	}
	n, err = b.body.Read(p)
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.failed == nil {
			b.failed = err
		}
		err = b.end(err)
	}
	return
}

func (b *Bodies) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	if b.early != nil && b.failed != io.EOF {
		return b.early()
	}
	err := b.body.Close()
	return b.end(err)
}

func (b *Bodies) end(err error) error {
	if b.done == nil {
		return err
	}
	err = b.done(err)
	b.done = nil
	return err
}
