package search

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// hardLog is a stack of which n values were pushed at once and come out in an
// order that no order of pushes gives: the search has to try them all.
func hardLog(n int) *history.Log {
	l := &history.Log{Kind: history.Stack}
	for i := range n {
		workload.Add(l, history.Insert, int64(i), 0, 10)
	}
	for i := range n {
		workload.Add(l, history.Remove, int64(i), 20, 30)
	}
	workload.Add(l, history.Remove, 99, 15, 16)
	workload.Add(l, history.Insert, 99, 40, 41)
	return l
}

func TestBudgets(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancelLate()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		options Options
		want    Reason
	}{
		{"nodes", context.Background(), Options{Nodes: 1000}, NodesUsedUp},
		{"memory", context.Background(), Options{Memory: 1 << 16}, MemoryUsedUp},
		{"cancelled", cancelled, Options{}, Cancelled},
		{"deadline", late, Options{}, DeadlinePassed},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := Log(c.ctx, hardLog(12), c.options)
			require.NoError(t, err)
			assert.Equal(t, Unknown, res.Verdict)
			assert.Equal(t, c.want, res.Reason)
			assert.NotEmpty(t, res.Reason.String())
			assert.Nil(t, res.Core)
			assert.Nil(t, res.Linearization)
		})
	}
}

// TestCancelStopsTheSearch: or the test would not end.
func TestCancelStopsTheSearch(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	res, err := Log(ctx, hardLog(12), Options{})
	require.NoError(t, err)
	require.Equal(t, DeadlinePassed, res.Reason)
}

// TestWorkersChangeNothing runs the same search with one worker and with
// many, with and without a violation and a budget that is too small.
func TestWorkersChangeNothing(t *testing.T) {
	verdicts := map[HistoryVerdict]int{}
	for n := range 60 {
		r := rand.New(rand.NewPCG(3, uint64(n)))
		l := manyKeys(r, 40, n%3)
		for _, o := range []Options{{}, {Nodes: 12}, {Earliest: true}, {Shrink: true}} {
			o.Workers = 1
			want, err := Log(context.Background(), l, o)
			require.NoError(t, err)
			verdicts[want.Verdict]++
			for range 3 {
				o.Workers = 8
				got, err := Log(context.Background(), l, o)
				require.NoError(t, err)
				require.Equal(t, want, got, "history %d, %+v", n, o)
			}
		}
	}
	require.Len(t, verdicts, 3)
}

// manyKeys makes a map's history of small histories, each of a key of its
// own, and spoils some rows.
func manyKeys(r *rand.Rand, keys, spoilt int) *history.Log {
	all := &history.Log{Kind: history.Map}
	for k := range keys {
		l := workload.Random(rand.New(rand.NewPCG(uint64(k), 1)), history.Register, 8)
		for l.Initial != history.Absent || !workload.Linearizable(l) {
			l = workload.Random(r, history.Register, 8)
		}
		for range l.Call {
			all.Key = append(all.Key, int64(k))
		}
		all.Method, all.Value, all.Second = append(all.Method, l.Method...), append(all.Value, l.Value...), append(all.Second, l.Second...)
		all.Call, all.Return = append(all.Call, l.Call...), append(all.Return, l.Return...)
	}
	for range spoilt {
		workload.Change(r, all, r.IntN(all.Len()), 4)
	}
	return all
}

// TestViolationBesidesWhatIsUnknown has a part that is too hard and one that
// is wrong.
func TestViolationBesidesWhatIsUnknown(t *testing.T) {
	m := Model[string, string, string]{
		Init:      func() string { return "" },
		Step:      func(s, in, out string) (string, bool) { return s + in, out == "" || s+in == out },
		Partition: func(ops []Operation[string, string]) [][]int { return [][]int{{0, 1, 2, 3, 4, 5, 6}, {7}} },
	}
	var ops []Operation[string, string]
	for _, in := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		ops = append(ops, Operation[string, string]{Input: in, Call: 1, Return: 9})
	}
	ops[0].Output = "gfedcba?"
	ops = append(ops, Operation[string, string]{Input: "x", Output: "y", Call: 1, Return: 2})
	res, err := m.Check(context.Background(), ops, Options{Nodes: 50})
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict)
	require.Equal(t, 1, res.Part)
	require.Equal(t, []int32{7}, res.Core)
	res, err = m.Check(context.Background(), ops[:7], Options{Nodes: 50})
	require.Error(t, err, "the partition does not fit")
	require.Equal(t, Unknown, res.Verdict)
}
