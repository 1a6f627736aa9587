package sched

import (
	"reflect"
	"unsafe"
)

// observer is a strategy that is told what the threads do.
type observer interface {
	// stepped is told of a step that is about to be taken, by the clock too.
	stepped(r *run, t *Thread)
	// quiet says that the thread's last step changed nothing.
	quiet(thread int)
	// edge says that the thread's last step began an operation of the test,
	// or ended one.
	edge(thread int, returned bool)
	// spawned says that a thread has started another.
	spawned(parent, child int)
	// ended is told how an execution has ended, before the threads that are
	// left are unwound.
	ended(r *run)
}

// action is what a step does, as far as it matters to other steps.
type action struct {
	kind   Kind
	object unsafe.Pointer
	number int32 // of the object in the execution
	size   uintptr
	key    any // of a sync.Map's entry; nil for all
	clock  bool
	quiet  bool // it changed nothing
}

// actionOf is what a thread does in its next step.
func (r *run) actionOf(t *Thread) action {
	if t == clock {
		return action{kind: Wait, clock: true}
	}
	return action{kind: t.op.Kind, object: t.key, number: r.object(t.key), size: max(t.size, 1), key: plainKey(t.mapKey)}
}

// plainKey is a key that stays the same from one execution to the next; nil,
// which stands for all keys, for one that may not.
func plainKey(key any) any {
	switch reflect.ValueOf(key).Kind() {
	case reflect.Bool, reflect.String, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return key
	}
	return nil
}

// commutes reports whether the two actions, of different threads, have the
// same effects in either order.
func (a *action) commutes(b *action) bool {
	switch {
	case a.anything() || b.anything():
		return false
	case marks(a.kind) || marks(b.kind):
		return true
	case a.kind == Spawn || b.kind == Spawn:
		return a.kind != b.kind // the numbers of threads are given in turn
	case a.kind == Channel && b.kind == Channel:
		return a.object != nil && b.object != nil && a.object != b.object
	case !a.overlaps(b):
		return true
	}
	return a.reads() && b.reads() || a.shares() && b.shares()
}

// anything reports whether the step may have to do with any other: time
// passes, or a thread goes on after it was blocked where only the bubble sees
// it.
func (a *action) anything() bool {
	return a.clock || a.kind == Resume || a.kind == Wait && a.object == nil
}

func (a *action) overlaps(b *action) bool {
	if a.object == nil || b.object == nil {
		return false
	}
	if a.object == b.object {
		return a.key == nil || b.key == nil || a.key == b.key
	}
	x, y := uintptr(a.object), uintptr(b.object)
	return x < y+b.size && y < x+a.size
}

func (a *action) reads() bool  { return a.kind == Load || a.kind == Update && a.quiet }
func (a *action) shares() bool { return a.kind == RLock || a.kind == RUnlock }

// excludes reports whether b cannot be taken where a can: the lock that a
// releases is held until then.
func (a *action) excludes(b *action) bool {
	switch a.kind {
	case Unlock:
		return b.kind == Lock || b.kind == RLock || b.kind == Drain
	case RUnlock:
		return b.kind == Drain
	}
	return false
}
