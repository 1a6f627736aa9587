package explore_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/models"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
)

// pops is an observer of the caller's: it counts pops that found the stack
// empty, and does not allow a third.
type pops struct{}

func (pops) Start() int32 { return 0 }

func (pops) Next(state int32, e explore.Event) int32 {
	if e.Kind != explore.Returned || e.Result.Len() == 0 || e.Result.At(0) != 0 {
		return state
	}
	if state == 2 {
		return explore.Wrong
	}
	return state + 1
}

// TestObserver explores with an automaton in place of a mode.
func TestObserver(t *testing.T) {
	e, err := models.Find("treiber")
	require.NoError(t, err)
	o := explore.Options{Observer: pops{}}
	assert.Equal(t, reach.OK, run(t, e, explore.Bounds{Threads: 2, Operations: 1}, o).Verdict)
	r := run(t, e, explore.Bounds{Threads: 3, Operations: 1}, o)
	assert.Equal(t, reach.Violation, r.Verdict)
	assert.Len(t, r.Trace.History().Operations, 3)
}

// BenchmarkSound explores a correct model; its metric is transitions.
func BenchmarkSound(b *testing.B) {
	e, err := models.Find("snark-fixed")
	require.NoError(b, err)
	b.ReportAllocs()
	transitions := int64(0)
	for b.Loop() {
		r, err := explore.Explore(context.Background(), e.New(e.Bounds), explore.Options{Workers: 1})
		require.NoError(b, err)
		transitions += r.Stored + r.Matched
	}
	b.ReportMetric(float64(transitions)/b.Elapsed().Seconds(), "transitions/s")
}
