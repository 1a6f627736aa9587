package sched

import (
	"bytes"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// Goroutines that nobody told us of, because the package that starts them is
// not rewritten, and threads that block in such a package run until their
// next step whenever they can, while another thread has the token. As soon as
// there may be one, whoever takes a step is identified by the number of its
// goroutine, which costs a microsecond.

// arrivals are what becomes part of the execution when the bubble is at rest.
type arrivals struct {
	mu      sync.Mutex
	threads []*Thread // strangers, blocked in their first step
	fired   []fired   // functions that a timer has called
}

// fired is a function that a timer has called, and who started that: the origin and
// the execution. The timers of one execution go on in the next.
type fired struct {
	body      func()
	origin    int
	execution uint64
}

// current is the thread that the calling goroutine is.
func (r *run) current() *Thread {
	if !r.unsure.Load() {
		return r.cur
	}
	n := goroutineNumber()
	if t, ok := r.goroutines.Load(n); ok {
		return t.(*Thread)
	}
	return r.stranger(n)
}

// stranger is a new thread for a goroutine of the bubble that is not known;
// nil for the controller and for goroutines outside the bubble, which its
// clock tells: it starts in the year 2000.
func (r *run) stranger(n uint64) *Thread {
	if n == r.controller || time.Now().After(r.begun) {
		return nil
	}
	t := &Thread{run: r, grant: make(chan struct{}, 1), alive: true, phase: native, origin: noOrigin}
	//mapatom:ignore lost-update only the goroutine with this number looks it up
	r.goroutines.Store(n, t)
	r.arrivals.mu.Lock()
	defer r.arrivals.mu.Unlock()
	r.arrivals.threads = append(r.arrivals.threads, t)
	return t
}

// arrive has a function run as a thread: its timer has fired.
func (r *run) arrive(f fired) {
	r.slept.Load()
	if f.execution != r.execution || r.opts.Fires != nil && !r.opts.Fires(f.origin) {
		return
	}
	r.arrivals.mu.Lock()
	r.arrivals.fired = append(r.arrivals.fired, f)
	r.arrivals.mu.Unlock()
	r.report()
}

// admit makes threads of what has arrived.
func (r *run) admit() {
	a := &r.arrivals
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, t := range a.threads {
		t.id = len(r.threads)
		r.threads = append(r.threads, t)
		r.natives++
	}
	for _, f := range a.fired {
		r.spawn(f.body, f.origin)
	}
	a.threads, a.fired = nil, nil
}

// A goroutine that Setup has started, and that waits for something to do, acts for who
// wakes it, until it waits again: what it does then is of that one's origin.

// actsFor sees to that when a thread has come back from a block.
func (r *run) actsFor(t *Thread) {
	if t.origin == noOrigin && !r.passed && r.last != nil && r.last.origin >= 0 {
		t.origin, t.lent = r.last.origin, true
	}
}

// giveBack ends it.
func (t *Thread) giveBack() {
	if t.lent {
		t.origin, t.lent = noOrigin, false
	}
}

// count looks whether there are goroutines that are not known. One that was
// there before the execution may have ended since: it must not hide another.
func (r *run) count() {
	n, others := int64(runtime.NumGoroutine())-r.workers.Load(), r.others.Load()
	switch {
	case n > others:
		r.unsure.Store(true)
	case n < others:
		r.others.CompareAndSwap(others, n)
	}
}

// goroutineNumber is the number that stack dumps have for the calling
// goroutine.
func goroutineNumber() uint64 {
	var buf [40]byte
	text := buf[len("goroutine "):runtime.Stack(buf[:], false)]
	text, _, _ = bytes.Cut(text, []byte(" "))
	n, _ := strconv.ParseUint(string(text), 10, 64)
	return n
}
