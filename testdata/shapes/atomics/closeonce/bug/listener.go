// Package listener is closed by whoever comes first.
package listener

import "sync/atomic"

// Listener tells when it is closed.
type Listener struct {
	closed atomic.Int32
	done   chan struct{}
}

// Close closes it; later calls do nothing.
func (l *Listener) Close() {
	if l.closed.Load() == 1 {
		return
	}
	l.closed.Store(1)
	close(l.done)
}

// Done is closed with the listener.
func (l *Listener) Done() <-chan struct{} { return l.done }
