package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
)

func mustRun(t *testing.T, o Options) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := Run(ctx, o)
	require.NoError(t, err)
	t.Logf("%s n=%d %s ops=%d buggy=%t full=%t: %s %s, %d stored, %d matched, %d begun, %v", o.Algorithm, o.Processes, o.Mode,
		o.Operations, o.Buggy, o.Full, r.Verdict, r.Reason, r.Stored, r.Matched, r.Begun, r.Elapsed.Round(time.Millisecond))
	return r
}

// wrong checks, by a search that knows nothing of algorithms and automata, that
// the history of a trace is not linearizable, and that the trace can be had again.
func wrong(t *testing.T, o Options, trace *Trace) {
	t.Helper()
	require.NotNil(t, trace)
	h := trace.History()
	require.NoError(t, h.Check())
	require.NoError(t, trace.Picture().Validate())
	require.Equal(t, search.Violation, decide(t, h))
	again, bad, err := Replay(o, trace.Schedule())
	require.NoError(t, err)
	require.True(t, bad)
	require.Equal(t, trace, again)
}

// decide decides a history with distinct values, so that it is by search or by
// order only.
func decide(t *testing.T, in *history.History) search.HistoryVerdict {
	t.Helper()
	h, err := snapshot.Convert(in)
	require.NoError(t, err)
	r, err := h.Check(t.Context(), search.Options{})
	require.NoError(t, err)
	model := search.Model[string, *snapshot.Operation, struct{}]{
		Init: func() string { return fmt.Sprint(h.Initial) },
		Step: func(s string, op *snapshot.Operation, _ struct{}) (string, bool) {
			values := fields(s)
			for _, c := range op.Reads {
				if values[c.Segment] != c.Value {
					return s, false
				}
			}
			for _, c := range op.Writes {
				values[c.Segment] = c.Value
			}
			return fmt.Sprint(values), true
		},
	}
	model.Effects = func(s string, op *snapshot.Operation) []string {
		next, _ := model.Step(s, op, struct{}{})
		return []string{next}
	}
	var ops []search.Operation[*snapshot.Operation, struct{}]
	for i := range h.Operations {
		op := &h.Operations[i]
		ops = append(ops, search.Operation[*snapshot.Operation, struct{}]{Input: op, Call: op.Call, Return: op.Return})
	}
	slow, err := model.Check(t.Context(), ops, search.Options{})
	require.NoError(t, err)
	require.Equal(t, slow.Verdict, r.Verdict)
	return slow.Verdict
}

// fields reads what fmt.Sprint wrote of numbers below 10.
func fields(s string) (values []int32) {
	for _, b := range []byte(s) {
		if b >= '0' && b <= '9' {
			values = append(values, int32(b-'0'))
		}
	}
	return values
}

// The bug of each algorithm is found for the numbers of processes of the paper's
// table 1: the first, or with SNAPSHOT_LONG all.
func TestBugs(t *testing.T) {
	processes := []int{3}
	if os.Getenv("SNAPSHOT_LONG") != "" {
		processes = []int{3, 4, 5, 6, 8, 10}
	}
	for _, info := range algorithm.All() {
		for _, n := range processes {
			o := Options{Algorithm: info.Name, Processes: n, Buggy: true, Pair: &[2]int{0, 1}}
			r := mustRun(t, o)
			require.Equal(t, reach.Violation, r.Verdict, "%s with %d processes", info.Name, n)
			wrong(t, o, r.Trace)
		}
	}
}

// Algorithms with finitely many states are verified for any number of
// operations.
func TestUnbounded(t *testing.T) {
	for _, c := range []struct {
		name      string
		processes int
	}{{"bowman", 2}, {"bowman", 3}, {"bowman", 4}, {"bowman", 6}, {"riany", 2}, {"jayanti", 2}, {"afek-unbounded", 2}} {
		require.Equal(t, reach.OK, mustRun(t, Options{Algorithm: c.name, Processes: c.processes}).Verdict)
	}
}

// The three modes, with and without what is left out, give the same answer.
func TestModesAgree(t *testing.T) {
	type bound struct{ processes, operations int }
	bounds := []bound{{2, 1}, {2, 2}, {3, 1}}
	switch {
	case testing.Short():
		bounds = bounds[:1]
	case os.Getenv("SNAPSHOT_LONG") == "":
		bounds = bounds[:2]
	}
	for _, info := range algorithm.All() {
		for _, buggy := range []bool{false, true} {
			for _, bound := range bounds {
				var first reach.ModelVerdict
				for k, o := range []Options{
					{Mode: Polynomial}, {Mode: Simple}, {Mode: Normal}, {Mode: Polynomial, Full: true}, {Mode: Simple, Full: true},
				} {
					o.Algorithm, o.Buggy, o.Processes, o.Operations = info.Name, buggy, bound.processes, bound.operations
					o.States = 150_000
					r := mustRun(t, o)
					if r.Verdict == reach.Unknown {
						require.True(t, o.Full || o.Mode == Normal, "only the largest spaces may be too large: %+v", o)
						continue
					}
					if k == 0 {
						first = r.Verdict
					}
					require.Equal(t, first, r.Verdict, "%+v", o)
					if r.Verdict == reach.Violation {
						require.True(t, buggy)
						wrong(t, o, r.Trace)
					}
				}
			}
		}
	}
}

// Random runs of correct algorithms, with all values and nothing left out, have
// histories that are linearizable.
func TestRandomRuns(t *testing.T) {
	for _, info := range algorithm.All() {
		t.Run(info.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(5, 5))
			bad := 0
			for run := range 300 {
				o := Options{Algorithm: info.Name, Processes: 2 + run%3, Mode: Normal, Operations: 3, Full: run%2 == 0}
				require.Equal(t, search.Linearizable, decide(t, randomRun(t, r, o).History()))
				o.Buggy = true
				if decide(t, randomRun(t, r, o).History()) == search.Violation {
					bad++
				}
			}
			t.Logf("%d of 300 runs with the bug are wrong", bad)
		})
	}
}

// randomRun has all processes do what they may in random order.
func randomRun(t *testing.T, r *rand.Rand, o Options) *Trace {
	p, err := o.product([2]int{0, 1}, o.Processes)
	require.NoError(t, err)
	p.watch = everything{}
	trace := &Trace{Processes: o.Processes}
	w := newWorker(p)
	w.note = func(s Step) { trace.Steps = append(trace.Steps, s) }
	w.x.Verbose = true
	state := p.start()
	for range 2000 {
		all := p.moves(state.Bytes, true, p.moves(state.Bytes, false, nil))
		if len(all) == 0 {
			break
		}
		require.True(t, w.do(&state, all[r.IntN(len(all))]))
	}
	return trace
}

// everything is a watch that lets everything pass.
type everything struct{}

func (everything) start() int32                                                       { return 0 }
func (everything) may([]byte, int, algorithm.Operation) bool                          { return true }
func (everything) states() int64                                                      { return 1 }
func (everything) invoke(mark int32, _, _ []byte, _ int, _ algorithm.Operation) int32 { return mark }
func (everything) returns(mark int32, _ []byte, _ int, _ algorithm.Operation, _ algorithm.View) (int32, bool) {
	return mark, true
}

// Budgets and cancellation end an exploration with the verdict Unknown.
func TestBudgets(t *testing.T) {
	o := Options{Algorithm: "afek-bounded", Processes: 3}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	short, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	for _, c := range []struct {
		ctx            context.Context
		states, memory int64
		reason         string
	}{
		{t.Context(), 10_000, 0, "the budget of states is used up"},
		{t.Context(), 0, 1 << 20, "the memory is used up"},
		{cancelled, 0, 0, "interrupted"},
		{short, 0, 0, "the time is used up"},
	} {
		o.States, o.Memory = c.states, c.memory
		r, err := Run(c.ctx, o)
		require.NoError(t, err)
		require.Equal(t, reach.Unknown, r.Verdict)
		require.Equal(t, c.reason, r.Reason)
		require.Positive(t, r.Stored)
	}
}

// A schedule that makes no sense is refused with what is wrong.
func TestReplayErrors(t *testing.T) {
	o := Options{Algorithm: "bowman", Processes: 3, Buggy: true, Operations: 1}
	for schedule, want := range map[string]string{
		"x":                  `step 1, "x": there is no process "x": want 0 to 2`,
		"3:scan":             `there is no process "3"`,
		"0":                  "process 0 begins something next: want 0:update(0) or 0:update(1) or 0:scan",
		"2:update(1)":        "process 2 begins something next: want 2:update(0) or 2:scan",
		"2:update(0) 2:scan": "process 2 has begun all its operations",
		"0:update(1) 0:scan": "process 0 is in the middle of update(1)",
		"0:update(1) 0 0":    "process 0 has begun all its operations",
		"2:scan 2 0:update(1) 0 1:update(1) 1 2 0": "process 0 has begun all its operations",
	} {
		_, _, err := Replay(o, schedule)
		require.ErrorContains(t, err, want, schedule)
	}
	_, bad, err := Replay(o, "2:scan 2 2")
	require.NoError(t, err)
	require.False(t, bad)
}

func FuzzReplay(f *testing.F) {
	f.Add("2:scan 0:update(1) 0 2 2 1:scan")
	f.Fuzz(func(t *testing.T, schedule string) {
		o := Options{Algorithm: "jayanti", Processes: 3, Buggy: true}
		trace, bad, err := Replay(o, schedule)
		if err != nil {
			return
		}
		again, still, err := Replay(o, trace.Schedule())
		require.NoError(t, err)
		require.Equal(t, bad, still)
		require.Equal(t, trace, again)
	})
}

func TestMisuse(t *testing.T) {
	for want, o := range map[string]Options{
		`unknown algorithm "x"`:                             {Algorithm: "x", Processes: 3},
		"1 processes, want 2 to 16":                         {Algorithm: "bowman", Processes: 1},
		"-1 operations a process":                           {Algorithm: "bowman", Processes: 3, Operations: -1},
		"pair 1,0, want two different processes of 3":       {Algorithm: "bowman", Processes: 3, Pair: &[2]int{1, 0}},
		"in normal mode all processes write everything":     {Algorithm: "bowman", Processes: 3, Mode: Normal, Pair: &[2]int{0, 1}},
		"pair 0,3, want two different processes of 3 in or": {Algorithm: "bowman", Processes: 3, Pair: &[2]int{0, 3}},
	} {
		_, err := Run(t.Context(), o)
		require.ErrorContains(t, err, want)
	}
	_, err := ParseMode("fast")
	require.Error(t, err)
	for _, m := range []Mode{Polynomial, Simple, Normal} {
		again, err := ParseMode(m.String())
		require.NoError(t, err)
		require.Equal(t, m, again)
	}
}

// The same options give the same result, to the state.
func TestDeterministic(t *testing.T) {
	o := Options{Algorithm: "riany", Processes: 4, Buggy: true}
	a, b := mustRun(t, o), mustRun(t, o)
	require.Equal(t, a.Stored, b.Stored)
	require.Equal(t, a.Matched, b.Matched)
	require.Equal(t, a.Trace, b.Trace)
}
