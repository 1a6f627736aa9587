// Package e18: what is there after an insertion is used, whoever put it there.
package e18

import (
	"sync"
	"sync/atomic"
)

type entry struct {
	mu   sync.Mutex
	done bool
}

func (e *entry) get() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.done = true
	return e.done
}

type Lazy struct{ cache atomic.Pointer[entry] }

func (z *Lazy) Notify() { z.cache.Swap(&entry{}) }

func (z *Lazy) Hidden() bool {
	e := z.cache.Load()
	if e == nil {
		z.cache.CompareAndSwap(nil, &entry{})
		e = z.cache.Load()
	}
	return e.get()
}

// Both keeps its own entry as well, which may not be the one that is there.
type Both struct {
	cache atomic.Pointer[entry]
	mine  *entry
}

func (z *Both) Notify() { z.cache.Swap(&entry{}) }

func (z *Both) Shown() bool {
	e := z.cache.Load()
	if e == nil {
		own := &entry{}
		z.cache.CompareAndSwap(nil, own)
		e = z.cache.Load() // want "inconsistent-read"
		z.keep(own)
	}
	return e.get()
}

func (z *Both) keep(own *entry) { z.mine = own }
