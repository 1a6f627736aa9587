package atomic

import (
	"sync/atomic"
	"unsafe"

	"github.com/mapatom/mapatom/checker/sched"
)

// original is what the integer types of sync/atomic have in common.
type original[T any] interface {
	Load() T
	Store(T)
	Swap(T) T
	CompareAndSwap(old, new T) bool
	Add(T) T
	And(T) T
	Or(T) T
}

// integer is an R, whose operations are steps.
type integer[T comparable, R any, P interface {
	*R
	original[T]
}] struct {
	v R
}

// Load returns the value.
func (x *integer[T, R, P]) Load() T {
	announce(sched.Load, unsafe.Pointer(x), x)
	return P(&x.v).Load()
}

// Store sets the value.
func (x *integer[T, R, P]) Store(v T) {
	announce(sched.Store, unsafe.Pointer(x), x)
	P(&x.v).Store(v)
}

// Swap sets the value and returns the one before.
func (x *integer[T, R, P]) Swap(v T) T {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return quietIf(t, P(&x.v).Swap(v), v)
}

// CompareAndSwap sets the value if it is old, and reports whether it was.
func (x *integer[T, R, P]) CompareAndSwap(old, new T) bool {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return changed(t, P(&x.v).CompareAndSwap(old, new))
}

// Add adds delta and returns the sum.
func (x *integer[T, R, P]) Add(delta T) T {
	announce(sched.Update, unsafe.Pointer(x), x)
	return P(&x.v).Add(delta)
}

// And keeps the bits that are set in mask and returns the value before.
func (x *integer[T, R, P]) And(mask T) T {
	announce(sched.Update, unsafe.Pointer(x), x)
	return P(&x.v).And(mask)
}

// Or sets the bits that are set in mask and returns the value before.
func (x *integer[T, R, P]) Or(mask T) T {
	announce(sched.Update, unsafe.Pointer(x), x)
	return P(&x.v).Or(mask)
}

// announce is sched.Announce for an object that says what it holds.
func announce(kind sched.Kind, address unsafe.Pointer, object any) *sched.Thread {
	t := sched.Current()
	if t != nil {
		t.Touch(object, nil)
		t.Step(kind, address)
	}
	return t
}

// changed tells the scheduler if a compare-and-swap failed.
func changed(t *sched.Thread, ok bool) bool {
	if !ok {
		t.Quiet()
	}
	return ok
}

// quietIf tells the scheduler if a swap put back what was there: a thread that
// spins on a flag does that.
func quietIf[T comparable](t *sched.Thread, old, new T) T {
	if old == new {
		t.Quiet()
	}
	return old
}

// Int32 is atomic.Int32.
type Int32 struct {
	integer[int32, atomic.Int32, *atomic.Int32]
}

// Int64 is atomic.Int64.
type Int64 struct {
	integer[int64, atomic.Int64, *atomic.Int64]
}

// Uint32 is atomic.Uint32.
type Uint32 struct {
	integer[uint32, atomic.Uint32, *atomic.Uint32]
}

// Uint64 is atomic.Uint64.
type Uint64 struct {
	integer[uint64, atomic.Uint64, *atomic.Uint64]
}

// Uintptr is atomic.Uintptr.
type Uintptr struct {
	integer[uintptr, atomic.Uintptr, *atomic.Uintptr]
}

// Bool is atomic.Bool.
type Bool struct{ v atomic.Bool }

// Load returns the value.
func (x *Bool) Load() bool {
	announce(sched.Load, unsafe.Pointer(x), x)
	return x.v.Load()
}

// Store sets the value.
func (x *Bool) Store(v bool) {
	announce(sched.Store, unsafe.Pointer(x), x)
	x.v.Store(v)
}

// Swap sets the value and returns the one before.
func (x *Bool) Swap(v bool) bool {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return quietIf(t, x.v.Swap(v), v)
}

// CompareAndSwap sets the value if it is old, and reports whether it was.
func (x *Bool) CompareAndSwap(old, new bool) bool {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return changed(t, x.v.CompareAndSwap(old, new))
}

// Pointer is atomic.Pointer.
type Pointer[T any] struct{ v atomic.Pointer[T] }

// Load returns the pointer.
func (x *Pointer[T]) Load() *T {
	announce(sched.Load, unsafe.Pointer(x), x)
	return x.v.Load()
}

// Store sets the pointer.
func (x *Pointer[T]) Store(v *T) {
	announce(sched.Store, unsafe.Pointer(x), x)
	x.v.Store(v)
}

// Swap sets the pointer and returns the one before.
func (x *Pointer[T]) Swap(v *T) *T {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return quietIf(t, x.v.Swap(v), v)
}

// CompareAndSwap sets the pointer if it is old, and reports whether it was.
func (x *Pointer[T]) CompareAndSwap(old, new *T) bool {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return changed(t, x.v.CompareAndSwap(old, new))
}

// Value is atomic.Value.
type Value struct{ v atomic.Value }

// Load returns the value, or nil if none was stored.
func (x *Value) Load() any {
	announce(sched.Load, unsafe.Pointer(x), x)
	return x.v.Load()
}

// Store sets the value. It panics if v is nil or of another type than the
// values before.
func (x *Value) Store(v any) {
	announce(sched.Store, unsafe.Pointer(x), x)
	x.v.Store(v)
}

// Swap sets the value and returns the one before.
func (x *Value) Swap(v any) any {
	announce(sched.Update, unsafe.Pointer(x), x)
	return x.v.Swap(v)
}

// CompareAndSwap sets the value if it is old, and reports whether it was.
func (x *Value) CompareAndSwap(old, new any) bool {
	t := announce(sched.Update, unsafe.Pointer(x), x)
	return changed(t, x.v.CompareAndSwap(old, new))
}
