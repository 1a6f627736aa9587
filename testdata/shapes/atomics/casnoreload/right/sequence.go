// Package sequence numbers batches.
package sequence

import "sync/atomic"

// Sequence is shared by all writers.
type Sequence struct{ next atomic.Uint64 }

// Reserve takes n numbers and gives the first.
func (s *Sequence) Reserve(n uint64) uint64 {
	for {
		first := s.next.Load()
		if s.next.CompareAndSwap(first, first+n) {
			return first
		}
	}
}
