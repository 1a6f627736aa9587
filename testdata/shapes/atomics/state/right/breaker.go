// Package breaker opens a circuit after failures.
package breaker

import "sync/atomic"

const (
	closed int32 = iota
	open
	probing
)

// Breaker is a circuit breaker.
type Breaker struct{ state atomic.Int32 }

// Trip opens the circuit.
func (b *Breaker) Trip() { b.state.Store(open) }

// Reset closes it.
func (b *Breaker) Reset() { b.state.Store(closed) }

// Allow lets requests through a closed circuit, and one through an open one.
func (b *Breaker) Allow() bool {
	for {
		switch b.state.Load() {
		case closed:
			return true
		case open:
			if b.state.CompareAndSwap(open, probing) {
				return true
			}
		default:
			return false
		}
	}
}
