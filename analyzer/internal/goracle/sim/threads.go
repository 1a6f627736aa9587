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
	file   string   // in which places are of interest, if they are
	done   bool
}

// thread is a goroutine that is about to make a step.
type thread struct {
	proceed chan struct{}
	end     bool  // it must not go on
	at      []int // where it is, if somebody asks: see lines
}

// park waits until the scheduler lets the calling goroutine make its step.
func (t *threads) park() {
	self := &thread{proceed: make(chan struct{})}
	if t.file != "" {
		self.at = lines(t.file)
	}
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
	t := &threads{outer: r.threads, file: r.file}
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
			t.end()
			continue
		}
		r.settle()
		r.interrupt()
		t.release(Next(len(t.parked)))
	}
	if !t.done {
		r.endless = true // all goroutines wait
	}
}

// release lets a parked goroutine make its step.
func (t *threads) release(i int) {
	p := t.parked[i]
	t.parked = slices.Delete(t.parked, i, i+1)
	close(p.proceed)
}

// end ends all parked goroutines, but for what they have deferred.
func (t *threads) end() {
	for _, p := range t.parked {
		p.end = true
		close(p.proceed)
	}
	t.parked = nil
}

// visit is a call by the environment that starts goroutines: next lets one of them make
// a step, up to where parts says that the next operation is of another one, and reports
// whether there is one; stop ends all of them. Made is told of each operation.
func (t *threads) visit(call func(), parts func(here []int) bool, made func(here []int)) (next func() bool, stop func()) {
	begun := false
	aside := func(f func()) {
		t.outer, cur.threads = cur.threads, t
		defer func() { cur.threads = t.outer }()
		f()
	}
	begin := func() {
		begun = true
		go func() {
			defer func() { t.done = true }()
			call()
		}()
	}
	next = func() (more bool) {
		aside(func() {
			goes := begun
			if !begun {
				begin()
			}
			for first := goes; ; first = false {
				Settle()
				if len(t.parked) == 0 || t.done {
					cur.endless = cur.endless || len(t.parked) > 0 || !t.done
					return
				}
				if more = parts(t.parked[0].at) && !first; more {
					return
				}
				made(t.parked[0].at)
				cur.settle()
				if cur.steps++; cur.steps > maxSteps {
					cur.endless = true
					return
				}
				if t.release(0); cur.endless { // it waits for another call
					return
				}
			}
		})
		return more
	}
	stop = func() {
		aside(func() {
			for Settle(); len(t.parked) > 0; Settle() {
				t.end()
			}
		})
	}
	return next, stop
}
