package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

func TestRowsNamesRowsOfTheWholeLog(t *testing.T) {
	l := &history.Log{Kind: history.Queue}
	workload.Add(l, history.Insert, 1, 0, 1)
	workload.Add(l, history.Insert, 2, 2, 3)
	workload.Add(l, history.Remove, 2, 4, 5)
	workload.Add(l, history.Remove, 1, 6, 7)
	for _, c := range []struct {
		rows []int32
		want HistoryVerdict
	}{
		{[]int32{0, 1, 2, 3}, Violation}, {[]int32{1, 2}, Linearizable}, {[]int32{0, 3}, Linearizable},
		{[]int32{2}, Violation}, {nil, Linearizable},
	} {
		res, err := Rows(context.Background(), l, c.rows, Options{Earliest: true, Shrink: true})
		require.NoError(t, err)
		require.Equal(t, c.want, res.Verdict, "%v", c.rows)
		switch c.want {
		case Linearizable:
			require.ElementsMatch(t, c.rows, res.Linearization)
		case Violation:
			require.Equal(t, int32(2), res.Earliest)
			require.Subset(t, c.rows, res.Core)
		}
	}
	for _, rows := range [][]int32{{4}, {-1}, {1, 1}, {2, 1}} {
		_, err := Rows(context.Background(), l, rows, Options{})
		assert.Error(t, err, "%v", rows)
	}
}

func TestLogsThatAreNotWellFormed(t *testing.T) {
	l := &history.Log{Kind: history.Queue}
	workload.Add(l, history.Insert, 1, 5, 4)
	_, err := Log(context.Background(), l, Options{})
	assert.ErrorContains(t, err, "before its call")
	l = &history.Log{Kind: history.Stack}
	workload.Add(l, history.Write, 1, 1, 4)
	_, err = Log(context.Background(), l, Options{})
	assert.ErrorContains(t, err, "no method of a stack")
	_, err = Log(context.Background(), &history.Log{}, Options{})
	assert.Error(t, err)
}

// TestShrunkCoresAreSmall checks that of a shrunk core of a container no
// value can be left out, and that it was large before.
func TestShrunkCoresAreSmall(t *testing.T) {
	for _, kind := range []history.Kind{history.Stack, history.Queue, history.PriorityQueue} {
		before, after := 0, 0
		for n := range 100 {
			r := rand.New(rand.NewPCG(5, uint64(n)))
			l := workload.Random(r, kind, 14)
			res, err := Log(context.Background(), l, Options{Shrink: true})
			require.NoError(t, err)
			if res.Verdict != Violation {
				continue
			}
			before, after = before+l.Len(), after+len(res.Core)
			for _, group := range containerGroups(l, res.Core) {
				rest := without(res.Core, [][]int32{group})
				require.True(t, workload.Linearizable(l.Select(rest)), "%v\n%s", res.Core, workload.Describe(l))
			}
		}
		require.Less(t, 2*after, before, "%s", kind)
	}
}

// TestLongHistories has no brute force beside it, but a history of which the
// answer is known: operations take effect at points in time, and in half of
// the histories one early read finds what nobody left.
func TestLongHistories(t *testing.T) {
	for kind := history.Stack; kind <= history.Map; kind++ {
		for n := range 10 {
			r := rand.New(rand.NewPCG(9, uint64(n)))
			l := workload.Long(r, kind, 1000, 1+r.IntN(4))
			res, err := Log(context.Background(), l, Options{})
			require.NoError(t, err)
			require.Equal(t, Linearizable, res.Verdict, "%s %d", kind, n)
			requireOrder(t, l, res.Linearization)
			spoilStart(l)
			res, err = Log(context.Background(), l, Options{})
			require.NoError(t, err)
			require.Equal(t, Violation, res.Verdict, "%s %d", kind, n)
		}
	}
}

// spoilStart adds an operation whose result is impossible.
func spoilStart(l *history.Log) {
	m, v := history.Peek, int64(1<<40)
	switch l.Kind {
	case history.Set:
		m = history.ContainsTrue
	case history.Register, history.Map:
		m = history.Read
	}
	workload.Add(l, m, v, 300, 310)
	l.Second = append(l.Second, 0)
	if l.Key != nil {
		l.Key = append(l.Key, 0)
	}
}

// requireOrder is requireLinearization without comparing all pairs.
func requireOrder(t *testing.T, l *history.Log, rows []int32) {
	require.Len(t, rows, l.Len())
	state, latest := workload.NewObject(l), int64(0)
	for _, row := range rows {
		latest = max(latest, l.Call[row])
		require.LessOrEqual(t, latest, l.Return[row])
		next, ok := state.Step(l, int(row))
		require.True(t, ok)
		state = next
	}
	slices.Sort(rows)
	require.Equal(t, all(l), rows)
}
