package explore_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/monitor"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/models"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

func run(t *testing.T, e models.Entry, b explore.Bounds, o explore.Options) explore.Result {
	t.Helper()
	r, err := explore.Explore(context.Background(), e.New(b), o)
	require.NoError(t, err)
	return r
}

// small are bounds that the naive explorer, and the mode Internal without
// reductions, finish within a second or so.
func small(e models.Entry) []explore.Bounds {
	one := []explore.Bounds{{Threads: 1, Operations: 1}, {Threads: 1, Operations: 3}, {Threads: 2, Operations: 1}}
	switch e.Name {
	case "counter", "treiber", "treiber-aba", "ms-queue", "shann-queue-fixed", "shann-queue":
		return append(one, explore.Bounds{Threads: 3, Operations: 1}, explore.Bounds{Threads: 2, Operations: 2})
	}
	return one
}

// TestNaive compares the counts with those of the naive explorer, with and
// without reductions, with the history inside and outside of the state.
func TestNaive(t *testing.T) {
	for _, e := range models.All() {
		for _, b := range small(e) {
			wrong := false
			for _, mode := range []explore.Mode{explore.Internal, explore.External} {
				for _, full := range []bool{false, true} {
					if full && b.Threads*b.Operations > 2 {
						continue
					}
					name := fmt.Sprintf("%s %d×%d %s full=%t", e.Name, b.Threads, b.Operations, mode, full)
					want, err := explore.Naive(e.New(b), mode, !full)
					require.NoError(t, err, name)
					got := run(t, e, b, explore.Options{Mode: mode, Full: full})
					if want.Wrong && mode == explore.Internal {
						assert.Equal(t, reach.Violation, got.Verdict, name)
						wrong = true
					}
					if wrong {
						continue // a violation ends it, and External may or may not see it
					}
					assert.Equal(t, reach.OK, got.Verdict, name)
					assert.Equal(t, want, explore.NaiveResult{Stored: got.Stored, Matched: got.Matched, Histories: got.Histories}, name)
				}
			}
		}
	}
}

// finishable is how many states the mode Internal may need: the environment
// variable EXPLORE_STATES says how many in a longer run.
func finishable(t *testing.T) int64 {
	text := os.Getenv("EXPLORE_STATES")
	if text == "" {
		return 3_000
	}
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

// TestSoundAgreesWithInternal compares the verdicts, also without reductions,
// and where a model gives them those of linearization points.
func TestSoundAgreesWithInternal(t *testing.T) {
	most, finished := finishable(t), 0
	for _, e := range models.All() {
		for threads := 1; threads <= 3; threads++ {
			for operations := 1; operations <= 4/threads+1; operations++ {
				b := explore.Bounds{Threads: threads, Operations: operations}
				name := fmt.Sprintf("%s %d×%d", e.Name, threads, operations)
				internal := run(t, e, b, explore.Options{Mode: explore.Internal, States: most})
				if internal.Verdict == reach.Unknown {
					continue // it cannot finish
				}
				finished++
				sound := run(t, e, b, explore.Options{})
				assert.Equal(t, internal.Verdict, sound.Verdict, name)
				assert.Equal(t, internal.Trace == nil, sound.Trace == nil, name)
				assert.LessOrEqual(t, sound.Stored, internal.Stored, name)
				full := run(t, e, b, explore.Options{Full: true, States: most})
				if full.Verdict != reach.Unknown {
					assert.Equal(t, sound.Verdict, full.Verdict, name+", no reductions")
				}
				if e.Points {
					assert.Equal(t, sound.Verdict, run(t, e, b, explore.Options{Mode: explore.Points}).Verdict, name+", points")
				}
			}
		}
	}
	t.Logf("%d models and bounds", finished)
}

// TestFigures7To9 is the counterexample of the SPIN paper to its external
// checking.
func TestFigures7To9(t *testing.T) {
	e, err := models.Find("counter")
	require.NoError(t, err)
	for mode, want := range map[explore.Mode]reach.ModelVerdict{
		explore.External: reach.OK, explore.Sound: reach.Violation, explore.Internal: reach.Violation,
	} {
		assert.Equal(t, want, run(t, e, e.Bounds, explore.Options{Mode: mode}).Verdict, mode)
	}
	r := run(t, e, e.Bounds, explore.Options{})
	assert.Equal(t, "1:operation2 1:operation1", r.Trace.Schedule())
}

// TestTable3 finds the four bugs of the SPIN paper, and none in what is
// corrected. A history that is found is wrong by itself, and can be replayed.
func TestTable3(t *testing.T) {
	for _, e := range models.All() {
		r := run(t, e, e.Bounds, explore.Options{})
		if !e.Faulty {
			assert.Equal(t, reach.OK, r.Verdict, e.Name)
			continue
		}
		require.Equal(t, reach.Violation, r.Verdict, e.Name)
		require.NoError(t, r.Trace.Picture().Validate(), e.Name)
		again, err := explore.Replay(e.New(e.Bounds), r.Trace.Schedule(), false)
		require.NoError(t, err, e.Name)
		assert.Equal(t, r.Trace.Schedule(), again.Schedule(), e.Name)
		assert.Equal(t, r.Trace.Picture(), again.Picture(), e.Name)
		if e.Name == "treiber-aba" {
			logs, err := r.Trace.History().Logs()
			require.NoError(t, err)
			m, err := monitor.Check(context.Background(), logs[0], monitor.Options{})
			require.NoError(t, err)
			assert.Equal(t, search.Violation, m.Verdict)
		}
	}
}

// TestExternalStoresLess is the paper's claim, for models that are right and
// so are explored as a whole.
func TestExternalStoresLess(t *testing.T) {
	for _, name := range []string{"treiber", "shann-queue-fixed", "ms-queue", "list-set"} {
		e, err := models.Find(name)
		require.NoError(t, err)
		b := explore.Bounds{Threads: 2, Operations: 2}
		internal := run(t, e, b, explore.Options{Mode: explore.Internal})
		external := run(t, e, b, explore.Options{Mode: explore.External})
		assert.Greater(t, internal.Stored, 3*external.Stored, name)
	}
}

// TestWorkers has the result not depend on how many goroutines explore.
func TestWorkers(t *testing.T) {
	for _, e := range models.All() {
		b := explore.Bounds{Threads: 2, Operations: 2}
		for mode := explore.Sound; mode <= explore.External; mode++ {
			var first explore.Result
			for workers := 1; workers <= 3; workers++ {
				r := run(t, e, b, explore.Options{Mode: mode, Workers: workers, States: 10_000})
				r.Elapsed, r.Bytes = 0, 0
				if r.Trace != nil {
					r.Reason = r.Trace.Schedule()
					r.Trace = nil
				}
				if workers == 1 {
					first = r
				}
				assert.Equal(t, first, r, "%s %s %d workers", e.Name, mode, workers)
			}
		}
	}
}

// TestBudgets ends explorations early.
func TestBudgets(t *testing.T) {
	e, err := models.Find("snark-fixed")
	require.NoError(t, err)
	r := run(t, e, e.Bounds, explore.Options{States: 1000})
	assert.Equal(t, reach.Unknown, r.Verdict)
	assert.Equal(t, "the budget of states is used up", r.Reason)
	r = run(t, e, e.Bounds, explore.Options{Memory: 100_000})
	assert.Equal(t, "the memory is used up", r.Reason)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r, err = explore.Explore(ctx, e.New(e.Bounds), explore.Options{})
	require.NoError(t, err)
	assert.Equal(t, "interrupted", r.Reason)
	ctx, cancel = context.WithTimeout(context.Background(), 0)
	defer cancel()
	r, err = explore.Explore(ctx, e.New(e.Bounds), explore.Options{})
	require.NoError(t, err)
	assert.Equal(t, "the time is used up", r.Reason)
}

// TestReplayErrors has every malformed schedule refused with what is wrong.
func TestReplayErrors(t *testing.T) {
	e, err := models.Find("list-set")
	require.NoError(t, err)
	for schedule, want := range map[string]string{
		"x":            `step 1, "x": there is no thread "x": want 1 to 2`,
		"3":            `there is no thread "3"`,
		"1":            "thread 1 calls something next: want 1:add(1), add(2), remove(1)",
		"1:add":        "thread 1 calls something next",
		"1:add(1)/x":   `a choice of "x": want a number`,
		"1:add(1) 1:a": "thread 1 is in the middle of add",
		"1:contains(1) 1:contains(1) 1:contains(1) 1:add(1)": "thread 1 has made all its calls",
	} {
		_, err := explore.Replay(e.New(e.Bounds), schedule, false)
		assert.ErrorContains(t, err, want, schedule)
	}
}

func FuzzReplay(f *testing.F) {
	f.Add("1:push 2:pop 1 2")
	f.Add("1:pop/0,1 2/9 0:x")
	e, err := models.Find("treiber-aba")
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, schedule string) {
		trace, err := explore.Replay(e.New(e.Bounds), schedule, false)
		if err != nil {
			return
		}
		again, err := explore.Replay(e.New(e.Bounds), trace.Schedule(), false)
		require.NoError(t, err)
		assert.Equal(t, trace.Schedule(), again.Schedule())
		assert.NoError(t, again.Picture().Validate())
	})
}
