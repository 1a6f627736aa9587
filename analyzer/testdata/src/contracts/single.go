package contracts

import "sync/atomic"

// Window is summed up by one goroutine while others add to it.
type Window struct{ sum atomic.Int64 }

// Add is safe to call concurrently.
func (w *Window) Add(n int64) { w.sum.Add(n) }

// Take empties it. Take must not be called concurrently.
func (w *Window) Take() int64 {
	n := w.sum.Load()
	w.sum.Store(0)
	return n
}

// Careless does not say of Add that it minds nobody: its author may not have
// thought of what is added in between.
type Careless struct{ sum atomic.Int64 }

func (w *Careless) Add(n int64) { w.sum.Add(n) }

// Take empties it. Take must not be called concurrently.
func (w *Careless) Take() int64 {
	n := w.sum.Load()
	w.sum.Store(0) // want "lost-update"
	return n
}

// Average has one caller, says the interface.
type Average interface {
	// Update is not safe for concurrent use.
	Update(sample int64)
}

type average struct{ value atomic.Int64 }

func (a *average) Update(sample int64) { a.value.Store((7*a.value.Load() + sample) / 8) }

// Value is for everybody.
func (a *average) Value() int64 { return a.value.Load() }

// New makes one.
func New() Average { return &average{} }

// Other has the method and does not implement it.
type Other struct{ value atomic.Int64 }

func (a *Other) Update(sample, weight int64) {
	a.value.Store((weight*a.value.Load() + sample) / (weight + 1)) // want "lost-update"
}

// Stream has a part that must not run beside others, so that the whole must not.
type Stream struct{ sent atomic.Bool }

// SetHeader can be called multiple times. It should not be called in parallel to
// other data writes.
func (s *Stream) SetHeader() bool { return !s.sent.Load() }

func (s *Stream) WriteHeader() bool {
	if !s.SetHeader() {
		return false
	}
	return !s.sent.Swap(true) || fail()
}

// Status has no such part.
func (s *Stream) Status() bool {
	if s.sent.Load() {
		return false
	}
	return !s.sent.Swap(true) || fail() // want "crash"
}

func fail() bool { panic("sent twice") }
