package lineup

import (
	"slices"

	"github.com/mapatom/mapatom/checker/sched"
)

// serially enumerates the orders in which the operations of a plan can be
// run one after the other, each once. It is the strategy of phase 1.
//
// Goroutines that the code under test has started run between operations
// until all of them are blocked, and within one only if it waits for them. So
// one execution for each order is enough: the proof that a failure is one
// (Theorem 5 of the paper) asks of phase 1 only that each order was run, since
// a type that is linearizable with respect to a deterministic specification
// shows the same history in every execution of it.
type serially struct {
	rec   *recorder
	path  []fork
	depth int // how much of the path the execution has followed
	begun bool
}

// fork is a choice between threads whose next operation may come next.
type fork struct {
	threads []int
	at      int
}

// Begin goes on to the next order: the deepest fork that has a thread left
// takes it.
func (s *serially) Begin() bool {
	s.depth = 0
	if !s.begun {
		s.begun = true
		return true
	}
	for n := len(s.path) - 1; n >= 0; n-- {
		if f := &s.path[n]; f.at+1 < len(f.threads) {
			f.at++
			s.path = s.path[:n+1]
			return true
		}
	}
	return false
}

// Choose keeps to the thread that is within an operation.
func (s *serially) Choose(d *sched.Decision) int {
	if open := s.rec.open; open >= 0 {
		if slices.Contains(d.Enabled, open) {
			return open
		}
		return s.background(d, true)
	}
	if id := s.background(d, false); id != sched.Halt {
		return id
	}
	threads := s.program(d)
	if len(threads) == 0 {
		return sched.Halt
	}
	if s.depth == len(s.path) {
		s.path = append(s.path, fork{threads: threads})
	}
	f := &s.path[s.depth]
	s.depth++
	return f.threads[f.at]
}

// background is a goroutine of the code under test that can go on, or time if
// that may pass.
func (s *serially) background(d *sched.Decision, clock bool) int {
	for _, id := range d.Enabled {
		if !d.Program(id) && (id != sched.Clock || clock) {
			return id
		}
	}
	return sched.Halt
}

// program are the threads of the test that can go on.
func (s *serially) program(d *sched.Decision) []int {
	var ids []int
	for _, id := range d.Enabled {
		if d.Program(id) {
			ids = append(ids, id)
		}
	}
	return ids
}
