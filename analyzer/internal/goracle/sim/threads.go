package sim

import (
	"runtime"
	"slices"
	"sync"
)

// Bubble runs f in a testing/synctest bubble, and Settle waits until all other
// goroutines of the bubble are blocked. They are set by the test binary that
// the units are compiled into: only a test can have a bubble.
var (
	Bubble func(f func())
	Settle func()
)

// threads schedule a call that starts goroutines: one of them makes a step at a
// time. Nothing in the program's text is changed for that; a goroutine that
// waits for another is found by the bubble.
type threads struct {
	lock   sync.Mutex
	parked []*thread
	outer  *threads // of the call that the environment interrupts
	done   bool
}

// thread is a goroutine that is about to make a step.
type thread struct {
	proceed chan struct{}
	end     bool // it must not go on
}

// park waits until the scheduler lets the calling goroutine make its step.
func (t *threads) park() {
	self := &thread{proceed: make(chan struct{})}
	t.lock.Lock()
	t.parked = append(t.parked, self)
	t.lock.Unlock()
	<-self.proceed
	if self.end {
		runtime.Goexit()
	}
}

// schedule makes a call whose goroutines are scheduled by choices; before each
// step of theirs the environment may act.
func (r *run) schedule(call func()) {
	t := &threads{outer: r.threads}
	r.threads = t
	defer func() { r.threads = t.outer }()
	go func() {
		defer func() { t.done = true }()
		call()
	}()
	for {
		Settle()
		if len(t.parked) == 0 {
			break
		}
		if r.steps++; r.steps > maxSteps || t.done {
			// It spins, or leaves a goroutine behind.
			r.endless = true
			for _, p := range t.parked {
				p.end = true
				close(p.proceed)
			}
			t.parked = nil
			continue
		}
		r.interrupt()
		i := Next(len(t.parked))
		p := t.parked[i]
		t.parked = slices.Delete(t.parked, i, i+1)
		close(p.proceed)
	}
	if !t.done {
		r.endless = true // all goroutines wait
	}
}
