package sched

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"unsafe"
)

// Gate is what a thread may have to wait for. Open is called only while no
// thread runs, and changes nothing.
type Gate interface{ Open() bool }

// Thread is a goroutine of a controlled execution. Its methods are for the
// drop-ins and for rewritten code; each is called by the thread itself.
type Thread struct {
	run *run
	id  int
	// origin is the thread of the program that it is, or that has started it,
	// or who has.
	origin int
	lent   bool // it is not its own, see actsFor
	grant  chan struct{}
	body   func()

	phase phase
	op    Op
	key   unsafe.Pointer
	size  uintptr // bytes that the step acts on, from key; 0 is one
	gate  Gate
	// object and mapKey are what key points to, where a drop-in says so.
	object, mapKey any
	// bracketed says that it says itself when it is back from what may block
	// where only the bubble sees it.
	bracketed bool
	// woken and over say that it came back from such a block, and that it
	// ended after it. They are written by the thread and read when the bubble
	// is at rest.
	woken, over bool
	// aborted says that the execution is over and the thread only unwinds;
	// unwound counts the steps it made since.
	aborted bool
	unwound int

	// seen is what it has looked at since the last change, of which there were
	// changes then.
	seen    []look
	changes int

	result Result
	alive  bool // there is a goroutine behind it
	taken  int  // steps that it has taken
}

// phase is where a thread is, as the scheduler sees it.
type phase uint8

const (
	idle    phase = iota // not part of the execution now
	ready                // at a step, or about to start
	holding              // has the token
	native               // blocked where only the bubble sees it
	ended
)

// Current returns the thread that the calling goroutine is, or nil outside a
// controlled execution.
func Current() *Thread {
	r := active.Load()
	if r == nil {
		return nil
	}
	r.slept.Load()
	r.count() // the caller itself may be one that nobody told us of
	return r.current()
}

// Called and Returned say that the calling thread has begun an operation of the
// test, or ended one: who looks at the order of these can tell two schedules
// apart that do the same with all objects. They are no steps.
func Called() { edge(false) }

// Returned is described at Called.
func Returned() { edge(true) }

func edge(returned bool) {
	r := active.Load()
	if r == nil || r.observer == nil || r.stage != main {
		return
	}
	if t := r.current(); t != nil {
		r.observer.edge(t.id, returned)
	}
}

// Announce is Step of the calling goroutine's thread, which it returns; nil,
// and nothing else, outside a controlled execution.
func Announce(kind Kind, object unsafe.Pointer) *Thread {
	t := Current()
	if t != nil {
		t.Step(kind, object)
	}
	return t
}

// Touch says what the thread's next step acts on, for Options.OnStep. A thread
// of nil accepts it.
func (t *Thread) Touch(object, key any) {
	if t != nil {
		t.object, t.mapKey = object, key
	}
}

// Step announces that the thread is about to act on the object, and returns
// when it has been chosen to do so.
func (t *Thread) Step(kind Kind, object unsafe.Pointer) { t.Await(kind, object, nil) }

// Await is Step for an operation that is possible only while the gate is
// open; the thread is not chosen before.
func (t *Thread) Await(kind Kind, object unsafe.Pointer, gate Gate) {
	t.run.slept.Load()
	if t.aborted {
		t.unwinding(gate)
		return
	}
	t.op, t.key, t.gate = Op{Kind: kind}, object, gate
	if t.phase != native { // else another thread may be making changes
		t.look()
	}
	if t.run.opts.Positions {
		t.op.File, t.op.Line, t.op.Within = t.run.caller()
	}
	t.run.pass(t)
	if t.aborted {
		runtime.Goexit()
	}
	t.gate, t.object, t.mapKey, t.size = nil, nil, nil, 0
}

// unwindSteps bounds what a deferred function may do while its thread is
// being ended.
const unwindSteps = 1000

// unwinding lets deferred functions pass, so that a lock which outlives the
// execution is released, unless they wait or do not end.
func (t *Thread) unwinding(gate Gate) {
	t.unwound++
	if t.unwound > unwindSteps || gate != nil && !gate.Open() {
		runtime.Goexit()
	}
}

// Awaited reports whether a thread is about to act on the object in the way
// given. It is for a Gate.
func Awaited(kind Kind, object unsafe.Pointer) bool {
	r := active.Load()
	if r == nil {
		return false
	}
	stands := func(t *Thread) bool { return t.phase == ready && t.op.Kind == kind && t.key == object }
	return slices.ContainsFunc(r.threads, stands) || stands(r.special)
}

// Quiet says of the thread's last step that it changed nothing, as a
// compare-and-swap that failed. A thread of nil accepts it.
func (t *Thread) Quiet() {
	if t == nil {
		return
	}
	t.run.changes--
	if o := t.run.observer; o != nil {
		o.quiet(t.id)
	}
}

// Before is Step for an operation that may block where only the bubble sees
// it, as on a channel. The thread calls After on the result once the
// operation is done. Outside a controlled execution Before returns nil, which
// After accepts.
func Before(kind Kind) *Thread { return before(kind, nil) }

func before(kind Kind, object unsafe.Pointer) *Thread {
	t := Announce(kind, object)
	if t != nil {
		t.bracketed = true
	}
	return t
}

// After ends what Before began.
func (t *Thread) After() {
	if t == nil {
		return
	}
	t.run.slept.Load()
	t.bracketed = false
	if t.phase == native {
		t.Step(Resume, nil)
	}
}

// Aborted reports whether the execution is over and the thread is only
// unwinding: what its deferred functions do no longer matters.
func (t *Thread) Aborted() bool { return t.aborted }

// Mark announces a step without an object. A test calls it with Boundary
// between its operations. Outside a controlled execution it does nothing.
func Mark(kind Kind) { Announce(kind, nil) }

// Go starts a goroutine, which is a thread if the caller is one.
func Go(f func()) {
	t := Current()
	if t == nil {
		go f()
		return
	}
	t.Step(Spawn, nil)
	child := t.run.spawn(f, t.origin)
	if o := t.run.observer; o != nil {
		o.spawned(t.id, child.id)
	}
}

// serve runs bodies until the bubble closes. The goroutine is used again by
// later executions unless a body ends it.
func (t *Thread) serve() {
	n := goroutineNumber()
	t.run.goroutines.Store(n, t)
	defer t.run.goroutines.CompareAndDelete(n, t)
	for {
		<-t.grant
		if t.body == nil {
			t.alive = false
			return
		}
		t.runBody()
	}
}

// runBody calls the body and hands the token on, however the body ends.
func (t *Thread) runBody() {
	returned := false
	defer func() {
		if !returned {
			t.died(recover())
		}
		t.run.end(t)
	}()
	t.body()
	returned = true
	t.result.State = Done
}

// died records a panic or, if there is none, a Goexit, which also ends the
// goroutine.
func (t *Thread) died(panicked any) {
	if panicked == nil {
		t.alive = false
		t.run.workers.Add(-1)
		t.result.State = Exited
		return
	}
	t.result = Result{State: Panicked, Panic: panicked, Stack: string(debug.Stack())}
	if e, ok := panicked.(error); ok {
		if _, ok := e.(runtime.Error); ok {
			t.result.Panic = fmt.Sprint(e)
		}
	}
}

// start gives the thread a body. The goroutine behind it is made if there is
// none.
func (t *Thread) start(body func()) {
	t.body, t.phase, t.op, t.key, t.size, t.gate = body, ready, Op{Kind: Start}, nil, 0, nil
	t.taken, t.lent = 0, false
	t.bracketed, t.woken, t.over, t.aborted = false, false, false, false
	t.result, t.unwound, t.seen = Result{}, 0, t.seen[:0]
	if !t.alive {
		t.alive = true
		t.run.workers.Add(1)
		go t.serve()
	}
}

// Execution returns a number that is the thread's execution's own in this
// process.
func (t *Thread) Execution() uint64 { return t.run.execution }

// Stamp is a number for the step that the thread is taking: among the steps of
// an execution no other has it, and it is the same in every execution that
// differs only in the order of steps that have nothing to do with each other.
func (t *Thread) Stamp() int64 { return int64(t.id+1)<<32 | int64(t.taken) }
