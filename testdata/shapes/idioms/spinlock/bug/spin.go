// Package spin has a lock made of an atomic.
package spin

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Totals are kept by name.
type Totals struct {
	busy   atomic.Bool
	totals sync.Map
}

func (t *Totals) lock() {
	for !t.busy.CompareAndSwap(false, true) {
		runtime.Gosched()
	}
}

func (t *Totals) unlock() { t.busy.Store(false) }

// Add adds to a total.
func (t *Totals) Add(name string, n int) {
	v, _ := t.totals.Load(name)
	old, _ := v.(int)
	t.lock()
	defer t.unlock()
	t.totals.Store(name, old+n)
}
