package verify

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mapatom/mapatom/checker/snapshot/algorithm"
)

// checkEvery is how many states are visited between two looks at the clock,
// the budgets and whether somebody wants it to end.
const checkEvery = 1 << 12

// noParent is the parent of the initial state.
const noParent = ^uint32(0)

// exploration is a search of one product.
type exploration struct {
	*product
	ctx     context.Context
	store   *store
	parents []uint32 // by state
	moved   []move   // that made it of its parent
	matched int64
	level   int // operations that were begun

	memory, states int64  // budgets, 0 for none
	report         func() // told now and then that it goes on; may be nil
	visited        int64
	reported       time.Time

	// Buffers: where the state that is visited is in the store, where the one
	// that follows is, and the latter's words.
	here, there *path
	words       []uint64
	x           algorithm.Thread
	choices     []move
}

// reportEvery is the time between two reports.
const reportEvery = 200 * time.Millisecond

// What ends an exploration early.
var (
	errMemory = errors.New("the memory budget is used up")
	errStates = errors.New("the budget of states is used up")
)

func newExploration(ctx context.Context, p *product) *exploration {
	words := p.machine.StateSize() / 8
	e := &exploration{product: p, ctx: ctx, store: newStore(words), words: make([]uint64, words), reported: time.Now()}
	e.here, e.there = e.store.newPath(), e.store.newPath()
	return e
}

// run visits all states in which at most so many operations were begun, 0 for
// any number, and gives the move that was wrong and the state in which it was
// made.
func (e *exploration) run(most int) (at uint32, wrong *move, err error) {
	e.machine.Init(bytesOf(e.words))
	e.machine.Normalize(bytesOf(e.words))
	if _, _, err := e.store.add(e.here, e.there, e.words, true); err != nil {
		return 0, nil, err
	}
	e.parents, e.moved = append(e.parents, noParent), append(e.moved, move{})
	// A level is the states that take the same number of operations to
	// reach. What can be reached without beginning another one comes first.
	begin, next := 0, 0
	for e.level = 0; ; e.level++ {
		for ; next < e.store.len(); next++ {
			if wrong, err := e.visit(uint32(next), false); wrong != nil || err != nil {
				return uint32(next), wrong, err
			}
		}
		if begin == next || most > 0 && e.level == most {
			return 0, nil, nil
		}
		for end := next; begin < end; begin++ {
			if wrong, err := e.visit(uint32(begin), true); wrong != nil || err != nil {
				return uint32(begin), wrong, err
			}
		}
	}
}

// visit makes the moves of a state: those that begin an operation, or the
// others.
func (e *exploration) visit(id uint32, begin bool) (*move, error) {
	e.store.set(e.here, id)
	e.choices = e.moves(bytesOf(e.here.words), begin, e.choices[:0])
	for _, m := range e.choices {
		copy(e.words, e.here.words)
		if _, ok := e.do(&e.x, bytesOf(e.words), m); !ok {
			return &m, nil
		}
		_, added, err := e.store.add(e.here, e.there, e.words, false)
		if err != nil {
			return nil, err
		}
		if !added {
			e.matched++
			continue
		}
		e.parents, e.moved = append(e.parents, id), append(e.moved, m)
	}
	if e.visited++; e.visited%checkEvery == 0 {
		return nil, e.check()
	}
	return nil, nil
}

// check looks at the budgets, and reports.
func (e *exploration) check() error {
	if e.report != nil && time.Since(e.reported) >= reportEvery {
		e.report()
		e.reported = time.Now()
	}
	switch {
	case e.ctx.Err() != nil:
		return e.ctx.Err()
	case e.memory > 0 && e.bytes() > e.memory:
		return errMemory
	case e.states > 0 && int64(e.store.len()) > e.states:
		return errStates
	}
	return nil
}

// bytes is the memory in use.
func (e *exploration) bytes() int64 {
	return e.store.bytes() + int64(cap(e.parents))*4 + int64(cap(e.moved))*3
}

// trace gives the moves that lead to a state.
func (e *exploration) trace(id uint32) []move {
	var back []move
	for ; e.parents[id] != noParent; id = e.parents[id] {
		back = append(back, e.moved[id])
	}
	slices.Reverse(back)
	return back
}
