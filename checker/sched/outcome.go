package sched

import "fmt"

// Program is what one execution runs. The functions are fresh closures for
// each execution; what they share is made by Setup.
type Program struct {
	// Setup runs alone before the threads start. Goroutines that it starts are
	// threads of the execution. It may be nil.
	Setup func()
	// Threads run concurrently. They are numbered from 0 in this order.
	Threads []func()
	// Final runs after all Threads have ended; not if they are stuck. It may
	// be nil.
	Final func()
	// Abrupt says that Threads have ended as soon as they have returned, even where
	// goroutines that they started could go on.
	Abrupt bool
}

// State is how far a thread came.
type State uint8

// The states of a thread at the end of an execution.
const (
	// Running: it could have gone on, but the execution ended before.
	Running State = iota
	// Done: its function returned.
	Done
	// Panicked: its function panicked.
	Panicked
	// Exited: it called runtime.Goexit, as testing.T.FailNow does.
	Exited
	// Blocked: it waits for a lock, a channel or the like.
	Blocked
)

var stateNames = [...]string{"running", "done", "panicked", "exited", "blocked"}

// String returns the lower-case name of the state.
func (s State) String() string { return stateNames[s] }

// Result is how one thread ended.
type Result struct {
	State State
	// Panic is what the thread panicked with, and Stack where.
	Panic any
	Stack string
	// Op is what the thread was about to do, if it is Running or Blocked.
	Op Op
}

// Stuck says why an execution came to no end.
type Stuck uint8

// The ways in which an execution is stuck.
const (
	// NotStuck: every thread of the program ended.
	NotStuck Stuck = iota
	// Deadlock: no thread can go on, and the passing of time changes nothing.
	Deadlock
	// Livelock: the threads that can go on only repeat what they did, with
	// nothing changing.
	Livelock
	// Divergence: the bound on steps was reached while things still changed.
	Divergence
	// Halted: the strategy ended the execution.
	Halted
)

var stuckNames = [...]string{"not stuck", "deadlock", "livelock", "divergence", "halted"}

// String returns the lower-case name.
func (s Stuck) String() string { return stuckNames[s] }

// Outcome is one execution. It is valid until the function it was reported to
// returns; Schedule may be kept.
type Outcome struct {
	Schedule Schedule
	// Threads are the results of the threads of the program, in its order.
	Threads []Result
	// Spawned are the results of the goroutines that the code started.
	Spawned []Result
	// Setup and Final are the results of these functions.
	Setup, Final Result
	Stuck        Stuck
	// Steps counts the operations that were announced.
	Steps int
	// Preemptions counts the switches away from a thread that could go on and
	// was not at a [Boundary].
	Preemptions int
	// Diverged says that a schedule that was followed could not be: a thread
	// was to go on that was not able to. The code under test is
	// nondeterministic (map order, select, random numbers, addresses).
	Diverged bool
	// Fingerprint is a hash of what the threads announced in which order:
	// equal schedules have equal ones if the code is deterministic.
	Fingerprint uint64
}

// Complete reports whether every thread of the program returned.
func (o *Outcome) Complete() bool {
	for i := range o.Threads {
		if o.Threads[i].State != Done {
			return false
		}
	}
	return true
}

// Err describes the first panic or, if there is none, what keeps the
// execution from ending; nil if all went well.
func (o *Outcome) Err() error {
	for i := range o.Threads {
		if r := &o.Threads[i]; r.State == Panicked {
			return fmt.Errorf("thread %s panicked: %v", ThreadName(i), r.Panic)
		}
	}
	if o.Stuck != NotStuck {
		return fmt.Errorf("%v after %d steps", o.Stuck, o.Steps)
	}
	return nil
}
