// Package lentread has the feature switches of a service.
package lentread

import "sync"

// RW keeps a T behind a lock for readers and writers.
type RW[T any] struct {
	mu sync.RWMutex
	v  T
}

// Read calls f under the read lock.
func (r *RW[T]) Read(f func(v T)) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	f(r.v)
}

// Write calls f under the write lock.
func (r *RW[T]) Write(f func(v T)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f(r.v)
}

type flag struct {
	on      bool
	changed chan struct{}
}

// Flags are switches by name.
type Flags struct {
	all RW[map[string]*flag]
}

// NewFlags returns no switches.
func NewFlags() *Flags {
	f := &Flags{}
	f.all.v = map[string]*flag{}
	return f
}

// Changed is closed when the switch is turned.
func (f *Flags) Changed(name string) <-chan struct{} {
	var fl *flag
	f.all.Read(func(m map[string]*flag) { fl = m[name] })
	if fl != nil {
		return fl.changed
	}
	fl = &flag{changed: make(chan struct{})}
	f.all.Write(func(m map[string]*flag) { m[name] = fl })
	return fl.changed
}

// Turn turns the switch on and tells who waits.
func (f *Flags) Turn(name string) {
	f.all.Write(func(m map[string]*flag) {
		if fl := m[name]; fl != nil && !fl.on {
			fl.on = true
			close(fl.changed)
		}
	})
}
