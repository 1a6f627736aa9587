package sync

import (
	"sync"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Cond is sync.Cond: those who wait are woken in the order in which they came.
type Cond struct {
	// L is held when the condition is looked at or changed.
	L Locker

	mu      sync.Mutex
	waiting []*ticket
}

// ticket is one that waits. Outside control it waits on woken, else for open.
type ticket struct {
	woken chan struct{}
	open  bool
}

// Open reports whether the one that waits has been woken.
func (w *ticket) Open() bool { return w.open }

// NewCond returns a Cond with the lock l.
func NewCond(l Locker) *Cond { return &Cond{L: l} }

// Wait releases c.L, waits for Signal or Broadcast, and takes c.L again. Who
// signals without c.L may come before those that are about to wait.
func (c *Cond) Wait() {
	w := &ticket{}
	t := sched.Announce(sched.Wait, unsafe.Pointer(c))
	if t == nil {
		w.woken = make(chan struct{})
	}
	c.mu.Lock()
	c.waiting = append(c.waiting, w)
	c.mu.Unlock()
	c.L.Unlock()
	if t == nil {
		<-w.woken
	} else {
		t.Await(sched.Wait, unsafe.Pointer(c), w)
	}
	c.L.Lock()
}

// Signal wakes the one that has waited longest.
func (c *Cond) Signal() { c.wake(1) }

// Broadcast wakes all that wait.
func (c *Cond) Broadcast() { c.wake(-1) }

// wake wakes n of those that wait, all of them if n is negative.
func (c *Cond) wake(n int) {
	sched.Announce(sched.Signal, unsafe.Pointer(c))
	c.mu.Lock()
	defer c.mu.Unlock()
	if n < 0 || n > len(c.waiting) {
		n = len(c.waiting)
	}
	for _, w := range c.waiting[:n] {
		w.open = true
		if w.woken != nil {
			close(w.woken)
		}
	}
	c.waiting = append([]*ticket(nil), c.waiting[n:]...)
}
