package explore

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Mode says what is kept of the history while a model is explored. See the
// package comment.
type Mode uint8

// The modes.
const (
	Sound Mode = iota
	Internal
	External
	Points
)

var modeNames = [...]string{"sound", "internal", "external", "points"}

func (m Mode) String() string { return modeNames[m] }

// ParseMode is the inverse of String.
func ParseMode(s string) (Mode, error) {
	for m, name := range modeNames {
		if s == name {
			return Mode(m), nil
		}
	}
	return 0, fmt.Errorf("unknown mode %q: want internal, external, sound or points", s)
}

// Options say how a model is explored. The zero value is the mode Sound with
// all reductions, no bound on states, and 4 GiB of memory.
type Options struct {
	Mode Mode
	// Observer is used in place of the mode's.
	Observer Observer
	// Full turns off all reductions: every small step, and every call, is a
	// step of the exploration, and all names are told apart.
	Full bool
	// Workers is how many goroutines explore; 0 is GOMAXPROCS. It does not
	// change the result.
	Workers int
	States  int64 // that may be stored; 0 is no bound
	Memory  int64 // bytes for what is stored; 0 is 4 GiB
	// Progress is called now and then with the result so far.
	Progress func(Result)
}

// A Verdict is what an exploration says of a model.
type Verdict uint8

// The verdicts. OK is about the bounds that were explored and no others, and
// in the mode External not even about those.
const (
	Unknown Verdict = iota
	OK
	Violation
)

var verdictNames = [...]string{"unknown", "ok", "violation"}

func (v Verdict) String() string { return verdictNames[v] }

// A Result is what came out of an exploration.
type Result struct {
	Verdict Verdict
	Reason  string // of Unknown
	// Stored is how many different states were found, Matched how often one
	// was found again, and Histories how often a thread's last return ended a
	// complete history, which was then checked.
	Stored, Matched, Histories int64
	Depth                      int   // steps that the farthest state is away
	Bytes                      int64 // of memory for what is stored
	Elapsed                    time.Duration
	Trace                      *Trace // of Violation: a shortest way to it
}

// defaultMemory bounds an exploration that sets no bound.
const defaultMemory = 4 << 30

// Explore visits every state of the model that its threads can reach, breadth
// first, so that a violation is found by a shortest way. The error says what
// is wrong with the model; that a budget or the context ends the exploration
// is the verdict Unknown.
func Explore(ctx context.Context, m *Model, o Options) (result Result, err error) {
	begin := time.Now()
	r, err := newRun(ctx, m, o)
	if err != nil {
		return Result{}, err
	}
	if err := r.explore(); err != nil {
		return Result{}, err
	}
	if r.result.Verdict == Violation {
		if r.result.Trace, err = r.trace(); err != nil {
			return Result{}, err
		}
	}
	r.count()
	r.result.Elapsed = time.Since(begin)
	return r.result, nil
}

// run is one exploration.
type run struct {
	ctx      context.Context
	m        *Model
	o        Options
	observer Observer
	packing  packing
	store    *store
	workers  []*worker
	// covers reports whether a stored state stands for one with the same
	// words that was found now, by the states of the observer.
	covers func(stored, found int32) bool

	exact     bool        // it is equality
	next      [shards]int // first states of the next level
	result    Result
	violation stateID // whose step goes wrong
}

func newRun(ctx context.Context, m *Model, o Options) (*run, error) {
	if err := m.prepare(); err != nil {
		return nil, err
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	r := &run{ctx: ctx, m: m, o: o, packing: newPacking(m.kinds(), m.most), violation: noState}
	r.store = newStore(r.packing.size)
	if err := r.observe(); err != nil {
		return nil, err
	}
	for range o.Workers {
		r.workers = append(r.workers, newWorker(r))
	}
	return r, nil
}

// observe chooses the observer, and which of its states stand for others.
func (r *run) observe() error {
	same := func(stored, found int32) bool { return stored == found }
	if r.o.Observer != nil {
		r.observer, r.covers, r.exact = r.o.Observer, same, true
		return nil
	}
	if r.m.object.Methods == nil {
		return fmt.Errorf("model %s: %w", r.m.Name, errNoObject)
	}
	switch r.o.Mode {
	case Internal:
		r.observer, r.covers, r.exact = newHistories(r.m), same, true
	case Points:
		r.observer, r.covers, r.exact = newCandidates(r.m, true), same, true
	case External:
		r.observer = newCandidates(r.m, false)
		r.covers = func(_, _ int32) bool { return true }
	default:
		sets := newCandidates(r.m, false)
		r.observer = sets
		r.covers = func(stored, found int32) bool { return sets.includes(found, stored) }
	}
	return nil
}

// batchSize is how many states are expanded before what they lead to is
// stored, and chunkStates how many a worker takes at a time. They decide
// where an exploration stops, so they do not depend on the machine.
const (
	batchSize   = 1 << 14
	chunkStates = 1 << 8
)

// explore visits level after level.
func (r *run) explore() error {
	if err := r.storeStart(); err != nil {
		return err
	}
	shown := time.Now()
	for {
		frontier := r.frontier()
		if len(frontier) == 0 {
			r.result.Verdict = OK
			return nil
		}
		for len(frontier) > 0 {
			n := min(batchSize, len(frontier))
			if err := r.batch(frontier[:n]); err != nil {
				return err
			}
			frontier = frontier[n:]
			if r.violation != noState {
				r.result.Verdict = Violation
				return nil
			}
			if r.exhausted() {
				return nil
			}
			if r.o.Progress != nil && time.Since(shown) > 200*time.Millisecond {
				shown = time.Now()
				r.count()
				r.o.Progress(r.result)
			}
		}
		r.result.Depth++
	}
}

// storeStart stores the state that everything starts in.
func (r *run) storeStart() error {
	w := r.workers[0]
	return w.guard(func() {
		state := r.m.start()
		observer := r.observer.Start()
		first := &chunk{}
		first.reset()
		w.add(first, &successor{state: state, observer: observer}, noState)
		for sh := range shards {
			r.insert(sh, []*chunk{first})
		}
	})
}

// frontier is the states of the next level, and makes it this one.
func (r *run) frontier() []stateID {
	var all []stateID
	for sh := range r.store.shards {
		n := r.store.shards[sh].len()
		for i := r.next[sh]; i < n; i++ {
			all = append(all, idOf(sh, i))
		}
		r.next[sh] = n
	}
	return all
}

// exhausted says why the exploration cannot go on, if so.
func (r *run) exhausted() bool {
	switch stored := r.store.len(); {
	case r.ctx.Err() == context.DeadlineExceeded:
		r.result.Reason = "the time is used up"
	case r.ctx.Err() != nil:
		r.result.Reason = "interrupted"
	case r.o.States > 0 && stored >= r.o.States:
		r.result.Reason = "the budget of states is used up"
	case r.bytes() >= r.o.Memory || r.store.full(batchSize):
		r.result.Reason = "the memory is used up"
	default:
		return false
	}
	return true
}

// bytes is how much memory what is stored takes.
func (r *run) bytes() int64 {
	n := r.store.bytes()
	if o, ok := r.observer.(interface{ bytes() int64 }); ok {
		n += o.bytes()
	}
	return n
}

// count brings the numbers in the result up to date.
func (r *run) count() { r.result.Stored, r.result.Bytes = r.store.len(), r.bytes() }

// each has every worker do something, and returns the first worker's error
// if there is one.
func (r *run) each(do func(w *worker)) error {
	errs := make([]error, len(r.workers))
	var wg sync.WaitGroup
	for i, w := range r.workers {
		wg.Go(func() { errs[i] = w.guard(func() { do(w) }) })
	}
	wg.Wait()
	return errors.Join(errs...)
}

// batch expands states, then stores what they lead to.
func (r *run) batch(states []stateID) error {
	chunks := make([]*chunk, (len(states)+chunkStates-1)/chunkStates)
	var taken atomic.Int64
	err := r.each(func(w *worker) {
		for i := int(taken.Add(1) - 1); i < len(chunks); i = int(taken.Add(1) - 1) {
			chunks[i] = w.expand(states[i*chunkStates : min((i+1)*chunkStates, len(states))])
		}
	})
	if err != nil {
		return err
	}
	taken.Store(0)
	var matched [shards]int64
	err = r.each(func(*worker) {
		for sh := int(taken.Add(1) - 1); sh < shards; sh = int(taken.Add(1) - 1) {
			matched[sh] = r.insert(sh, chunks)
		}
	})
	for _, n := range matched {
		r.result.Matched += n
	}
	for i, c := range chunks {
		r.result.Histories += c.histories
		if r.violation == noState {
			r.violation = c.violation
		}
		r.workers[i%len(r.workers)].free = append(r.workers[i%len(r.workers)].free, c)
	}
	return err
}

// insert stores the states of a shard in the order of the chunks, and returns
// how many were there.
func (r *run) insert(sh int, chunks []*chunk) (matched int64) {
	s := &r.store.shards[sh]
	size := r.packing.size
	for _, c := range chunks {
		for _, i := range c.of[sh] {
			f := &c.found[i]
			if !s.insert(c.packed[int(i)*size:(int(i)+1)*size], f.hash, f.observer, f.parent, r.covers) {
				matched++
			}
		}
	}
	return matched
}
