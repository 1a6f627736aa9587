package lineup_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
)

func parse(t testing.TB, text string) lineup.Test {
	m, err := lineup.ParseTest(text)
	require.NoError(t, err)
	return m
}

func checker(t *testing.T, s lineup.Subject) *lineup.Checker {
	c, err := lineup.NewChecker(t, s)
	require.NoError(t, err)
	return c
}

func check(t *testing.T, c *lineup.Checker, text string) *lineup.Result {
	r, err := c.Check(t.Context(), parse(t, text))
	require.NoError(t, err)
	if r.Failure != nil {
		require.NoError(t, r.Failure.History.Check())
	}
	return r
}

// TestFigure1 is the paper's first example.
func TestFigure1(t *testing.T) {
	const test = "Add(200) TryTake() | Add(400) TryTake()"
	r := check(t, checker(t, queues(false)), test)
	require.Equal(t, lineup.Passed, r.Verdict)
	require.True(t, r.Concurrent.Exhausted)
	require.Equal(t, 6, r.Serial.Full)

	r = check(t, checker(t, queues(true)), test)
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Equal(t, lineup.NoWitness, r.Failure.Cause)
	require.Contains(t, r.String(), "No serial order of the calls gives these results.")
	require.Contains(t, r.String(), "TryTake() = 0, false")
	require.NotEmpty(t, r.Failure.Nearest)
}

// TestPhase1 counts the orders of a 3x3 test: 9!/(3!3!3!).
func TestPhase1(t *testing.T) {
	r, file, err := checker(t, queues(false)).Observations(t.Context(),
		parse(t, threeByThree))
	require.NoError(t, err)
	require.Equal(t, 1680, r.Serial.Executions)
	require.Equal(t, 1680, r.Serial.Full)
	require.Zero(t, r.Serial.Stuck)
	require.Len(t, file.Histories(), 1680)
}

// TestObservationsReadBack writes an observation file with a stuck history
// and reads it as others do.
func TestObservationsReadBack(t *testing.T) {
	_, file, err := checker(t, counters(true)).Observations(t.Context(), parse(t, "Inc() Get() | Get()"))
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, file.Write(&text))
	again, err := history.ReadObservations("observations.xml", &text)
	require.NoError(t, err)
	require.Len(t, again.Histories(), len(file.Histories()))
	stuck := 0
	for _, h := range again.Histories() {
		require.NoError(t, h.Check())
		if h.Stuck {
			stuck++
		}
	}
	require.Positive(t, stuck)
}

// TestCounter2 is section 2.2.2: the synthesized specification blocks as the
// implementation does, an explicit one does not.
func TestCounter2(t *testing.T) {
	c := checker(t, counters(true))
	r := check(t, c, "Inc() Get() | Inc()")
	require.Equal(t, lineup.Passed, r.Verdict)
	require.Positive(t, r.Serial.Stuck)
	require.Contains(t, r.Notes[0], "Get() = 1, Inc() blocks: this is taken for intended")

	against := models()
	c.Model = &against
	r = check(t, c, "Inc() Get() | Inc()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Equal(t, lineup.NoStuckWitness, r.Failure.Cause)
	require.True(t, r.Failure.History.Stuck)
	require.True(t, r.Failure.History.Operations[r.Failure.Blocked].Pending())
	require.Equal(t, "Inc", r.Failure.History.Operations[r.Failure.Blocked].Method)
	require.Contains(t, r.String(), "blocks for ever")

	c = checker(t, counters(false))
	c.Model = &against
	require.Equal(t, lineup.Passed, check(t, c, "Inc() Get() | Inc()").Verdict)
}

// TestModelBlocks has the model block where the implementation panics.
func TestModelBlocks(t *testing.T) {
	c := checker(t, counters(false))
	require.Equal(t, lineup.Passed, check(t, c, "Inc() | Dec()").Verdict)
	against := models()
	c.Model = &against
	r := check(t, c, "Inc() | Dec()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Equal(t, 1, r.Serial.Stuck)
	require.Contains(t, r.Failure.String(), `Dec() = "panic: negative"`)
}

func TestNondeterminism(t *testing.T) {
	r := check(t, checker(t, lineup.Subject{
		Name: "dice", New: func() any { return dice{} }, Invocations: []lineup.Invocation{lineup.Invoke("Roll")},
	}), "Roll() | Roll() Roll()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Equal(t, lineup.Nondeterministic, r.Failure.Cause)
	require.Len(t, r.Failure.Nearest, 1)
	require.Contains(t, r.String(), "do not always give the same")
}

// TestPointers checks that pointers are compared by which is which, not by
// where they are, and whatever order they come up in.
func TestPointers(t *testing.T) {
	c := checker(t, pointerRegisters())
	c.Options.Preemptions = lineup.Unbounded
	require.Equal(t, lineup.Passed, check(t, c, "Publish() Get() | Publish() Get() | Get()").Verdict)
	r := check(t, c, "Split() | Split()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Contains(t, r.Failure.String(), `"&1"`)
}

// TestIterators checks that iterators run within the operation that returns
// them, and that what they yield is not mixed up with what others return.
func TestIterators(t *testing.T) {
	c := checker(t, pointerRegisters())
	c.Options.Preemptions = lineup.Unbounded
	require.Equal(t, lineup.Passed, check(t, c, "All() | Get()").Verdict)
	r := check(t, c, "All() | Publish()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Contains(t, r.Failure.String(), `All() = [null,"&1"]`)
}

// TestGoroutines checks that goroutines of the code under test have done
// their work between two serial operations, and may be late in others.
func TestGoroutines(t *testing.T) {
	s := lineup.Subject{
		Name: "late", New: func() any { return new(late) },
		Invocations: []lineup.Invocation{lineup.Invoke("Do"), lineup.Invoke("Done")},
	}
	r := check(t, checker(t, s), "Do() Done()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Contains(t, r.Failure.String(), "A: Done() = true")
}

// TestBeforeAndAfter makes calls before and after the threads.
func TestBeforeAndAfter(t *testing.T) {
	r := check(t, checker(t, queues(true)), "Add(200) Add(400) -> TryTake() | TryTake() -> TryTake()")
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Equal(t, "main", r.Failure.History.Threads[0])
	require.Len(t, r.Failure.History.Operations, 5)
	r = check(t, checker(t, queues(false)), "Add(200) Add(400) -> TryTake() | TryTake() -> TryTake()")
	require.Equal(t, lineup.Passed, r.Verdict)
}

func TestReplay(t *testing.T) {
	c := checker(t, queues(true))
	failed := check(t, c, "Add(200) TryTake() | Add(400) TryTake()")
	s, err := sched.Parse(failed.Failure.Schedule)
	require.NoError(t, err)
	again, err := c.Replay(t.Context(), failed.Test, s)
	require.NoError(t, err)
	require.Equal(t, lineup.Failed, again.Verdict)
	require.Equal(t, failed.Failure, again.Failure)
	require.Equal(t, 1, again.Concurrent.Executions)

	// Code that is corrected passes, and need not follow the schedule.
	again, err = checker(t, queues(false)).Replay(t.Context(), failed.Test, s)
	require.NoError(t, err)
	require.Equal(t, lineup.Passed, again.Verdict)
	require.Greater(t, again.Concurrent.Executions, 1)
	require.Len(t, again.Notes, 1)
	require.Contains(t, again.Notes[0], "executions did not follow the schedule")
}

// moody fails to add on a whim, if another has come between.
type moody struct{ n atomic.Int64 }

func (m *moody) Add() bool {
	n := m.n.Load()
	if rand.IntN(4) > 0 {
		m.n.Add(1)
		return true
	}
	return m.n.CompareAndSwap(n, n+1)
}

// TestReplayOfRandomCode finds the failure again, although the code does what
// it did one time in four.
func TestReplayOfRandomCode(t *testing.T) {
	s := lineup.Subject{Name: "moody", New: func() any { return new(moody) }, Invocations: []lineup.Invocation{lineup.Invoke("Add")}}
	c := checker(t, s)
	schedule, err := sched.Parse("A2 B3 A")
	require.NoError(t, err)
	r, err := c.Replay(t.Context(), parse(t, "Add() | Add()"), schedule)
	require.NoError(t, err)
	require.Equal(t, lineup.Failed, r.Verdict)
}

func TestMinimize(t *testing.T) {
	c := checker(t, queues(true))
	r := check(t, c, "Add(200) TryTake() Add(400) | TryTake() Add(400) TryTake() | Add(200) Add(400) TryTake()")
	require.Equal(t, lineup.Failed, r.Verdict)
	least, err := c.Minimize(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, lineup.Failed, least.Verdict)
	require.Equal(t, 3, least.Test.Calls())
	require.Len(t, least.Test.Threads, 2)
	require.LessOrEqual(t, least.Failure.Preemptions, 1)
}

// TestRandom checks that tests are a function of the seed, and what they find.
func TestRandom(t *testing.T) {
	s := queues(true)
	require.Equal(t, lineup.RandomTest(s, lineup.Shape{}, 7, 3), lineup.RandomTest(s, lineup.Shape{}, 7, 3))
	require.NotEqual(t, lineup.RandomTest(s, lineup.Shape{}, 7, 3), lineup.RandomTest(s, lineup.Shape{}, 7, 4))
	threads, calls := lineup.RandomTest(s, lineup.Shape{Threads: 2, Calls: 4}, 1, 0).Dimension()
	require.Equal(t, [2]int{2, 4}, [2]int{threads, calls})

	c := checker(t, s)
	c.Options.MaxExecutions = 1000
	all, err := c.Random(t.Context(), lineup.Shape{}, 1, 10)
	require.NoError(t, err)
	require.Equal(t, lineup.Failed, all[len(all)-1].Verdict)

	c = checker(t, queues(false))
	c.Options.MaxExecutions = 1000
	all, err = c.Random(t.Context(), lineup.Shape{}, 1, 5)
	require.NoError(t, err)
	require.Len(t, all, 5)
	for _, r := range all {
		require.Equal(t, lineup.Passed, r.Verdict)
		require.Equal(t, 1000, r.Concurrent.Executions)
		require.False(t, r.Concurrent.Exhausted)
	}
}

// TestSequences makes random tests of sequences of calls.
func TestSequences(t *testing.T) {
	take := lineup.Call{Method: "TryTake"}
	m := lineup.RandomTest(queues(false), lineup.Shape{Sequences: [][]lineup.Call{{take, take}}, Calls: 2}, 1, 0)
	_, calls := m.Dimension()
	require.Equal(t, 4, calls)
}

func TestAuto(t *testing.T) {
	c := checker(t, queues(true))
	c.Options.MaxExecutions = 100
	r, checked, err := c.Auto(t.Context(), 3)
	require.NoError(t, err)
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Greater(t, checked, 1)

	// 1x1: one test of one invocation. 2x2: sequences of two out of two
	// invocations are four, pairs of them without order ten.
	n := 0
	for range lineup.AutoTests(queues(false), lineup.Shape{}, 2) {
		n++
	}
	require.Equal(t, 1+10, n)
	take := lineup.Call{Method: "TryTake"}
	for m := range lineup.AutoTests(queues(false), lineup.Shape{Initial: []lineup.Call{take}, Sequences: [][]lineup.Call{{take, take}}}, 1) {
		require.Equal(t, "TryTake() -> TryTake() TryTake()", m.String())
	}
	r, checked, err = checker(t, queues(false)).Auto(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, lineup.Passed, r.Verdict)
	require.Equal(t, 11, checked)
}

func TestTimeIsOver(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r, err := checker(t, queues(false)).Check(ctx, parse(t, "Add(200) Add(200) Add(200) | Add(200) Add(200) Add(200) | Add(200) Add(200) Add(200) | TryTake()"))
	require.NoError(t, err)
	require.Equal(t, lineup.Unknown, r.Verdict)
	require.Contains(t, r.Reason, "context deadline exceeded")
}

func TestMistakes(t *testing.T) {
	_, err := lineup.NewChecker(t, lineup.Subject{Name: "q"})
	require.EqualError(t, err, `lineup: subject "q" has no New`)
	_, err = lineup.NewChecker(t, lineup.Subject{Name: "q", New: func() any { return nil }})
	require.EqualError(t, err, `lineup: subject "q" has no invocations`)
	s := queues(false)
	s.Invocations = append(s.Invocations, lineup.Invoke("TryTake"))
	_, err = lineup.NewChecker(t, s)
	require.EqualError(t, err, `lineup: subject "queue" has the invocation TryTake() twice`)
	_, err = checker(t, queues(false)).Check(t.Context(), parse(t, "Add(1)"))
	require.EqualError(t, err, `lineup: subject "queue" has no invocation Add(1), but Add(200), Add(400), TryTake()`)
	s = queues(false)
	s.New = func() any { panic("no room") }
	_, err = checker(t, s).Check(t.Context(), parse(t, "TryTake()"))
	require.EqualError(t, err, "lineup: test TryTake(): making a queue panicked: no room")
}

// TestLibrary is the library as a user's test calls it. The subjects are written
// for the scheduler, and need not be instrumented.
func TestLibrary(t *testing.T) {
	t.Setenv(lineup.InstrumentedEnv, lineup.Instrumented)
	lineup.Check(t, queues(false), "Add(200) TryTake() | Add(400) TryTake()")
	lineup.CheckAgainst(t, counters(false), models(), "Inc() Get() | Inc()")
}
