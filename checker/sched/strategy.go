package sched

// Halt is what [Strategy.Choose] returns to end the execution where it is.
const Halt = -2

// Decision is a place in an execution where someone has to be chosen.
type Decision struct {
	// Step is the number of steps taken so far.
	Step int
	// Current is the thread that took the last step, or -1.
	Current int
	// Enabled are the threads that can go on, in ascending order, Clock last.
	// It is valid during the call only.
	Enabled []int
	// Free says that to leave Current is no preemption: it is not enabled, or
	// it stands at a Boundary or a Yield.
	Free bool

	run *run
}

// entered reports whether Current has just begun an operation: its last step
// was a Start or a Boundary, and it can go on.
func (d *Decision) entered() bool {
	return d.Current >= 0 && (d.run.took == Start || d.run.took == Boundary) && !marks(d.run.thread(d.Current).op.Kind) && d.has(d.Current)
}

// marks reports whether steps of the kind act on nothing.
func marks(k Kind) bool { return k == Start || k == Boundary || k == Yield }

// Next returns what a thread does in its next step.
func (d *Decision) Next(thread int) Op { return d.run.opOf(thread) }

// Object returns what a thread's next step acts on, as Options.OnStep is told
// of it.
func (d *Decision) Object(thread int) (object, key any) {
	t := d.run.thread(thread)
	return t.object, t.mapKey
}

// Program reports whether the thread is one of the program's, rather than
// Clock or a goroutine that the code started.
func (d *Decision) Program(thread int) bool {
	return thread >= 0 && thread < d.run.program
}

// Origin is the thread of the program that a thread is, or that has started it, or
// has started who did; of what Setup has started, who has woken it. It is negative if
// that is none, or not known.
func (d *Decision) Origin(thread int) int {
	if thread < 0 {
		return noOrigin
	}
	return d.run.threads[thread].origin
}

// noOrigin is that of what Setup has started, and of goroutines that code which is
// not rewritten has.
const noOrigin = -1

// has reports whether the thread is enabled.
func (d *Decision) has(thread int) bool {
	for _, e := range d.Enabled {
		if e == thread {
			return true
		}
	}
	return false
}

// def is the choice that preempts nobody: Current if it can go on and does
// not ask others to go first, else the first.
func (d *Decision) def() int {
	if d.has(d.Current) {
		return d.Current
	}
	return d.Enabled[0]
}

// Strategy chooses the schedules that are run. A value is used for one
// exploration, by one goroutine.
type Strategy interface {
	// Begin prepares for the next execution and reports whether there is one.
	// It is called before each execution, the first included.
	Begin() bool
	// Choose returns one of d.Enabled, or Halt. It is called wherever more
	// than one thread is enabled, and where Current is not.
	Choose(d *Decision) int
}
