package sync

import (
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// Once is sync.Once.
type Once struct {
	done atomic.Bool
	mu   Mutex
}

// Do calls f if no call before has called its function. It returns after the
// function that was called has returned.
func (o *Once) Do(f func()) {
	sched.Announce(sched.Load, unsafe.Pointer(o))
	if o.done.Load() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.done.Load() {
		return
	}
	defer func() {
		sched.Announce(sched.Store, unsafe.Pointer(o))
		o.done.Store(true)
	}()
	f()
}

// OnceFunc returns a function that calls f once. If f panics, every call
// panics with the same value.
func OnceFunc(f func()) func() {
	once := OnceValue(func() struct{} { f(); return struct{}{} })
	return func() { once() }
}

// OnceValue returns a function that calls f once and returns its result. If f
// panics, every call panics with the same value.
func OnceValue[T any](f func() T) func() T {
	once := OnceValues(func() (T, struct{}) { return f(), struct{}{} })
	return func() T { v, _ := once(); return v }
}

// OnceValues returns a function that calls f once and returns its results. If
// f panics, every call panics with the same value.
func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var (
		once     Once
		returned bool
		panicked any
		v1       T1
		v2       T2
	)
	call := func() {
		defer func() {
			if !returned {
				panicked = recover()
				panic(panicked)
			}
		}()
		v1, v2 = f()
		f, returned = nil, true
	}
	return func() (T1, T2) {
		once.Do(call)
		if !returned {
			panic(panicked)
		}
		return v1, v2
	}
}
