// Package flusher writes what has gathered, every second.
package flusher

import (
	"sync/atomic"
	"time"
)

// Flusher has one goroutine.
type Flusher struct {
	started atomic.Bool
	flush   func()
}

// Start begins to flush, however often it is called.
func (f *Flusher) Start() {
	if f.started.Load() {
		return
	}
	f.started.Store(true)
	go func() {
		for range time.Tick(time.Second) {
			f.flush()
		}
	}()
}
