package sched

import (
	"iter"
	"reflect"
	"time"
	"unsafe"
)

// The functions of this file are what rewritten code calls in the place of
// statements and functions of the language and the standard library.

// Spawner returns a function that starts a goroutine which calls f, as a go
// statement does. F is a function type.
func Spawner[F any](f F) F {
	if f, ok := any(f).(func()); ok {
		return any(func() { Go(f) }).(F)
	}
	v := reflect.ValueOf(f)
	t := v.Type()
	call := v.Call
	if t.IsVariadic() {
		call = v.CallSlice
	}
	var results []reflect.Value
	for i := range t.NumOut() {
		results = append(results, reflect.Zero(t.Out(i)))
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		Go(func() { call(args) })
		return results
	}).Interface().(F)
}

// on is Before of an operation on the channel c.
func on[C any](c C) *Thread { return before(Channel, channelPointer(unsafe.Pointer(&c))) }

// channelPointer is what a variable that is a channel points to.
func channelPointer(variable unsafe.Pointer) unsafe.Pointer { return *(*unsafe.Pointer)(variable) }

// Sender returns a function that sends to c.
func Sender[T any](c chan<- T) func(T) {
	return func(v T) {
		defer on(c).After()
		c <- v
	}
}

// Receive receives from c.
func Receive[T any](c <-chan T) T {
	defer on(c).After()
	return <-c
}

// ReceiveOK receives from c and reports whether it was open.
func ReceiveOK[T any](c <-chan T) (T, bool) {
	defer on(c).After()
	v, ok := <-c
	return v, ok
}

// Received is what is received from c until it is closed.
func Received[T any](c <-chan T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for {
			if v, ok := ReceiveOK(c); !ok || !yield(v) {
				return
			}
		}
	}
}

// Close closes c.
func Close[T any](c chan<- T) {
	Announce(Channel, channelPointer(unsafe.Pointer(&c)))
	close(c)
}

// Sleeper returns time.Sleep, which it is given.
func Sleeper(sleep func(time.Duration)) func(time.Duration) {
	return func(d time.Duration) {
		defer Timer(Before)(Wait).After()
		sleep(d)
	}
}

// Timer returns f, a function that starts a timer. From then on the passing of
// time is something that can be chosen.
func Timer[F any](f F) F {
	if t := Current(); t != nil {
		t.run.timers = true
	}
	return f
}

// Later returns time.AfterFunc, which it is given, for functions that run as
// threads.
func Later(after func(time.Duration, func()) *time.Timer) func(time.Duration, func()) *time.Timer {
	return func(d time.Duration, f func()) *time.Timer {
		t := Current()
		if t == nil {
			return after(d, f)
		}
		t.run.timers = true
		timer := fired{f, t.origin, t.run.execution}
		return after(d, func() { t.run.arrive(timer) })
	}
}

// Yielder returns a function to call in the place of runtime.Gosched, which it
// is given.
func Yielder(gosched func()) func() {
	if t := Current(); t != nil {
		return func() { t.Step(Yield, nil) }
	}
	return gosched
}

// Finalizer returns a function to call in the place of runtime.SetFinalizer,
// which it is given. Objects of an execution have no finalizers: these would
// run in or after any other, whenever memory is collected.
func Finalizer(set func(object, finalizer any)) func(object, finalizer any) {
	if Current() != nil {
		return func(any, any) {}
	}
	return set
}
