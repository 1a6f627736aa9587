// Package sequence numbers batches.
package sequence

import "sync/atomic"

// Sequence is shared by all writers.
type Sequence struct{ next atomic.Uint64 }

// Reserve takes n numbers and gives the first.
func (s *Sequence) Reserve(n uint64) uint64 {
	first := s.next.Load()
	for !s.next.CompareAndSwap(first, first+n) {
		s.next.Store(first + n)
	}
	return first
}
