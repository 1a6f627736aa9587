package search

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

var (
	diffHistories = flag.Int("diff.histories", 10_000, "random histories of each kind that the search and the brute force are compared on")
	diffSeed      = flag.Uint64("diff.seed", 1, "seed of the random histories")
	diffLength    = flag.Int("diff.length", 8, "most operations of a random history")
)

// TestAgreesWithBruteForce compares the search, and everything that it says
// besides its verdict, with the trying of all orders.
func TestAgreesWithBruteForce(t *testing.T) {
	for kind := history.Stack; kind <= history.Map; kind++ {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			began, d, histories := time.Now(), differ{t: t}, *diffHistories
			if testing.Short() {
				histories = min(histories, 2000)
			}
			for n := range histories {
				d.compare(kind, uint64(n))
			}
			t.Logf("seed %d: %d linearizable, %d not, %s", *diffSeed, d.yes, d.no, time.Since(began).Round(time.Millisecond))
			require.Greater(t, 5*min(d.yes, d.no), d.yes+d.no, "both answers must be well represented")
		})
	}
}

type differ struct {
	t       *testing.T
	yes, no int
}

func (d *differ) compare(kind history.Kind, n uint64) {
	r := rand.New(rand.NewPCG(*diffSeed, n))
	l := workload.Random(r, kind, *diffLength-r.IntN(*diffLength/2+1))
	where := fmt.Sprintf("-diff.seed=%d, history %d\n%s", *diffSeed, n, workload.Describe(l))
	res, err := Log(context.Background(), l, Options{Shrink: n%4 == 0, Earliest: n%2 == 0, Workers: 1, leastTask: 1 + int(n%3)})
	require.NoError(d.t, err, where)
	if workload.Linearizable(l) {
		d.yes++
		require.Equal(d.t, Linearizable, res.Verdict, where)
		requireLinearization(d.t, l, res.Linearization, all(l), where)
		return
	}
	d.no++
	require.Equal(d.t, Violation, res.Verdict, where)
	d.requireFailure(l, &res, n%2 == 0, where)
}

// requireFailure holds what a result says of a violation against the brute
// force: the core is not linearizable, and the earliest failure is the end
// of the shortest prefix that is not.
func (d *differ) requireFailure(l *history.Log, res *Result, earliest bool, where string) {
	require.True(d.t, slices.IsSorted(res.Core), where)
	require.False(d.t, workload.Linearizable(l.Select(res.Core)), "core %v\n%s", res.Core, where)
	if !earliest {
		require.Equal(d.t, int32(-1), res.Earliest, where)
		return
	}
	require.GreaterOrEqual(d.t, res.Earliest, int32(0), where)
	at := cut{l.Return[res.Earliest], res.Earliest}
	before := cut{at.at, at.row - 1}
	require.False(d.t, workload.Linearizable(prefixLog(l, at)), "earliest %d\n%s", res.Earliest, where)
	require.True(d.t, workload.Linearizable(prefixLog(l, before)), "not the earliest: %d\n%s", res.Earliest, where)
	requireLegal(d.t, cutLog(l, before), res.Longest, where)
	for _, row := range samePart(l, res.Earliest) {
		if l.Return[row] < at.at {
			require.Contains(d.t, res.Longest, row, where)
		}
	}
}

func samePart(l *history.Log, row int32) []int32 {
	for _, part := range partsOf(l) {
		if slices.Contains(part, row) {
			return part
		}
	}
	return nil
}

func all(l *history.Log) (rows []int32) {
	for i := range l.Len() {
		rows = append(rows, int32(i))
	}
	return rows
}

// prefixLog gives what is known of a log just after the cut.
func prefixLog(l *history.Log, to cut) *history.Log {
	var rows []int32
	for i := range l.Call {
		if l.Call[i] <= to.at {
			rows = append(rows, int32(i))
		}
	}
	return cutLog(l, to).Select(rows)
}

// cutLog gives the log with what returns after the cut pending.
func cutLog(l *history.Log, to cut) *history.Log {
	p := l.Select(all(l))
	for i := range p.Return {
		if to.hides(p.Return[i], int32(i)) {
			workload.CutOff(p, i)
		}
	}
	return p
}

// requireLinearization checks that the rows are a linearization of the log:
// every operation that returned is there, once, and none before another one
// that returned before its call.
func requireLinearization(t *testing.T, l *history.Log, rows, of []int32, where string) {
	requireLegal(t, l, rows, where)
	for _, row := range of {
		if l.Return[row] != history.Pending {
			require.Contains(t, rows, row, where)
		}
	}
}

func requireLegal(t *testing.T, l *history.Log, rows []int32, where string) {
	state := workload.NewObject(l)
	for n, row := range rows {
		require.NotContains(t, rows[:n], row, where)
		for _, before := range rows[:n] {
			require.GreaterOrEqual(t, l.Return[row], l.Call[before], "order %v\n%s", rows, where)
		}
		next, ok := state.Step(l, int(row))
		require.True(t, ok, "order %v: row %d\n%s", rows, row, where)
		state = next
	}
}
