// Package e44: a quick look at an atomic, before a lock under which something else decides.
package e44

import (
	"net/http"
	"sync"
	"sync/atomic"
)

const (
	unknown = iota
	usable
	broken
)

type Lazy struct {
	mu      sync.Mutex
	done    chan struct{}
	err     error
	waiting int
	state   atomic.Int32
	taken   atomic.Bool
}

// Hidden remembers what it finds under the lock.
func (l *Lazy) Hidden() bool {
	switch l.state.Load() {
	case usable:
		return true
	case broken:
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.done:
		if l.err != nil {
			l.state.Store(broken)
			return false
		}
		l.state.Store(usable)
		return true
	default:
		l.waiting++
		return true
	}
}

// Shown takes what only one should have, whatever else there is.
func (l *Lazy) Shown() bool {
	if l.taken.Load() {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.taken.Store(true)
	return true
}

// ServeHTTP is run for each request.
func (l *Lazy) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	if l.Hidden() && l.Shown() {
		w.WriteHeader(http.StatusOK)
	}
}
