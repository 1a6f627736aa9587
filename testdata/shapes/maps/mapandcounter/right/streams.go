// Package streams bounds how many streams are open.
package streams

import (
	"errors"
	"sync"
	"sync/atomic"
)

// ErrTooMany says that no more streams can be opened.
var ErrTooMany = errors.New("too many streams")

// Set has the open streams.
type Set struct {
	open  sync.Map
	count atomic.Int32
	max   int32
}

// Open adds a stream.
func (s *Set) Open(id uint64, send chan []byte) error {
	if s.count.Add(1) > s.max {
		s.count.Add(-1)
		return ErrTooMany
	}
	s.open.Store(id, send)
	return nil
}

// Close removes a stream.
func (s *Set) Close(id uint64) {
	if _, ok := s.open.LoadAndDelete(id); ok {
		s.count.Add(-1)
	}
}
