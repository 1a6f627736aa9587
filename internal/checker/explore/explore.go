package explore

import (
	"context"
	"fmt"
	"time"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
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

// A Result is what came out of an exploration.
type Result struct {
	// Verdict is about the bounds that were explored and no others, and in the
	// mode External not even about those.
	Verdict reach.ModelVerdict
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

// Explore visits every state of the model that its threads can reach, breadth
// first, so that a violation is found by a shortest way. The error says what
// is wrong with the model; that a budget or the context ends the exploration
// is the verdict Unknown.
func Explore(ctx context.Context, m *Model, o Options) (Result, error) {
	begin := time.Now()
	r, err := newRun(m, o)
	if err != nil {
		return Result{}, err
	}
	found, err := reach.Explore(ctx, &r.system, r.options())
	if err != nil {
		return Result{}, err
	}
	result := resultOf(&found)
	switch {
	case found.Path != nil:
		result.Verdict = reach.Violation
		if result.Trace, err = r.trace(found.Path); err != nil {
			return Result{}, err
		}
	case found.Reason == "":
		result.Verdict = reach.OK
	}
	result.Elapsed = time.Since(begin)
	return result, nil
}

// resultOf is what was counted. The verdict is Unknown as yet.
func resultOf(r *reach.Result) Result {
	return Result{Reason: r.Reason, Stored: r.Stored, Matched: r.Matched, Histories: r.Complete, Depth: r.Length, Bytes: r.Bytes}
}

// run is one exploration.
type run struct {
	m        *Model
	o        Options
	observer Observer
	packing  packing
	system   reach.System
}

func newRun(m *Model, o Options) (*run, error) {
	if err := m.prepare(); err != nil {
		return nil, err
	}
	r := &run{m: m, o: o, packing: newPacking(m.kinds(), m.most)}
	if err := r.observe(); err != nil {
		return nil, err
	}
	r.system.Size = r.packing.size
	r.system.NewWorker = func() reach.Worker { return newWorker(r) }
	if o, ok := r.observer.(interface{ bytes() int64 }); ok {
		r.system.Bytes = o.bytes
	}
	return r, nil
}

// options are those of the exploration.
func (r *run) options() reach.Options {
	o := reach.Options{Workers: r.o.Workers, States: r.o.States, Memory: r.o.Memory}
	if r.o.Progress != nil {
		o.Progress = func(found reach.Result) { r.o.Progress(resultOf(&found)) }
	}
	return o
}

// observe chooses the observer, whose states are the marks of the exploration,
// and says which of them stand for others.
func (r *run) observe() error {
	if r.o.Observer != nil {
		r.observer = r.o.Observer
		return nil
	}
	if r.m.object.Methods == nil {
		return fmt.Errorf("model %s: %w", r.m.Name, errNoObject)
	}
	switch r.o.Mode {
	case Internal:
		r.observer = newHistories(r.m)
	case Points:
		r.observer = newCandidates(r.m, true)
	case External:
		r.observer = newCandidates(r.m, false)
		r.system.Covers = func(_, _ int32) bool { return true }
	default:
		sets := newCandidates(r.m, false)
		r.observer = sets
		r.system.Covers = func(stored, found int32) bool { return sets.includes(found, stored) }
	}
	return nil
}
