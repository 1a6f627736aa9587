package reach

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A System is what is explored.
type System struct {
	// Size is the length of a state in bytes, a multiple of 8 and not 0.
	Size int
	// NewWorker makes what one goroutine needs to find out what follows a state.
	NewWorker func() Worker
	// Covers reports whether a stored state is enough where one with the same
	// bytes and another mark was found: whatever goes wrong after the latter does
	// after the former. nil is for systems where that is never so. It is called by
	// several goroutines.
	Covers func(stored, found int32) bool
	// Free says that there are moves of length 0.
	Free bool
	// Bytes is the memory that marks stand for; nil if there is none.
	Bytes func() int64
}

// A Worker makes moves, for one goroutine.
type Worker interface {
	// Start adds the states that everything starts in.
	Start(to *Successors) error
	// Expand adds the states that follow a state by moves of a length, 0 or 1,
	// in an order that depends on nothing else. An error ends the exploration.
	Expand(s State, length int, to *Successors) error
}

// A State is a vector of bytes, which belongs to who hands it over, and a mark.
type State struct {
	Bytes []byte
	Mark  int32
}

// Options bound an exploration.
type Options struct {
	Workers int   // goroutines; 0 is GOMAXPROCS. The result does not depend on it
	Length  int   // of the ways that are explored; 0 is no bound
	States  int64 // that may be stored; 0 is no bound
	Memory  int64 // bytes for what is stored; 0 is DefaultMemory
	// Progress is called now and then with the result so far.
	Progress func(Result)
}

// DefaultMemory is how many bytes the states may take if nothing else is said.
const DefaultMemory = 4 << 30

// A Result is what came out of an exploration.
type Result struct {
	// Reason is why it ended before all was explored, or anything went wrong.
	Reason string
	// Stored is how many states were found, Matched how often one was found
	// that was not needed, and Complete how often Successors.Complete was called.
	Stored, Matched, Complete int64
	Length                    int   // of the ways that were explored
	Bytes                     int64 // of memory for what is stored
	// Path is, if a move goes wrong, the states up to the one that has it.
	Path []State
}

// Explore visits every state that can be reached, until a move goes wrong. The
// error is that of a worker; that a budget or the context ends the exploration
// is the result's reason.
func Explore(ctx context.Context, s *System, o Options) (Result, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	x := &exploration{ctx: ctx, System: s, o: o, store: newStore(s.Size, s.Covers), wrong: noState, shown: time.Now()}
	for range o.Workers {
		x.workers = append(x.workers, &goroutine{
			Worker: s.NewWorker(), state: make([]byte, s.Size), scratch: x.store.shards[0].tree.scratch(),
		})
	}
	err := x.explore()
	x.count()
	if x.wrong != noState {
		x.result.Path = x.path()
	}
	return x.result, err
}

// exploration is one run of Explore.
type exploration struct {
	ctx context.Context
	*System
	o       Options
	store   *store
	workers []*goroutine
	next    [shards]int // the first state of each shard that was not looked at
	result  Result
	wrong   stateID // it has a move that goes wrong
	shown   time.Time
}

// A goroutine is what one of them has.
type goroutine struct {
	Worker
	state   []byte
	scratch []uint32
	free    []*Successors // to be used again
}

// explore visits distance after distance: what can be reached by moves of
// length 0, then what follows all of that by moves of length 1.
func (x *exploration) explore() error {
	if err := x.start(); err != nil {
		return err
	}
	for {
		level := x.fresh()
		for all := level; x.Free && len(all) > 0; {
			if done, err := x.expand(all, 0); done || err != nil {
				return err
			}
			all = x.fresh()
			level = append(level, all...)
		}
		if len(level) == 0 || x.o.Length > 0 && x.result.Length == x.o.Length {
			return nil
		}
		if done, err := x.expand(level, 1); done || err != nil {
			return err
		}
		x.result.Length++
	}
}

// start stores the states that everything starts in.
func (x *exploration) start() error {
	first := x.workers[0].successors(x.Size)
	first.parent = noState
	if err := x.workers[0].Start(first); err != nil {
		return err
	}
	for sh := range shards {
		x.insert(sh, []*Successors{first})
	}
	return nil
}

// fresh is the states that were stored since it was called last.
func (x *exploration) fresh() []stateID {
	var all []stateID
	for sh := range x.store.shards {
		n := x.store.shards[sh].len()
		for i := x.next[sh]; i < n; i++ {
			all = append(all, idOf(sh, i))
		}
		x.next[sh] = n
	}
	return all
}

// batchSize is how many states are expanded before what follows them is
// stored, and chunkStates how many a goroutine takes at a time. They decide
// where an exploration stops, so they do not depend on the machine.
const (
	batchSize   = 1 << 14
	chunkStates = 1 << 8
)

// expand makes the moves of some states, and reports whether that is the end.
func (x *exploration) expand(states []stateID, length int) (done bool, err error) {
	for len(states) > 0 {
		n := min(batchSize, len(states))
		if err := x.batch(states[:n], length); err != nil || x.wrong != noState || x.exhausted() {
			return true, err
		}
		states = states[n:]
		x.show()
	}
	return false, nil
}

// show reports progress.
func (x *exploration) show() {
	if x.o.Progress != nil && time.Since(x.shown) > 200*time.Millisecond {
		x.shown = time.Now()
		x.count()
		x.o.Progress(x.result)
	}
}

// exhausted says why the exploration cannot go on, if so.
func (x *exploration) exhausted() bool {
	switch {
	case errors.Is(x.ctx.Err(), context.DeadlineExceeded):
		x.result.Reason = "the time is used up"
	case x.ctx.Err() != nil:
		x.result.Reason = "interrupted"
	case x.o.States > 0 && x.store.len() >= x.o.States:
		x.result.Reason = "the budget of states is used up"
	case x.bytes() >= x.o.Memory || x.store.full(batchSize):
		x.result.Reason = "the memory is used up"
	default:
		return false
	}
	return true
}

// bytes is how much memory what is stored takes.
func (x *exploration) bytes() int64 {
	n := x.store.bytes()
	if x.Bytes != nil {
		n += x.Bytes()
	}
	return n
}

// count brings the numbers in the result up to date.
func (x *exploration) count() { x.result.Stored, x.result.Bytes = x.store.len(), x.bytes() }

// batch expands states, then stores what follows them.
func (x *exploration) batch(states []stateID, length int) error {
	chunks := make([]*Successors, (len(states)+chunkStates-1)/chunkStates)
	err := x.each(len(chunks), func(g *goroutine, i int) (err error) {
		chunks[i], err = g.chunk(x, states[i*chunkStates:min((i+1)*chunkStates, len(states))], length)
		return err
	})
	if err != nil {
		return err
	}
	var matched [shards]int64
	err = x.each(shards, func(_ *goroutine, sh int) error {
		matched[sh] = x.insert(sh, chunks)
		return nil
	})
	for _, n := range matched {
		x.result.Matched += n
	}
	for i, c := range chunks {
		x.result.Complete += c.complete
		if x.wrong == noState {
			x.wrong = c.wrong
		}
		x.workers[i%len(x.workers)].free = append(x.workers[i%len(x.workers)].free, c)
	}
	return err
}

// each has the goroutines do n things, and returns the error of the first one
// that fails.
func (x *exploration) each(n int, do func(g *goroutine, i int) error) error {
	var taken atomic.Int64
	errs := make([]error, n)
	var wg sync.WaitGroup
	for _, g := range x.workers {
		wg.Go(func() {
			for i := int(taken.Add(1) - 1); i < n; i = int(taken.Add(1) - 1) {
				errs[i] = do(g, i)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// insert stores the states of a shard in the order of the chunks, and returns
// how many were not needed.
func (x *exploration) insert(sh int, chunks []*Successors) (matched int64) {
	for _, c := range chunks {
		for _, i := range c.of[sh] {
			f := &c.found[i]
			if !x.store.shards[sh].insert(c.bytes[int(i)*c.size:int(i+1)*c.size], f.mark, f.parent) {
				matched++
			}
		}
	}
	return matched
}

// path is the states up to the one that has a move that goes wrong.
func (x *exploration) path() []State {
	var back []stateID
	for id := x.wrong; id != noState; id = x.store.parent(id) {
		back = append(back, id)
	}
	var path []State
	for i := len(back) - 1; i >= 0; i-- {
		s := State{Bytes: make([]byte, x.Size)}
		s.Mark = x.store.get(back[i], s.Bytes, x.workers[0].scratch)
		path = append(path, s)
	}
	return path
}
