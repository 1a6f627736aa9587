package verify

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
)

// A Mode says which executions are explored and what they are held against.
type Mode uint8

// The modes of the paper's section 7.
const (
	Polynomial Mode = iota // simple executions, the automata
	Simple                 // simple executions, all linearizations
	Normal                 // all executions, all linearizations
)

var modeNames = [...]string{Polynomial: "polynomial", Simple: "simple", Normal: "normal"}

// String gives the mode as the paper calls it.
func (m Mode) String() string { return modeNames[m] }

// ParseMode is the inverse of String.
func ParseMode(s string) (Mode, error) {
	for m, name := range modeNames {
		if name == s {
			return Mode(m), nil
		}
	}
	return 0, fmt.Errorf("unknown mode %q: want normal, simple or polynomial", s)
}

// Options say what is verified and how far.
type Options struct {
	_ struct{}

	Algorithm string // a name of package algorithm
	Processes int
	Buggy     bool
	Mode      Mode
	// Pair are the two processes that write 1 in simple executions; nil stands
	// for all pairs, one after the other.
	Pair *[2]int
	// Operations bounds what each process invokes; 0 means any number.
	Operations int
	// Full leaves nothing out that V2 to V4 allow to, but what the algorithm
	// has to have normalized for its states to be finite.
	Full bool
	// Workers is how many goroutines explore; 0 is GOMAXPROCS. It does not
	// change the result.
	Workers int
	// States and Memory bound one exploration; 0 means no bound of states, and
	// reach.DefaultMemory.
	States, Memory int64
	// Progress is told now and then how far it is, from the same goroutine.
	Progress func(Progress)
}

// Progress says how far an exploration is.
type Progress struct {
	Pair       [2]int
	Processes  int // that do something
	Operations int // that were begun
	Stored     int64
}

// A Result is the answer for an algorithm and what it took.
type Result struct {
	_ struct{}

	Verdict reach.ModelVerdict
	Reason  string // why it is unknown
	// Pairs is how many pairs were explored to the end. Where processes may
	// be exchanged for each other, one stands for all.
	Pairs int
	// Stored and Matched count states that were new and that were not, of all
	// explorations. Watched is the largest number of states that the watch of
	// one was in, which is how many kinds of histories it told apart, and Bytes
	// the largest memory that one took.
	Stored, Matched, Watched, Bytes int64
	// Begun is the number of operations that it takes to reach the state
	// that takes most, or the violation.
	Begun   int
	Elapsed time.Duration
	Trace   *Trace // of a violation
}

// A round is an exploration with few processes and operations, where most
// violations are found; the last one has all.
type round struct{ active, most int }

// rounds are tried in this order.
func rounds(processes int) []round {
	all := []round{{2, 3}, {3, 4}}
	for len(all) > 0 && all[len(all)-1].active >= processes {
		all = all[:len(all)-1]
	}
	return append(all, round{active: processes})
}

// Run verifies an algorithm. It ends with the verdict Unknown when the context
// is done or a budget is used up; an error means that the options make no sense.
func Run(ctx context.Context, o Options) (Result, error) {
	var r Result
	started := time.Now()
	pairs, err := o.pairs()
	if err != nil {
		return r, err
	}
	done, err := o.exploreAll(ctx, pairs, &r)
	if done {
		r.Verdict = reach.OK
	}
	r.Elapsed = time.Since(started)
	return r, err
}

// exploreAll explores all pairs, and reports whether all came to an end without a
// violation.
func (o *Options) exploreAll(ctx context.Context, pairs [][2]int, r *Result) (bool, error) {
	for _, pair := range pairs {
		for _, round := range rounds(o.Processes) {
			if done, err := o.explore(ctx, pair, round, r); !done || err != nil {
				return false, err
			}
		}
		r.Pairs++
	}
	return true, nil
}

// pairs gives the pairs to explore, after a look at the options.
func (o *Options) pairs() ([][2]int, error) {
	m, err := o.machine([2]int{0, 1})
	switch {
	case err != nil:
		return nil, err
	case o.Operations < 0 || o.Operations > 255:
		return nil, fmt.Errorf("%d operations a process, want 0 for any number, or 1 to 255", o.Operations)
	case o.Mode == Normal && o.Pair != nil:
		return nil, errors.New("in normal mode all processes write everything: there is no pair")
	case o.Pair != nil && (o.Pair[0] < 0 || o.Pair[0] >= o.Pair[1] || o.Pair[1] >= o.Processes):
		return nil, fmt.Errorf("pair %d,%d, want two different processes of %d in order", o.Pair[0], o.Pair[1], o.Processes)
	case o.Pair != nil:
		return [][2]int{*o.Pair}, nil
	case o.Mode == Normal || m.Interchangeable() && !o.Full:
		return [][2]int{{0, 1}}, nil
	}
	var all [][2]int
	for j := range o.Processes {
		for i := range j {
			all = append(all, [2]int{i, j})
		}
	}
	return all, nil
}

// machine gives the algorithm for a pair.
func (o *Options) machine(pair [2]int) (*algorithm.Machine, error) {
	options := algorithm.Options{Processes: o.Processes, Buggy: o.Buggy, Full: o.Full}
	if o.Mode != Normal && !o.Full && o.Processes > 1 {
		options.Segments = pair[:]
	}
	return algorithm.New(o.Algorithm, options)
}

// product gives the product for a pair with so many processes that do
// something: the pair, and then the others in order.
func (o *Options) product(pair [2]int, active int) (*product, error) {
	m, err := o.machine(pair)
	if err != nil {
		return nil, err
	}
	p := &product{machine: m, active: active, operations: o.Operations}
	p.order = append(p.order, pair[:]...)
	for id := range o.Processes {
		if id != pair[0] && id != pair[1] {
			p.order = append(p.order, id)
		}
	}
	m.Restrict(p.order[:active])
	c := clients{pair[0], pair[1]}
	if o.Mode != Polynomial {
		p.watch = newCandidates(c, o.Mode == Simple, o.Processes)
		return p, nil
	}
	p.watch = &automata{clients: c}
	if m.Interchangeable() && !o.Full {
		p.alike = p.order[2:active]
	}
	return p, nil
}

// explore adds one exploration to the result, and reports whether it came to
// an end: without a violation, and before a budget did.
func (o *Options) explore(ctx context.Context, pair [2]int, limit round, r *Result) (bool, error) {
	p, err := o.product(pair, limit.active)
	if err != nil {
		return false, err
	}
	options := reach.Options{Workers: o.Workers, Length: limit.most, States: o.States, Memory: o.Memory}
	if o.Progress != nil {
		options.Progress = func(found reach.Result) { o.Progress(Progress{pair, limit.active, found.Length, found.Stored}) }
	}
	found, err := reach.Explore(ctx, p.system(), options)
	if err != nil {
		return false, err
	}
	r.Stored += found.Stored
	r.Matched += found.Matched
	r.Bytes = max(r.Bytes, found.Bytes)
	r.Begun = max(r.Begun, found.Length)
	r.Watched = max(r.Watched, p.watch.states())
	r.Reason = found.Reason
	if found.Path != nil {
		r.Verdict, r.Trace = reach.Violation, newTrace(p, found.Path, o.Algorithm)
		r.Begun = r.Trace.begun()
	}
	return found.Path == nil && found.Reason == "", nil
}
