// Package e69: a number would have to be counted up to the end of its type.
package e69

import (
	"sync"
	"sync/atomic"
)

// Buffer knows how many bytes are in it, and in a second part.
type Buffer struct {
	taking     sync.Mutex
	have, more atomic.Uint32
}

func (b *Buffer) Put(n int) { b.have.Add(uint32(n)) }

// Hidden takes one, as only one does at a time: it breaks if so many are put there that the number begins anew.
func (b *Buffer) Hidden() bool {
	b.taking.Lock()
	defer b.taking.Unlock()
	if b.have.Load() == 0 {
		return false
	}
	b.have.Add(^uint32(0))
	return true
}

func (b *Buffer) PutMore(n int) { b.more.Add(uint32(n)) }

func (b *Buffer) Drop() { b.more.Store(0) }

// Shown takes one that somebody has dropped in between.
func (b *Buffer) Shown() bool {
	b.taking.Lock()
	defer b.taking.Unlock()
	if b.more.Load() == 0 {
		return false
	}
	b.more.Add(^uint32(0)) // want "non-atomic"
	return true
}
