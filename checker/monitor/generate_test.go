package monitor

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

var allKinds = []history.Kind{history.Set, history.Register, history.Map, history.Queue, history.Stack, history.PriorityQueue}

func TestGeneratedHistories(t *testing.T) {
	for _, kind := range allKinds {
		for _, g := range []workload.Threads{
			{Operations: 0}, {Operations: 1, Number: 1}, {Operations: 300, Number: 3}, {Operations: 3000},
			{Operations: 3000, Pending: 15}, {Operations: 3000, Number: 4, Pending: 2, Keys: 100},
		} {
			g.Kind = kind
			t.Run(fmt.Sprintf("%s/n=%d/threads=%d/pending=%d", kind, g.Operations, g.Number, g.Pending), func(t *testing.T) {
				l := g.Log()
				require.NoError(t, l.Check())
				require.Equal(t, g.Operations, l.Len())
				require.LessOrEqual(t, l.PendingRows(), g.Pending)
				require.True(t, l.InCallOrder())
				require.Equal(t, l, g.Log(), "the same seed")
				res, err := Check(context.Background(), l, Options{Order: true})
				require.NoError(t, err)
				require.Equal(t, search.Linearizable, res.Verdict, res)
				require.NoError(t, certificate.Validate(l, res.Order))
			})
		}
	}
}

func TestBrokenHistories(t *testing.T) {
	for _, kind := range allKinds {
		t.Run(kind.String(), func(t *testing.T) {
			g := workload.Threads{Kind: kind, Operations: 4000, Broken: true, Pending: 3, Seed: 5}
			l := g.Log()
			require.NoError(t, l.Check())
			res, err := Check(context.Background(), l, Options{Earliest: true})
			require.NoError(t, err)
			require.Equal(t, search.Violation, res.Verdict)
			require.True(t, res.Confirmed)
			require.NotEmpty(t, res.Core)
			require.Less(t, len(res.Core), 12)
			require.Greater(t, res.Earliest, int32(2000))
		})
	}
}
