// Package deferred proves that deferred calls run where Go runs them: under the condition
// under which they were deferred, and when the function panics.
package deferred

import (
	"sync"
	"time"
)

type item struct{ n int }

type Table struct{ m sync.Map }

func (t *Table) Put(k string, v *item) { t.m.Store(k, v) }

// DropFound removes what may be another one by then.
func (t *Table) DropFound(k string, f func() int) any {
	v, ok := t.m.Load(k)
	if ok {
		defer t.m.Delete(k) // want "stale-delete"
	}
	last := &item{n: f()}
	last.n++
	return v
}

//mapatom:atomic
func (t *Table) Take(k string, f func() int) any {
	v, ok := t.m.LoadAndDelete(k)
	if !ok {
		defer t.m.Load(k)
	}
	last := &item{n: f()}
	last.n++
	return v
}

// Panics removes what it found, or a newer one.
func (t *Table) Panics(k string, f func(any) error) {
	v, ok := t.m.Load(k)
	if !ok {
		return
	}
	defer t.m.Delete(k) // want "crash|stale-delete"
	panic(f(v))
}

// PanicsRight removes what it panics with.
//
//mapatom:atomic
func (t *Table) PanicsRight(k string) {
	defer t.m.Load("other")
	if v, ok := t.m.LoadAndDelete(k); ok {
		panic(v)
	}
}

// Recovers from a panic of its own.
func (t *Table) Recovers(k string) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			t.m.Delete(k) // want "stale-delete"
			ok = false
		}
	}()
	if v, found := t.m.Load(k); found {
		panic(v)
	}
	return true
}

// Calm has nothing to recover from.
//
//mapatom:atomic
func (t *Table) Calm(k string) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			t.m.Delete(k)
		}
	}()
	_, found := t.m.Load(k)
	return found
}

// Tasks puts a task back if the function that runs it panics.
type Tasks struct{ m sync.Map }

func (t *Tasks) Put(key string, run func()) { t.m.Store(key, run) }

func (t *Tasks) Run(key string, before func()) {
	v, ok := t.m.Load(key)
	if !ok {
		return
	}
	defer func() {
		if recover() != nil {
			t.m.Store(key, v) // want "lost-update"
		}
	}()
	before()
}

// RunRight gives up the one that it has looked at.
//
//mapatom:atomic may give up
func (t *Tasks) RunRight(key string, before func()) {
	v, ok := t.m.Load(key)
	if !ok {
		return
	}
	defer func() {
		if recover() != nil {
			t.m.CompareAndDelete(key, v)
		}
	}()
	before()
}

// Timed tells how long it took, if somebody wants to know: what the call is told is there only then.
type Timed struct {
	m    sync.Map
	tell func(time.Duration, error)
}

func (t *Timed) took(d time.Duration, err error) { t.tell(d, err) }

func (t *Timed) Get(k string, n int) (int, error) {
	var err error
	if t.tell != nil {
		began := time.Now()
		defer func() { t.took(time.Since(began), err) }()
	}
	if v, ok := t.m.Load(k); ok {
		return v.(int), nil
	}
	t.m.Store(k, n) // want "lost-update"
	return n, nil
}

// GetRight gives out what is there.
//
//mapatom:atomic
func (t *Timed) GetRight(k string, n int) (int, error) {
	var err error
	if t.tell != nil {
		began := time.Now()
		defer func() { t.took(time.Since(began), err) }()
	}
	v, _ := t.m.LoadOrStore(k, n)
	return v.(int), nil
}
