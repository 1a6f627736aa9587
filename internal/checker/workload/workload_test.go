package workload

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
)

// TestBothVerdicts: of each way to make small histories, a good part can be
// ordered, and a good part cannot.
func TestBothVerdicts(t *testing.T) {
	mix := Mix{Kind: history.Map, Methods: []history.Method{history.Write, history.Read, history.CAS, history.Swap, history.GetOrPut}, Values: 3, Keys: 2, Deletes: true}
	for name, made := range map[string]func(*rand.Rand) *history.Log{
		"mix":       mix.Log,
		"random":    func(r *rand.Rand) *history.Log { return Random(r, history.Set, 6) },
		"container": func(r *rand.Rand) *history.Log { return Container(r, history.Stack, 8) },
	} {
		t.Run(name, func(t *testing.T) {
			yes, no := 0, 0
			for n := range uint64(1000) {
				l := made(rand.New(rand.NewPCG(1, n)))
				require.NoError(t, l.Check(), Describe(l))
				require.Equal(t, l, made(rand.New(rand.NewPCG(1, n))), "the same seed")
				if Linearizable(l) {
					yes++
				} else {
					no++
				}
			}
			assert.Greater(t, min(yes, no), 200)
		})
	}
}

// TestThreadsAreRight: what threads observe of a correct object can be ordered,
// and no longer if a result was spoilt.
func TestThreadsAreRight(t *testing.T) {
	for kind := history.Stack; kind <= history.Map; kind++ {
		for seed := range uint64(50) {
			g := Threads{Kind: kind, Operations: 9, Number: 3, Keys: 2, Pending: 1, Seed: seed, Fill: int(seed % 2 * 40), Spread: seed%3 == 0}
			l := g.Log()
			require.NoError(t, l.Check())
			require.True(t, Linearizable(l), Describe(l))
			g.Broken = true
			spoilt := g.Log()
			if !assert.ObjectsAreEqual(l, spoilt) {
				require.False(t, Linearizable(spoilt), Describe(spoilt))
			}
		}
	}
}

// TestPending: nothing is known of what a pending operation found.
func TestPending(t *testing.T) {
	l := &history.Log{Kind: history.Queue}
	Add(l, history.Insert, 1, 0, 1)
	Add(l, history.Remove, 2, 2, 3)
	require.False(t, Linearizable(l))
	CutOff(l, 1)
	require.NoError(t, l.Check())
	require.True(t, Linearizable(l), Describe(l))
	o := NewObject(l)
	_, ok := o.Next()
	require.False(t, ok)
	o, ok = o.Step(l, 0)
	require.True(t, ok)
	v, ok := o.Next()
	require.True(t, ok)
	require.EqualValues(t, 1, v)
}

// TestClients: they find old values and time out only where that is asked for.
func TestClients(t *testing.T) {
	count := func(c Clients) (never int) {
		for _, call := range c.Calls() {
			if call.End == Never {
				never++
			}
			require.Less(t, call.Start, call.End)
		}
		return never
	}
	c := Clients{Number: 5, Operations: 300, Keys: 3, Swaps: true, Values: 4, Latency: 20, Gap: 5, Seed: 1}
	require.Equal(t, c.Calls(), c.Calls())
	require.Zero(t, count(c))
	c.Timeouts = 0.2
	require.NotZero(t, count(c))
}
