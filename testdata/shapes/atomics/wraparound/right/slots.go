// Package slots hands out slots in a ring.
package slots

import "sync/atomic"

// Ring has size slots.
type Ring struct {
	next atomic.Int32
	size int32
}

// Next is the next slot, from 0 to size-1.
func (r *Ring) Next() int32 {
	for {
		n := r.next.Load()
		if r.next.CompareAndSwap(n, (n+1)%r.size) {
			return n
		}
	}
}
