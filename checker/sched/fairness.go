package sched

import (
	"slices"
	"unsafe"
)

// A loop that spins until another thread changes something must not keep that
// thread from running, and an exploration must not count to infinity in it.
// A thread is taken to spin when it looks at an object again and again while
// nothing changes. It may be a loop that makes progress of its own, however
// (`for i < n.Load()`), so that it is not simply made to wait: one time it is
// asked whether it goes on or another thread runs; then it goes on without
// being asked, up to a limit.
const (
	spinNotice = 3  // looks at one object, after which the thread may spin
	spinLimit  = 64 // looks after which others go first
	// turnLimit is how many steps a thread takes in a row before others go
	// first: it may spin with steps that do change something, as a lock.
	turnLimit = 1000
	// idleLimit is how often the only threads that can go on look at an object
	// before the execution is taken to be stuck.
	idleLimit = 500
)

// look is how often an object was looked at.
type look struct {
	object unsafe.Pointer
	n      int
}

// look notes what the thread is about to look at.
func (t *Thread) look() {
	if t.changes != t.run.changes {
		t.changes, t.seen = t.run.changes, t.seen[:0]
	}
	for i := range t.seen {
		if t.seen[i].object == t.key {
			t.seen[i].n++
			return
		}
	}
	t.seen = append(t.seen, look{t.key, 1})
}

// rereads is how often the thread has looked before at what it is about to
// look at, with nothing having changed.
func (t *Thread) rereads() int {
	if t.changes != t.run.changes {
		return 0
	}
	for i := range t.seen {
		if t.seen[i].object == t.key {
			return t.seen[i].n - 1
		}
	}
	return 0
}

// idle is how often the threads that can go on have looked in vain, the least
// of them.
func (r *run) idle() int {
	least := idleLimit
	for _, id := range r.enabled {
		if id == Clock || id == specialID {
			return 0
		}
		if n := r.threads[id].rereads(); n < least {
			least = n
		}
	}
	return least
}

// withdraw takes a thread from those that are offered, if there are others:
// the last one if it yields, spins or has had its turn.
func (r *run) withdraw() {
	t := r.last
	if len(r.enabled) < 2 || t == nil || t.id < 0 {
		return
	}
	if t.op.Kind != Yield && t.rereads() < spinLimit && r.turn < turnLimit {
		return
	}
	if i := slices.Index(r.enabled, t.id); i >= 0 {
		r.enabled = slices.Delete(r.enabled, i, i+1)
	}
}
