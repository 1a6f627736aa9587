package trial

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatom/mapatom/checker/sched"
)

// search goes through the tests of a case, and through the executions of each
// test. It is the strategy of the exploration that runs them all.
type search struct {
	c          *Case
	tests      []test
	next       int   // the test that comes after the current one
	few        int   // how many of them have one call of B's beside A's, at most
	donors     []any // values that calls have stored in a cell
	executions int
	reached    bool // the extension was reached
	// refused are the arguments with which New panicked, made says that it
	// returned with others, and panicked is the first panic.
	refused  map[string]bool
	made     bool
	panicked any
	current  *execution
	rest     rest         // how the executions of the test are run
	queue    []*execution // of the test that is being run
	planned  bool         // all of its executions are in the queue or were run
	done     []*execution
	// first is what was observed when the executions of the test were run for
	// the first time: those of a proof are run twice.
	first    []string
	proof    *execution
	split    []test // tests with a call of B in two parts
	several  bool   // there was more than one base operation
	nested   int    // tests of which an execution was interrupted
	unstable int    // tests whose executions did not repeat
}

// Run runs the tests of a case until one proves that the extension is not
// atomic, or the context is done.
func Run(ctx context.Context, t *testing.T, c *Case) *Report {
	s := &search{c: c, refused: map[string]bool{}}
	s.tests, s.few = c.tests()
	opts := sched.Options{
		Positions: true, Sites: c.isSite, MaxSteps: maxSteps, Patience: patience(ctx),
		OnStep: func(thread int, op sched.Op, object, key any) { s.current.stepped(thread, op, object, key) },
	}
	if c.Later {
		// Those of B were started later than A's, and fire when all is over.
		opts.Fires = func(origin int) bool { return origin != others }
	}
	_, err := sched.Explore(ctx, t, opts, s, func() sched.Program { return s.current.program(c) }, s.ended)
	return s.report(ctx, err)
}

// leastPatience is longer than a busy machine lets a goroutine wait.
const leastPatience = 2 * time.Second

// patience is how long an execution may go without a step: half of the time
// that is left, so that there is some to report it.
func patience(ctx context.Context) time.Duration {
	end, limited := ctx.Deadline()
	if !limited {
		return 0
	}
	return max(time.Until(end)/2, leastPatience).Round(time.Millisecond)
}

// Begin takes the next execution.
func (s *search) Begin() bool {
	for len(s.queue) == 0 {
		if s.proof != nil || !s.plan() {
			return false
		}
	}
	s.current, s.queue = s.queue[0], s.queue[1:]
	s.current.later = s.c.Later
	return true
}

// Choose leaves it to the placement. What A is about to act on is known to B.
func (s *search) Choose(d *sched.Decision) int {
	who := max(mine, s.current.goesOn(d))
	object, key := d.Object(who)
	s.current.meet(d.Next(who), object, key)
	return s.current.choose(d)
}

// ended is told of each execution.
func (s *search) ended(o *sched.Outcome) bool {
	x := s.current
	x.finish(o)
	s.executions++
	s.reached = s.reached || len(x.mine.Steps) > 0
	s.several = s.several || len(x.mine.Steps) > 1
	s.done = append(s.done, x)
	if o.Setup.State != sched.Panicked {
		s.made = true
		return true
	}
	if s.panicked == nil {
		s.panicked = o.Setup.Panic
	}
	s.refused[fmt.Sprint(x.test.world)] = true
	s.queue, s.done = nil, nil
	return true
}

// plan queues the executions of the current test that are still to be run, or
// judges it and goes on to the next one. It reports whether there is one.
func (s *search) plan() bool {
	if !s.planned && len(s.done) > 0 {
		s.planned = true
		s.queue = s.placements()
		return true
	}
	if s.judge(); s.proof != nil {
		if s.again() {
			return true
		}
		if s.proof != nil {
			return false
		}
	}
	if s.rest+1 < rests && slices.ContainsFunc(s.done, func(x *execution) bool { return x.leaves }) {
		s.rest++
		s.begin(s.done[0].test)
		return true
	}
	s.part()
	if s.next == len(s.tests) {
		return false
	}
	t := &s.tests[s.next]
	s.next++
	s.rest, s.done, s.queue = 0, nil, nil
	if !s.refused[fmt.Sprint(t.world)] && s.endow(t) { // else there is no object, or nothing that could be stored
		s.begin(t)
	}
	return true
}

// begin queues the first executions of a test, in which the call comes last, and first.
func (s *search) begin(t *test) {
	s.done, s.planned, s.first = nil, false, nil
	s.queue = []*execution{
		s.execution(t, slices.Repeat([]int{atStart}, t.pieces()), false),
		s.execution(t, t.gaps(atEnd), false),
	}
}

// maxParts bounds the places in which a call is split, and maxSplit the tests with one.
const (
	maxParts = 8
	maxSplit = 1500
)

// part keeps the test that was run, with its last call split at each of its steps. These
// tests take turns with those that have more calls.
func (s *search) part() {
	if s.c.Parts && len(s.done) > 0 && s.next <= s.few {
		t, taken := s.done[0].test, 0
		for _, x := range s.done {
			taken = max(taken, x.taken)
		}
		for at := 1; at < min(taken, maxParts+1) && t.steps[len(t.steps)-1].call != nil && len(s.split) < maxSplit; at++ {
			one := *t
			one.split = at
			s.split = append(s.split, one)
		}
	}
	if s.next == s.few {
		s.tests = append(s.tests[:s.next:s.next], alternately(s.split, s.tests[s.next:])...)
		s.few, s.split = 0, nil
	}
}

func alternately(a, b []test) (all []test) {
	for i := range max(len(a), len(b)) {
		all = append(all, a[min(i, len(a)):min(i+1, len(a))]...)
		all = append(all, b[min(i, len(b)):min(i+1, len(b))]...)
	}
	return all
}

// atEnd is the gap after the last base operation.
const atEnd = math.MaxInt

func (s *search) execution(t *test, gaps []int, early bool) *execution {
	return &execution{placement: &placement{manner: manner{s.rest, t.split}, gaps: gaps, early: early}, test: t}
}

// gaps has the steps before the call at its start, and the others at the gap.
func (t *test) gaps(gap int) []int {
	gaps := slices.Repeat([]int{gap}, t.pieces())
	for i := range t.before {
		gaps[i] = t.start(i)
	}
	return gaps
}

// start is where a step before the call is: one on the cell itself can be
// taken only once the cell is known.
func (t *test) start(i int) int {
	if t.steps[i].raw != "" {
		return 0
	}
	return atStart
}

// maxOperations bounds the base operations between which steps are placed: a
// loop makes more of them.
const maxOperations = 8

// placements are the executions of the test in which its steps are at any
// gaps.
func (s *search) placements() []*execution {
	t, n := s.done[0].test, 0
	for _, x := range s.done {
		n = max(n, len(x.mine.Steps))
	}
	n = min(n, maxOperations)
	var all []*execution
	var place func(gaps []int)
	place = func(gaps []int) {
		if len(gaps) == t.pieces() {
			for _, early := range []bool{false, true} {
				all = append(all, s.execution(t, slices.Clone(gaps), early))
			}
			return
		}
		from := 0
		switch {
		case len(gaps) > t.before:
			from = gaps[len(gaps)-1]
		case len(gaps) == len(t.steps)-1 && t.split > 0:
			from = atStart // it may hold what the call begins with, a lock for example
		}
		for gap := from; gap <= n; gap++ {
			place(append(gaps, gap))
		}
		// Another execution may make more base operations than any did so far.
		place(append(gaps, atEnd))
	}
	place(t.gaps(0)[:t.before])
	return all
}

// judge looks among the executions of the test for one that no serial one
// explains.
func (s *search) judge() {
	var explaining []*execution
	for _, x := range s.done {
		if x.relation() == serial {
			explaining = append(explaining, x)
		}
	}
	s.proof = nil
	nested := false
	for _, x := range s.done {
		if x.relation() != interrupted || x.stuck == sched.Divergence || x.looksOn() {
			continue
		}
		nested = true
		explains := func(y *execution) bool { return x.mayBe(y) && x.explainedBy(y) }
		if s.proof == nil && !slices.ContainsFunc(explaining, explains) {
			s.proof = x
		}
	}
	if nested {
		s.nested++
	}
	s.collect()
}

// again has the executions of a test that gives a proof run once more. A
// test of which one does not repeat proves nothing: the code has something
// random to it. It reports whether executions were queued.
func (s *search) again() bool {
	var seen []string
	for _, x := range s.done {
		seen = append(seen, strings.Join(x.observation(x.names()), "\n"))
	}
	if s.first == nil {
		s.first, s.proof = seen, nil
		for _, x := range s.done {
			s.queue = append(s.queue, s.execution(x.test, x.gaps, x.early))
		}
		s.done = nil
		return true
	}
	if !slices.Equal(s.first, seen) {
		s.proof = nil
		s.unstable++
	}
	return false
}

// maxDonors bounds the values that are kept for being stored.
const maxDonors = 4

// collect keeps what the cells held in the end.
func (s *search) collect() {
	for _, x := range s.done {
		if len(s.donors) == maxDonors || len(x.cells) == 0 {
			continue
		}
		if held := x.cells[0].held; len(held) > 0 && held[0] != nil {
			s.donors = append(s.donors, another(held[0]))
			return
		}
	}
}

// strangers are stored in a cell in which no call that was tried stores
// anything, and of which it is not known what it keeps.
var strangers = []any{"a", "b", "c"}

// endow gives the steps that store in the cell something to store, and
// reports whether there is something.
func (s *search) endow(t *test) bool {
	donors := slices.Clone(s.donors)
	for _, make := range s.c.Stores[:min(maxDonors, len(s.c.Stores))] {
		donors = append(donors, make())
	}
	if len(donors) == 0 && s.next > 1 {
		donors = strangers
	}
	n := 0
	for i := range t.steps {
		if t.steps[i].raw == Overwrite {
			if n == len(donors) {
				return false
			}
			t.steps[i].with = donors[n]
			n++
		}
	}
	return true
}
