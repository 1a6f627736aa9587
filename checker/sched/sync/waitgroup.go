package sync

import (
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// WaitGroup is sync.WaitGroup. It does not contain one: that would belong to
// the first bubble it is used in.
type WaitGroup struct {
	n atomic.Int64
	// zero is closed when n becomes zero; those who wait outside control make
	// it.
	zero atomic.Pointer[chan struct{}]
}

type waitGroupGate WaitGroup

func (g *waitGroupGate) Open() bool { return g.n.Load() == 0 }

// Add adds delta, which may be negative, to the counter. It panics if that
// becomes negative.
func (g *WaitGroup) Add(delta int) {
	sched.Announce(sched.Signal, unsafe.Pointer(g))
	n := g.n.Add(int64(delta))
	if n < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if n > 0 {
		return
	}
	if zero := g.zero.Swap(nil); zero != nil {
		close(*zero)
	}
}

// Done takes one from the counter.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait waits until the counter is zero.
func (g *WaitGroup) Wait() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Wait, unsafe.Pointer(&g.n), (*waitGroupGate)(g))
		return
	}
	zero := make(chan struct{})
	for g.n.Load() > 0 && !g.zero.CompareAndSwap(nil, &zero) {
		if other := g.zero.Load(); other != nil {
			zero = *other
			break
		}
	}
	// Who brings the counter to zero after this sees the channel.
	if g.n.Load() > 0 {
		<-zero
	}
}

// Go runs f in a goroutine that the counter counts.
func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	sched.Go(func() {
		defer g.Done()
		f()
	})
}
