package lineup

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/mapatom/mapatom/checker/history"

	"github.com/mapatom/mapatom/checker/sched"
)

// Options bound a check. The zero value has the defaults.
type Options struct {
	// Preemptions bounds how often an operation is interrupted in an
	// execution of phase 2; Unbounded lifts the bound. The zero value is
	// DefaultPreemptions and, once all schedules within that were run, more
	// of them. Phase 1 has none, so that a failure is one whatever the bound.
	Preemptions int
	// MaxExecutions bounds phase 2; 0 is no bound. If the enumeration does
	// not end within half of it, the other half are random schedules within
	// the same bound on preemptions.
	MaxExecutions int
	// Time is how long phase 2 goes on with more preemptions, whatever
	// MaxExecutions is. With 0 that ends with MaxExecutions, and after
	// DefaultExecutions at the latest.
	Time time.Duration
	// Sched is passed on to the scheduler.
	Sched sched.Options `json:"-"`
}

const (
	// DefaultPreemptions is the bound that the paper uses.
	DefaultPreemptions = 2
	// DefaultExecutions is a bound for random tests of three threads with
	// three calls: a hundred of them take a minute.
	DefaultExecutions = 20_000
	// Unbounded lifts a bound on preemptions.
	Unbounded = -1
	// NoPreemptions is the bound 0, which the zero value of Options does not
	// mean.
	NoPreemptions = -2
)

// bound is how many preemptions there may be, negative for any number.
func (o Options) bound() int {
	switch o.Preemptions {
	case 0:
		return DefaultPreemptions
	case Unbounded:
		return -1
	case NoPreemptions:
		return 0
	}
	return o.Preemptions
}

// enumeration is what phase 2 goes through.
func (o Options) enumeration() sched.Strategy {
	if n := o.bound(); n >= 0 {
		return sched.LateCalls(sched.Bounded(n))
	}
	return &sched.DPOR{}
}

// A Checker checks tests of one subject, one at a time.
type Checker struct {
	Subject Subject
	// Model is the specification, if there is an explicit one: a subject with
	// the same invocations whose serial executions are taken instead of the
	// Subject's own. It says with Block where it blocks.
	Model   *Subject
	Options Options

	t *testing.T
}

// NewChecker makes a checker that runs within a test. The scheduler needs it,
// and nothing is reported to it.
func NewChecker(t *testing.T, s Subject) (*Checker, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	return &Checker{Subject: s, t: t}, nil
}

// Check is the two-phase check (Figure 5 of the paper) of one test. The error
// says that the test cannot be run; if the context ends, the verdict is
// Unknown, unless the test failed before.
func (c *Checker) Check(ctx context.Context, m Test) (*Result, error) {
	k, err := c.begin(m)
	if err != nil {
		return nil, err
	}
	if err := k.serial(ctx); err != nil || k.result.Verdict == Failed {
		return k.result, err
	}
	switch phase := k.result.Serial; {
	case phase.CutOff > 0:
		// Without all serial histories a failure would prove nothing.
		k.unknown("a serial execution did not end within the bound on steps")
		return k.result, nil
	case !phase.Exhausted:
		k.unknown("phase 1 came to no end: %v", context.Cause(ctx))
		return k.result, nil
	}
	for _, part := range []func(context.Context) error{k.enumerate, k.sample, k.reduce, k.deepen} {
		if err == nil && k.result.Verdict == Unknown && ctx.Err() == nil {
			err = part(ctx)
		}
	}
	if err == nil {
		k.conclude(ctx)
		k.missed()
	}
	return k.result, err
}

// enumerate runs the schedules within the bound, until half of the executions
// are spent.
func (k *checking) enumerate(ctx context.Context) error {
	cov := &k.result.Coverage
	cov.Bound = k.Options.bound()
	s := k.Options.enumeration()
	err := k.concurrent(ctx, s, k.Options.MaxExecutions/2)
	k.count(s)
	cov.Complete = k.result.Concurrent.Exhausted
	return err
}

// count notes how many schedules those stand for that were run under partial
// order reduction.
func (k *checking) count(s sched.Strategy) {
	if d, ok := s.(*sched.DPOR); ok {
		k.result.Coverage.Reduced += d.Runs
		k.result.Coverage.Equal += d.Stands - float64(d.Runs-d.Uncounted)
	}
}

// maxSampledPreemptions is what stands for any number of preemptions where
// they are drawn.
const maxSampledPreemptions = 8

// sample spends the rest of the executions on random schedules, if the
// enumeration did not end: half of them with more preemptions, if those are to
// be tried.
func (k *checking) sample(ctx context.Context) error {
	if k.result.Coverage.Complete {
		return nil
	}
	n := k.Options.bound()
	if n < 0 {
		n = maxSampledPreemptions
	}
	rest := k.Options.MaxExecutions - k.result.Concurrent.Executions
	if k.Options.Preemptions != 0 {
		return k.random(ctx, rest, n)
	}
	if err := k.random(ctx, rest-rest/2, n); err != nil {
		return err
	}
	return k.rising(ctx, rest/2)
}

// rising draws schedules with more and more preemptions.
func (k *checking) rising(ctx context.Context, executions int) error {
	const round = 500
	for more := 1; executions > 0 && k.result.Verdict == Unknown && ctx.Err() == nil; executions, more = executions-round, more%maxSampledPreemptions+1 {
		if err := k.random(ctx, min(executions, round), k.Options.bound()+more); err != nil {
			return err
		}
	}
	return nil
}

func (k *checking) random(ctx context.Context, executions, preemptions int) error {
	k.draws++
	err := k.concurrent(ctx, newSampled(k.draws, executions, preemptions), 0)
	k.result.Concurrent.Exhausted = k.result.Coverage.Complete
	return err
}

// deeper reports whether more preemptions are to be tried than the bound, and
// for how many executions at most; with Time, a context that ends is the only
// limit.
func (k *checking) deeper() (int, bool) {
	cov := &k.result.Coverage
	if k.Options.Preemptions != 0 || cov.Complete && cov.Bound == Unbounded {
		return 0, false
	}
	if k.Options.Time > 0 {
		return math.MaxInt, true
	}
	n := DefaultExecutions
	if most := k.Options.MaxExecutions; most > 0 {
		n = min(n, most-k.result.Concurrent.Executions)
	}
	return n, n > 0
}

// within is a context that ends when a part of Time is over, if there is one.
func (k *checking) within(ctx context.Context, part time.Duration) (context.Context, context.CancelFunc) {
	if k.Options.Time == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, k.Options.Time/part)
}

// reduce runs schedules with any number of preemptions, one of those that are
// equal, for half of the executions or of the time that there are for it. If
// it comes to its end there is nothing left to run.
func (k *checking) reduce(ctx context.Context) error {
	n, ok := k.deeper()
	if !ok {
		return nil
	}
	ctx, cancel := k.within(ctx, 2)
	defer cancel()
	s := &sched.DPOR{}
	err := k.concurrent(ctx, s, n/2)
	k.count(s)
	if cov := &k.result.Coverage; k.result.Concurrent.Exhausted {
		cov.Bound, cov.Complete = Unbounded, true
	}
	k.result.Concurrent.Exhausted = k.result.Coverage.Complete
	return err
}

// deepen spends what is left on random schedules with more preemptions.
func (k *checking) deepen(ctx context.Context) error {
	n, ok := k.deeper()
	if !ok {
		return nil
	}
	ctx, cancel := k.within(ctx, 2)
	defer cancel()
	return k.rising(ctx, n)
}

// Observations gives the serial histories of a test as a file in Line-Up's
// format: the specification that Check goes by.
func (c *Checker) Observations(ctx context.Context, m Test) (*Result, *history.ObservationFile, error) {
	k, err := c.begin(m)
	if err != nil {
		return nil, nil, err
	}
	if err := k.serial(ctx); err != nil {
		return k.result, nil, err
	}
	switch {
	case k.result.Verdict == Failed:
	case k.result.Serial.Exhausted:
		k.result.Verdict = Passed
	default:
		k.unknown("phase 1 came to no end: %v", context.Cause(ctx))
	}
	f, err := k.spec.observations()
	return k.result, f, err
}

// replays is how often a schedule is run until it fails again. Code that draws
// random numbers or hash seeds need not do the same the first time.
const replays = 100

// Replay runs a test under one schedule and judges the history by the serial
// executions, which it runs first. It is run again, up to a hundred times, as
// long as nothing is wrong.
func (c *Checker) Replay(ctx context.Context, m Test, s sched.Schedule) (*Result, error) {
	k, err := c.begin(m)
	if err != nil {
		return nil, err
	}
	if err := k.serial(ctx); err != nil || k.result.Verdict == Failed {
		return k.result, err
	}
	for range replays {
		if err := k.concurrent(ctx, sched.Replay(s), 0); err != nil {
			return nil, err
		}
		if k.result.Verdict == Failed || ctx.Err() != nil {
			break
		}
	}
	k.conclude(ctx)
	if n := k.result.Concurrent.Diverged; n > 0 && k.result.Verdict != Failed {
		k.note("%d of %d executions did not follow the schedule: it is of another test, or the code under test is not deterministic.", n, k.result.Concurrent.Executions)
	}
	return k.result, nil
}

// checking is the check of one test.
type checking struct {
	*Checker
	plan   *plan
	spec   *specification
	result *Result
	seen   map[string]bool // histories of phase 2
	buf    []byte
	broken error // ends a phase
	draws  uint64

	suspects []suspect                 // to be looked at when a strategy has ended
	parts    map[string]*specification // without some calls
}

func (c *Checker) begin(m Test) (*checking, error) {
	p, err := c.Subject.plan(m)
	if err != nil {
		return nil, err
	}
	return &checking{
		Checker: c, plan: p, spec: newSpecification(p),
		result: &Result{Test: m, Verdict: Unknown}, seen: map[string]bool{},
	}, nil
}

func (k *checking) notChecked(reason string) {
	k.result.Verdict, k.result.Reason = NotChecked, reason
}

func (k *checking) unknown(format string, args ...any) {
	k.result.Verdict, k.result.Reason = Unknown, fmt.Sprintf(format, args...)
}

// serial is phase 1: every serial execution, of the subject or of its model.
func (k *checking) serial(ctx context.Context) error {
	p := k.plan
	if k.Model != nil {
		var err error
		if p, err = k.Model.plan(k.plan.test); err != nil {
			return err
		}
	}
	phase := &k.result.Serial
	rec := newRecorder(p)
	order := &serially{rec: rec}
	rec.choose = order.choose
	err := k.explore(ctx, rec, order, phase, func(r *record, o *sched.Outcome) bool {
		k.spec.loose = k.spec.loose || rec.chose
		if o.Stuck == sched.Divergence {
			phase.CutOff++
			return true
		}
		if !r.isSerial() {
			k.broken = fmt.Errorf("lineup: internal error: operations overlap in a serial execution, schedule %v", o.Schedule)
			return false
		}
		if !k.spec.add(r) {
			k.fail(k.spec.conflict[1], o, Nondeterministic, -1)
			return false
		}
		return true
	})
	phase.Full, phase.Stuck = k.spec.full, k.spec.stuck
	if phase.Stuck > 0 && k.Model == nil {
		k.note("in %d of %d serial histories an operation blocks for ever, as in %s: this is taken for intended, and only an explicit specification (-against, CheckAgainst) can object.",
			phase.Stuck, phase.Full+phase.Stuck, k.shortestStuck())
	}
	return err
}

// concurrent is phase 2, or a part of it: every history must have its
// witnesses among the serial ones. It ends after limit executions, if that is
// not 0.
func (k *checking) concurrent(ctx context.Context, s sched.Strategy, limit int) error {
	phase := &k.result.Concurrent
	end := phase.Executions + limit
	err := k.explore(ctx, newRecorder(k.plan), s, phase, func(r *record, o *sched.Outcome) bool {
		ok := true
		if o.Stuck != sched.Halted { // else what it was about to do was done before
			k.cover(r, o)
			ok = k.judge(r, o)
		}
		return ok && (limit == 0 || phase.Executions < end)
	})
	if err == nil {
		err = k.acquit(ctx)
	}
	return err
}

// cover notes which schedules are run.
func (k *checking) cover(r *record, o *sched.Outcome) {
	cov := &k.result.Coverage
	cov.Preemptions = max(cov.Preemptions, o.Preemptions)
	// Each call in a thread has a step at which it begins, and each goroutine
	// one at which it starts.
	cov.Points = max(cov.Points, o.Steps-k.plan.began(r)-len(o.Spawned))
	if !r.isSerial() {
		cov.Interleaved++
	}
}

// judge looks at one history of phase 2, and reports whether all is well.
func (k *checking) judge(r *record, o *sched.Outcome) bool {
	phase := &k.result.Concurrent
	switch {
	case o.Stuck == sched.Divergence:
		phase.CutOff++
		return true
	case k.known(r):
		return true
	case r.stuck:
		phase.Stuck++
	default:
		phase.Full++
	}
	ok, without := k.spec.justifies(r)
	if !ok {
		cause := NoWitness
		if r.stuck {
			cause = NoStuckWitness
		}
		if k.plan.relaxed() {
			k.suspects = append(k.suspects, suspect{r.clone(), *o, cause, without})
			return true
		}
		k.fail(r.clone(), o, cause, without)
	}
	return ok
}

// conclude gives the verdict if phase 2 found nothing.
func (k *checking) conclude(ctx context.Context) {
	phase := &k.result.Concurrent
	switch {
	case k.result.Verdict == Failed:
		return
	case phase.Full+phase.Stuck == 0:
		k.unknown("no concurrent execution came to an end")
	case k.result.Serial.Full == 0 && len(k.plan.lanes) > 1:
		k.notChecked("every serial execution gets stuck, so that a concurrent one that does is none the worse")
	case k.result.Coverage.Points == 0:
		k.notChecked("the calls have no step at which one could be interrupted")
	case ctx.Err() != nil && !k.result.Coverage.Complete:
		k.unknown("phase 2 came to no end after %d executions: %v", phase.Executions, context.Cause(ctx))
	default:
		k.result.Verdict = Passed
	}
}

// missed notes what phase 2 did not see.
func (k *checking) missed() {
	phase := &k.result.Concurrent
	if k.result.Verdict == Failed {
		return
	}
	if phase.Diverged > 0 && phase.Executions > 1 {
		k.note("%d executions did not follow their schedules: the code under test is not deterministic (hash seeds, random numbers, the order of maps), and not all that was to be tried was.", phase.Diverged)
	}
	if phase.CutOff > 0 {
		k.note("%d executions were cut off at the bound on steps and not judged.", phase.CutOff)
	}
}

func (k *checking) note(format string, args ...any) {
	k.result.Notes = append(k.result.Notes, fmt.Sprintf(format, args...))
}

// known reports whether a history was seen before.
func (k *checking) known(r *record) bool {
	k.buf = r.key(k.buf[:0])
	if k.seen[string(k.buf)] {
		return true
	}
	k.seen[string(k.buf)] = true
	return false
}

// explore records a plan under a strategy, and has judge look at each history.
func (k *checking) explore(ctx context.Context, rec *recorder, s sched.Strategy, phase *Phase, judge func(*record, *sched.Outcome) bool) error {
	stats, err := sched.Explore(ctx, k.t, k.Options.Sched, s, rec.start, func(o *sched.Outcome) bool {
		phase.Executions++
		phase.Steps += int64(o.Steps)
		if o.Diverged {
			phase.Diverged++
		}
		if k.broken = rec.end(o); k.broken != nil {
			return false
		}
		return judge(&rec.record, o)
	})
	phase.Nanoseconds += stats.Elapsed.Nanoseconds()
	phase.Exhausted = stats.Exhausted
	if err == nil {
		err = k.broken
	}
	if err != nil {
		return fmt.Errorf("lineup: test %s: %w", k.plan.test, err)
	}
	return nil
}

// end looks at how the execution that was recorded ended.
func (r *recorder) end(o *sched.Outcome) error {
	if r.failed != nil {
		return r.failed
	}
	for _, t := range o.Threads {
		if t.State == sched.Exited {
			return fmt.Errorf("an operation ended its goroutine with runtime.Goexit")
		}
	}
	r.record.stuck = o.Stuck != sched.NotStuck || r.blocks
	return nil
}

// isSerial reports whether each return follows its call at once.
func (r *record) isSerial() bool {
	for i := 0; i < len(r.marks); i += 2 {
		op, isReturn := r.marks[i].op()
		if isReturn {
			return false
		}
		if i+1 == len(r.marks) {
			return r.stuck
		}
		if next, ret := r.marks[i+1].op(); !ret || next != op {
			return false
		}
	}
	return true
}

// shortestStuck is the first serial history in which an operation blocks.
func (k *checking) shortestStuck() string {
	var best *record
	for _, r := range k.spec.records() {
		if r.stuck && (best == nil || len(r.marks) < len(best.marks)) {
			best = r
		}
	}
	return k.plan.inline(best)
}

// fail records the failure.
func (k *checking) fail(r *record, o *sched.Outcome, cause Cause, blocked int) {
	f := &Failure{
		Cause: cause, History: k.plan.history(r), Blocked: -1,
		Schedule: o.Schedule.String(), Preemptions: o.Preemptions,
	}
	if blocked >= 0 {
		f.Blocked = indexOfCall(r, blocked)
		f.Stuck, f.Waiting = o.Stuck.String(), waiting(o)
	}
	if cause == Nondeterministic {
		f.Nearest = append(f.Nearest, k.plan.history(k.spec.conflict[0]))
	} else {
		for _, near := range k.spec.nearest(r, blocked) {
			f.Nearest = append(f.Nearest, k.plan.history(near))
		}
	}
	k.result.Verdict, k.result.Failure = Failed, f
}

// waiting says what the threads that have not ended are about to do.
func waiting(o *sched.Outcome) []string {
	var all []string
	for i, t := range slices.Concat(o.Threads, o.Spawned) {
		if t.State == sched.Blocked || t.State == sched.Running {
			all = append(all, fmt.Sprintf("%s is %s: %s", sched.ThreadName(i), t.State, t.Op))
		}
	}
	return all
}

// indexOfCall is where an operation comes among the calls of a record.
func indexOfCall(r *record, op int) int {
	for i, called := range r.calls() {
		if called == op {
			return i
		}
	}
	return -1
}
