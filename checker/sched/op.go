package sched

import "fmt"

// Kind is the kind of a step.
type Kind uint8

// The kinds of steps.
const (
	// Start is the first step of a thread.
	Start Kind = iota
	// Boundary is a step between two operations of a test: to switch there
	// is no preemption.
	Boundary
	// Yield is a step of a thread that says it has nothing better to do, as
	// by runtime.Gosched: others go first.
	Yield
	// Load reads memory.
	Load
	// Store writes memory.
	Store
	// Update reads and writes memory in one step.
	Update
	// Lock acquires a lock, RLock a lock for reading, Unlock releases one.
	Lock
	RLock
	Unlock
	// Drain waits for the readers of a lock to leave.
	Drain
	// Wait waits for other threads: sync.WaitGroup, sync.Cond.
	Wait
	// Signal lets those that Wait go on.
	Signal
	// Channel is an operation on a channel, or a select.
	Channel
	// Spawn starts a goroutine.
	Spawn
	// Resume goes on after an operation that blocked.
	Resume
	// Call is an operation on a larger object that is atomic, as sync.Map's.
	Call
	// RUnlock releases a lock for reading.
	RUnlock
)

var kindNames = [...]string{"start", "boundary", "yield", "load", "store", "update", "lock", "rlock", "unlock", "drain", "wait", "signal", "channel", "spawn", "resume", "call", "runlock"}

// String returns the lower-case name of the kind.
func (k Kind) String() string { return kindNames[k] }

// changing reports whether a step of the kind changes what others see, as far
// as can be told before it is done.
func (k Kind) changing() bool { return k != Load && k != Drain && k != Yield && k != Resume }

// Op is what a thread does in one step.
type Op struct {
	Kind Kind
	// Object numbers what the step acts on, in the order of first use in the
	// execution; 0 if there is no object.
	Object int32
	// File and Line are where the step stands, if [Options.Positions] is set.
	File string
	Line int
	// Within says that the step is taken by something that is called there,
	// which Options.Sites does not have.
	Within bool
}

// String returns the step as a line of a trace has it.
func (o Op) String() string {
	s := o.Kind.String()
	if o.Object != 0 {
		s = fmt.Sprintf("%s #%d", s, o.Object)
	}
	if o.File != "" {
		s = fmt.Sprintf("%s at %s:%d", s, o.File, o.Line)
	}
	return s
}
