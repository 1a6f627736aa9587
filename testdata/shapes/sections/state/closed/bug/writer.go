// Package writer writes until it is closed.
package writer

import (
	"errors"
	"sync"
)

// ErrClosed says that nothing can be written any more.
var ErrClosed = errors.New("closed")

// Writer sends to a channel.
type Writer struct {
	mu     sync.Mutex
	closed bool
	out    chan string
}

// Close ends it.
func (w *Writer) Close() error {
	w.mu.Lock()
	closed := w.closed
	w.mu.Unlock()
	if closed {
		return ErrClosed
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	close(w.out)
	return nil
}
