package cas

import (
	"errors"
	"sync/atomic"
)

// errBusy is what a loop that gives up says.
var errBusy = errors.New("busy")

// Sticky has a loop that gives up after many rounds, all of which somebody else
// would have to win.
type Sticky struct{ state atomic.Uint32 }

func (s *Sticky) Get() (first bool, err error) {
	for i := 0; i < 1000; i++ {
		switch s.state.Load() {
		case 0:
			if s.state.CompareAndSwap(0, 1) {
				return true, nil
			}
		case 1:
			return false, nil
		}
	}
	return false, errBusy
}

func (s *Sticky) Put() { s.state.CompareAndSwap(1, 0) }

// Brittle gives up after the first round.
type Brittle struct{ state atomic.Uint32 }

func (s *Brittle) Get() (first bool, err error) {
	for i := 0; i < 1; i++ {
		switch s.state.Load() {
		case 0:
			if s.state.CompareAndSwap(0, 1) { // want "lost-update"
				return true, nil
			}
		case 1:
			return false, nil
		}
	}
	return false, errBusy
}

func (s *Brittle) Put() { s.state.CompareAndSwap(1, 0) }
