package cas

import (
	"sync/atomic"
	"time"
)

// idler looks before it tries: whoever finds calls, and whoever loses against a
// call that comes just then, both wait once more. That the attempt is made in a
// helper, which says how it went, does not matter.
type idler struct {
	calls  atomic.Int32
	timer  *time.Timer
	period time.Duration
}

// Idler is what others see.
type Idler struct{ i idler }

const sleeping = -1 << 30

func (x *Idler) Begin() bool { return x.i.calls.Add(1) > 0 }

func (x *Idler) End() { x.i.calls.Add(-1) }

func (x *Idler) Tick() {
	if x.i.calls.Load() > 0 {
		x.i.timer.Reset(x.i.period)
		return
	}
	if x.i.trySleep() {
		return
	}
	x.i.timer.Reset(x.i.period)
}

func (i *idler) trySleep() bool {
	if !i.calls.CompareAndSwap(0, sleeping) {
		return false
	}
	i.timer.Stop()
	return true
}

// Hasty does something else if it loses, as if nobody called.
type Hasty struct{ i idler }

func (x *Hasty) Begin() bool { return x.i.calls.Add(1) > 0 }

func (x *Hasty) End() { x.i.calls.Add(-1) }

func (x *Hasty) Tick() {
	if x.i.calls.Load() > 0 {
		x.i.timer.Reset(x.i.period)
		return
	}
	if x.i.tryDoze() {
		return
	}
	x.i.timer.Reset(0)
}

func (i *idler) tryDoze() bool {
	if !i.calls.CompareAndSwap(0, sleeping) { // want "lost-update"
		return false
	}
	i.timer.Stop()
	return true
}
