package lineup

import "sync/atomic"

// The state of a ManualResetEvent: whether it is set, and how many may wait.
const (
	set    = 1
	waiter = 2
)

// ManualResetEvent lets those who Wait pass while it is set. Reset closes it
// again. A Wait may miss that it was set for a moment.
type ManualResetEvent struct {
	state atomic.Int64
	gate  atomic.Pointer[chan struct{}] // closed when those who wait may look again
}

func NewManualResetEvent() *ManualResetEvent {
	e := &ManualResetEvent{}
	e.gate.Store(newGate())
	return e
}

func newGate() *chan struct{} {
	g := make(chan struct{})
	return &g
}

func (e *ManualResetEvent) Wait() {
	for {
		gate := e.gate.Load()
		local := e.state.Load()
		if local&set != 0 {
			return
		}
		// A Set that comes after this sees a waiter and opens the gate; one
		// that came before it has changed the state, or the gate is open.
		if e.state.CompareAndSwap(local, local+waiter) {
			<-*gate
		}
	}
}

func (e *ManualResetEvent) Set() {
	for {
		local := e.state.Load()
		if local&set != 0 {
			return
		}
		if e.state.CompareAndSwap(local, set) {
			if local >= waiter {
				close(*e.gate.Swap(newGate()))
			}
			return
		}
	}
}

func (e *ManualResetEvent) Reset() {
	for {
		local := e.state.Load()
		if local&set == 0 || e.state.CompareAndSwap(local, local&^set) {
			return
		}
	}
}

func (e *ManualResetEvent) IsSet() bool { return e.state.Load()&set != 0 }

// WaitOne is Wait that does not block.
func (e *ManualResetEvent) WaitOne() bool { return e.IsSet() }

// ManualResetEventPre has the mistyped compare-and-swap (root cause A): the
// new state is computed from a second look at the old one. If it was set and
// reset in between, the swap succeeds and leaves an event that looks set and
// has a waiter that nobody will wake (Figure 9).
//
//	Wait() | Set() Reset() Set()
type ManualResetEventPre struct{ ManualResetEvent }

func NewManualResetEventPre() *ManualResetEventPre {
	e := &ManualResetEventPre{}
	e.gate.Store(newGate())
	return e
}

func (e *ManualResetEventPre) Wait() {
	for {
		gate := e.gate.Load()
		local := e.state.Load()
		if local&set != 0 {
			return
		}
		next := e.state.Load() + waiter // local + waiter was meant
		if e.state.CompareAndSwap(local, next) {
			<-*gate
		}
	}
}
