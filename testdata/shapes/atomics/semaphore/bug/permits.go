// Package permits is a counting semaphore.
package permits

import "sync/atomic"

// Permits are free or taken.
type Permits struct{ free atomic.Uint32 }

// TryAcquire takes a permit if one is free.
func (p *Permits) TryAcquire() bool {
	if p.free.Load() == 0 {
		return false
	}
	p.free.Add(^uint32(0))
	return true
}

// Release gives it back.
func (p *Permits) Release() { p.free.Add(1) }
