package cas

import (
	"sync"
	"sync/atomic"
	"time"
)

// idler looks before it tries: whoever finds calls, and whoever loses against a
// call that comes just then, both wait once more. That the attempt is made in a
// helper, which says how it went, does not matter.
type idler struct {
	calls  atomic.Int32
	mu     sync.Mutex
	closed bool
	asleep bool
	timer  *time.Timer
	period time.Duration
}

func (i *idler) again(in time.Duration) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.closed || i.asleep || in == 0 {
		return
	}
	if i.timer != nil {
		i.timer.Stop()
	}
	i.timer = time.AfterFunc(in, func() {})
}

// Idler is what others see.
type Idler struct{ i idler }

const sleeping = -1 << 30

func (x *Idler) Begin() bool { return x.i.calls.Add(1) > 0 }

func (x *Idler) End() { x.i.calls.Add(-1) }

func (x *Idler) Tick() {
	if x.i.calls.Load() > 0 {
		x.i.again(x.i.period)
		return
	}
	if x.i.trySleep() {
		return
	}
	x.i.again(x.i.period)
}

func (i *idler) trySleep() bool {
	if !i.calls.CompareAndSwap(0, sleeping) {
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asleep = true
	return true
}

// Hasty does something else if it loses, as if nobody called.
type Hasty struct{ i idler }

func (x *Hasty) Begin() bool { return x.i.calls.Add(1) > 0 }

func (x *Hasty) End() { x.i.calls.Add(-1) }

func (x *Hasty) Tick() {
	if x.i.calls.Load() > 0 {
		x.i.again(x.i.period)
		return
	}
	if x.i.tryDoze() {
		return
	}
	x.i.again(2 * x.i.period)
}

func (i *idler) tryDoze() bool {
	if !i.calls.CompareAndSwap(0, sleeping) { // want "lost-update"
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asleep = true
	return true
}
