// Package brackets proves that a cell used as a lock is taken for one: an entry
// or a flag that is set by one atomic call, marks work in progress and is
// cleared afterwards. It is there to be seen by others in between, so its two
// calls are not one step. Waiting for a cell to change is no step either. The
// positives set the mark with two calls, or are wrong about who has set it.
package brackets

import (
	"sync"
	"sync/atomic"
	"time"
)

// Job runs unless it is running.
type Job struct{ busy atomic.Bool }

func (j *Job) Run(work func()) bool {
	if !j.busy.CompareAndSwap(false, true) {
		return false
	}
	defer j.busy.Store(false)
	work()
	return true
}

func (j *Job) tryLock() bool { return j.busy.CompareAndSwap(false, true) }
func (j *Job) unlock()       { j.busy.Store(false) }

// RunHelpers does so through methods.
func (j *Job) RunHelpers(work func()) {
	if !j.tryLock() {
		return
	}
	work()
	j.unlock()
}

// JobSwap takes the old value of a Swap for an answer.
type JobSwap struct{ busy atomic.Bool }

func (j *JobSwap) Run(work func()) {
	if j.busy.Swap(true) {
		return
	}
	defer j.busy.Store(false)
	work()
}

// JobWord marks the work in a word.
type JobWord struct{ state atomic.Int32 }

func (j *JobWord) Run(work func()) bool {
	if !j.state.CompareAndSwap(0, 1) {
		return false
	}
	defer j.state.CompareAndSwap(1, 0)
	work()
	return true
}

// JobLoose tests and sets: two callers may get in.
type JobLoose struct{ busy atomic.Bool }

func (j *JobLoose) TryLock() bool {
	if j.busy.Load() {
		return false
	}
	j.busy.Store(true) // want "lost-update"
	return true
}

func (j *JobLoose) Unlock() { j.busy.Store(false) }

// Flights marks the keys in progress.
type Flights struct{ inflight sync.Map }

func (f *Flights) Fetch(key string, fetch func(string)) bool {
	if _, busy := f.inflight.LoadOrStore(key, struct{}{}); busy {
		return false
	}
	defer f.inflight.Delete(key)
	fetch(key)
	return true
}

// FetchInline deletes at the end, without defer.
func (f *Flights) FetchInline(key string, fetch func(string)) {
	_, busy := f.inflight.LoadOrStore(key, true)
	if !busy {
		fetch(key)
		f.inflight.Delete(key)
	}
}

// FlightsLoose marks them by two calls.
type FlightsLoose struct{ inflight sync.Map }

func (f *FlightsLoose) Begin(key string) bool {
	if _, busy := f.inflight.Load(key); busy {
		return false
	}
	f.inflight.Store(key, true) // want "lost-update"
	return true
}

func (f *FlightsLoose) End(key string) { f.inflight.Delete(key) }

// FetchesLoose marks them by two calls in the function that takes the mark away again: that it is there
// meanwhile is what it is for.
type FetchesLoose struct{ inflight, marked sync.Map }

func (f *FetchesLoose) Fetch(key string, fetch func(string)) bool {
	if !f.begin(key) {
		return false
	}
	defer f.end(key) // want "stale-delete"
	fetch(key)
	return true
}

func (f *FetchesLoose) begin(key string) bool {
	if _, busy := f.inflight.Load(key); busy {
		return false
	}
	f.inflight.Store(key, true) // want "lost-update"
	return true
}

func (f *FetchesLoose) end(key string) { f.inflight.Delete(key) }

// FetchRight asks and marks at once.
func (f *FetchesLoose) FetchRight(key string, fetch func(string)) bool {
	if !f.beginRight(key) {
		return false
	}
	defer f.marked.Delete(key)
	fetch(key)
	return true
}

func (f *FetchesLoose) beginRight(key string) bool {
	_, busy := f.marked.LoadOrStore(key, true)
	return !busy
}

// Calls shares a running call: the first caller marks the key with a channel,
// the others wait for it.
type Calls struct{ calls sync.Map }

func (c *Calls) Do(key string, work func(string)) {
	done := make(chan struct{})
	if v, loaded := c.calls.LoadOrStore(key, done); loaded {
		<-v.(chan struct{})
		return
	}
	work(key)
	c.calls.Delete(key)
	close(done)
}

// Ready waits for a flag.
type Ready struct{ ready atomic.Bool }

func (r *Ready) Set() { r.ready.Store(true) }

func (r *Ready) Wait() {
	for !r.ready.Load() {
		time.Sleep(time.Millisecond)
	}
}

func (r *Ready) WaitUntil(stop <-chan struct{}) bool {
	for {
		if r.ready.Load() {
			return true
		}
		select {
		case <-stop:
			return false
		case <-time.After(time.Millisecond):
		}
	}
}

// Box waits for an entry.
type Box struct{ m sync.Map }

func (b *Box) Put(key string, v any) { b.m.Store(key, v) }
func (b *Box) Drop(key string)       { b.m.Delete(key) }

func (b *Box) Wait(key string) any {
	for {
		if v, ok := b.m.Load(key); ok {
			return v
		}
		time.Sleep(time.Millisecond)
	}
}

// WaitTake takes what it waited for, in the call that finds it.
func (b *Box) WaitTake(key string) any {
	for {
		if v, ok := b.m.LoadAndDelete(key); ok {
			return v
		}
		time.Sleep(time.Millisecond)
	}
}

// WaitGone waits until there is none.
func (b *Box) WaitGone(key string) {
	for {
		if _, ok := b.m.Load(key); !ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// SpinLock waits until it is the one who sets the flag.
type SpinLock struct{ held atomic.Bool }

func (l *SpinLock) Lock() {
	for !l.held.CompareAndSwap(false, true) {
		time.Sleep(time.Microsecond)
	}
}

func (l *SpinLock) Unlock() { l.held.Store(false) }
