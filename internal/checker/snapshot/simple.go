package snapshot

import (
	"fmt"
)

// An Event says what an action of a process is.
type Event uint8

// The actions of the paper's section 2.
const (
	InvokeUpdate Event = iota
	ReturnUpdate
	InvokeScan
	ReturnScan
)

// An Action is an invocation or a return, four bytes of a simple history.
type Action struct {
	Process uint16
	Event   Event
	// Values are what InvokeUpdate writes, 0 or 1, to the segment of the
	// process, or what ReturnScan gives for segments i and j. The others give
	// 0 in every simple history.
	Values Values
}

// A Simple is an (i,j)-simple history (definition 4 of the paper): process p
// updates segment p, all segments are 0 at first, only those of I and J are
// ever updated to 1, and those that are stay 1. The order of the actions is
// their order in time.
type Simple struct {
	Processes int
	I, J      int
	Actions   []Action
}

// A Violation says where and why a simple history is not linearizable.
type Violation struct {
	// At is the index of the action that ends the shortest prefix that is
	// not linearizable, the return of a scan.
	At       int
	Property Property
	// Core are indices of invocations, ascending: of the scan, and of the
	// other scans and the updates without which it would be in order.
	Core []int
}

// Validate checks that the history is a simple one: that its processes exist
// and take turns between invocations and returns, and that values are written
// as they may be. The error names the first action that is wrong.
func (h *Simple) Validate() error {
	if h.I < 0 || h.I >= h.J || h.J >= h.Processes {
		return fmt.Errorf("segments %d and %d of %d, want two different ones in order", h.I, h.J, h.Processes)
	}
	open := make([]Event, h.Processes) // what may come next but an invocation
	var ones Values
	for at, a := range h.Actions {
		if int(a.Process) >= h.Processes {
			return fmt.Errorf("action %d: process %d of %d", at, a.Process, h.Processes)
		}
		was := open[a.Process]
		switch a.Event {
		case InvokeUpdate, InvokeScan:
			if was != 0 {
				return fmt.Errorf("action %d: process %d invokes an operation within another", at, a.Process)
			}
			open[a.Process] = a.Event + 1
		case ReturnUpdate, ReturnScan:
			if was != a.Event {
				return fmt.Errorf("action %d: process %d returns from what it did not invoke", at, a.Process)
			}
			open[a.Process] = 0
		default:
			return fmt.Errorf("action %d: event %d", at, a.Event)
		}
		if a.Event == InvokeUpdate {
			mine := h.segment(a.Process)
			if a.Values > 1 || a.Values == 1 && mine == 0 || a.Values == 0 && ones&mine != 0 {
				return fmt.Errorf("action %d: process %d updates to %d, which a simple history does not", at, a.Process, a.Values)
			}
			if a.Values == 1 {
				ones |= mine
			}
		}
	}
	return nil
}

// segment is the bit of the segment that a process updates, 0 if it is none
// of the two.
func (h *Simple) segment(process uint16) Values {
	switch int(process) {
	case h.I:
		return 1
	case h.J:
		return 2
	}
	return 0
}

// Test decides whether the history, which has to be valid, is linearizable,
// and gives nil if it is. It takes time linear in the number of actions (theorem
// 18 of the paper) and a byte of memory a process; a violation takes a second
// look for its reason.
func (h *Simple) Test() *Violation {
	var s State
	floors := make([]Values, h.Processes) // of scans; of updates, their value
	for at, a := range h.Actions {
		switch a.Event {
		case InvokeScan:
			floors[a.Process] = s.Floor()
		case ReturnScan:
			next, ok := s.Scan(floors[a.Process], a.Values)
			if !ok {
				return h.explain(at)
			}
			s = next
		case InvokeUpdate:
			if floors[a.Process] = a.Values; a.Values == 1 {
				s = s.Invoke(int(h.segment(a.Process) - 1))
			}
		case ReturnUpdate:
			if floors[a.Process] == 1 {
				s = s.Return(int(h.segment(a.Process) - 1))
			}
		}
	}
	return nil
}
