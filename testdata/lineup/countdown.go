package lineup

import (
	"errors"
	"sync/atomic"
)

// ErrSet says that a CountdownEvent has come to zero already.
var ErrSet = errors.New("the event is set")

// CountdownEvent is set when it has been signalled as often as was agreed.
type CountdownEvent struct {
	count atomic.Int32
	done  chan struct{}
}

// NewCountdownEvent makes an event that waits for two signals.
func NewCountdownEvent() *CountdownEvent {
	e := &CountdownEvent{done: make(chan struct{})}
	e.count.Store(2)
	return e
}

// Signal counts one down, and says whether that set the event.
func (e *CountdownEvent) Signal() (bool, error)    { return e.signal(1) }
func (e *CountdownEvent) SignalTwo() (bool, error) { return e.signal(2) }

func (e *CountdownEvent) signal(n int32) (bool, error) {
	for {
		left := e.count.Load()
		if left < n {
			return false, ErrSet
		}
		if e.count.CompareAndSwap(left, left-n) {
			if left == n {
				close(e.done)
			}
			return left == n, nil
		}
	}
}

// AddCount asks for one signal more, unless the event is set.
func (e *CountdownEvent) AddCount() error {
	if !e.TryAddCount() {
		return ErrSet
	}
	return nil
}

func (e *CountdownEvent) TryAddCount() bool {
	for {
		left := e.count.Load()
		if left == 0 {
			return false
		}
		if e.count.CompareAndSwap(left, left+1) {
			return true
		}
	}
}

// Wait blocks until the event is set.
func (e *CountdownEvent) Wait() {
	if !e.IsSet() {
		<-e.done
	}
}

// TryWait is Wait with no time to wait.
func (e *CountdownEvent) TryWait() bool     { return e.IsSet() }
func (e *CountdownEvent) IsSet() bool       { return e.count.Load() == 0 }
func (e *CountdownEvent) CurrentCount() int { return int(e.count.Load()) }
