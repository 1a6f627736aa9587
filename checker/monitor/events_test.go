package monitor

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

func TestRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, span := range []int64{1, 4, 50, 1 << 40, math.MaxInt64 - 1} {
		for range 200 {
			n := r.IntN(12)
			l := &history.Log{}
			for range n {
				call := r.Int64N(span)
				ret := call + r.Int64N(span-call)
				if r.IntN(5) == 0 {
					ret = history.Pending
				}
				l.Call, l.Return = append(l.Call, call), append(l.Return, ret)
			}
			checkRanks(t, l, newEvents(l))
		}
	}
}

func checkRanks(t *testing.T, l *history.Log, ev *events) {
	seen := 0
	for a := range int32(ev.n) {
		require.Equal(t, a, ev.at[ev.call[a]])
		seen++
		require.Equal(t, l.Return[a] == history.Pending, ev.pending(a))
		if !ev.pending(a) {
			require.Equal(t, ^a, ev.at[ev.ret[a]])
			seen++
		}
		for b := range int32(ev.n) {
			require.Equal(t, l.Return[a] < l.Call[b], ev.ret[a] < ev.call[b], "%v %v", l.Call, l.Return)
		}
	}
	require.Len(t, ev.at, seen)
}

func TestNumbering(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, span := range []int64{10, 1000, 1 << 20, math.MaxInt64} {
		column := []int64{history.Absent, history.Unknowable}
		for range 300 {
			column = append(column, r.Int64N(span)-span/2)
		}
		ids := numberValues(column)
		value := map[int32]int64{}
		for _, v := range column {
			id := ids.of(v)
			require.GreaterOrEqual(t, id, int32(0))
			require.Less(t, int(id), ids.count)
			if other, is := value[id]; is {
				require.Equal(t, other, v)
			}
			value[id] = v
		}
		require.Equal(t, int32(-1), ids.of(math.MaxInt64))
	}
}
