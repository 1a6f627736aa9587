package sched

import "unsafe"

// The functions of this file are what plain reads and writes of shared
// variables become in rewritten code.

// Read announces that *p is read, and returns p.
func Read[T any](p *T) *T {
	announceSized(Load, unsafe.Pointer(p), unsafe.Sizeof(*p))
	return p
}

// Write announces that *p is written, and returns p.
func Write[T any](p *T) *T {
	announceSized(Store, unsafe.Pointer(p), unsafe.Sizeof(*p))
	return p
}

// Writer returns a function that writes *p, which it announces once the value
// is known.
func Writer[T any](p *T) func(T) {
	return func(v T) {
		announceSized(Store, unsafe.Pointer(p), unsafe.Sizeof(*p))
		*p = v
	}
}

// ReadMap announces that the contents of m are looked at, and returns m.
func ReadMap[M ~map[K]V, K comparable, V any](m M) M {
	Announce(Load, mapPointer(unsafe.Pointer(&m)))
	return m
}

// WriteMap announces that the contents of m are changed, and returns m.
func WriteMap[M ~map[K]V, K comparable, V any](m M) M {
	Announce(Store, mapPointer(unsafe.Pointer(&m)))
	return m
}

// MapWriter returns a function that sets an element of m, which it announces
// once the value is known.
func MapWriter[M ~map[K]V, K comparable, V any](m M) func(K, V) {
	return func(k K, v V) {
		Announce(Store, mapPointer(unsafe.Pointer(&m)))
		m[k] = v
	}
}

// announceSized is Announce of something that is not one word.
func announceSized(kind Kind, p unsafe.Pointer, size uintptr) {
	if t := Current(); t != nil {
		t.size = size
		t.Step(kind, p)
	}
}

// mapPointer is what a variable that is a map points to.
func mapPointer(variable unsafe.Pointer) unsafe.Pointer {
	return *(*unsafe.Pointer)(variable)
}
