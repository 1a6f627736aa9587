package harm

import (
	"context"
	"sync"
)

// Stream is stopped once, and what it waits for is given up.
type Stream struct {
	mu      sync.Mutex
	stopped bool
	cancel  context.CancelFunc
	notify  func()
}

func (s *Stream) isStopped() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stopped
}

func (s *Stream) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.stopped {
		s.stopped = true
	}
}

// HighStop tells twice that it has stopped.
func (s *Stream) HighStop() {
	if s.isStopped() {
		return
	}
	s.stop()
	s.notify()
}

// MediumGiveUp cancels twice: the second time does nothing.
func (s *Stream) MediumGiveUp() {
	if s.isStopped() {
		return
	}
	s.stop()
	s.cancel()
}
