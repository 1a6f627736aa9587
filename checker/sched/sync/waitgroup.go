package sync

import (
	"sync"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// WaitGroup is sync.WaitGroup. It does not contain one: that would belong to
// the first bubble it is used in.
type WaitGroup struct {
	mu   sync.Mutex
	n    int
	zero chan struct{} // closed when n becomes zero; made by those who wait outside control
}

type waitGroupGate WaitGroup

func (g *waitGroupGate) Open() bool { return g.n == 0 }

// Add adds delta, which may be negative, to the counter. It panics if that
// becomes negative.
func (g *WaitGroup) Add(delta int) {
	sched.Announce(sched.Signal, unsafe.Pointer(g))
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += delta
	if g.n < 0 {
		panic("sync: negative WaitGroup counter")
	}
	if g.n == 0 && g.zero != nil {
		close(g.zero)
		g.zero = nil
	}
}

// Done takes one from the counter.
func (g *WaitGroup) Done() { g.Add(-1) }

// Wait waits until the counter is zero.
func (g *WaitGroup) Wait() {
	if t := sched.Current(); t != nil {
		t.Await(sched.Wait, unsafe.Pointer(g), (*waitGroupGate)(g))
		return
	}
	g.mu.Lock()
	if g.n == 0 {
		g.mu.Unlock()
		return
	}
	if g.zero == nil {
		g.zero = make(chan struct{})
	}
	zero := g.zero
	g.mu.Unlock()
	<-zero
}

// Go runs f in a goroutine that the counter counts.
func (g *WaitGroup) Go(f func()) {
	g.Add(1)
	sched.Go(func() {
		defer g.Done()
		f()
	})
}
