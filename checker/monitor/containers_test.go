package monitor

import (
	"flag"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

var (
	containerRuns = flag.Int("containers.n", 10_000, "small histories of each container to compare with a brute force")
	containerSize = flag.Int("containers.size", 9, "operations of the largest of them, nearly")
	containerSeed = flag.Uint64("containers.seed", 1, "seed of these histories")
)

// monitored asks the monitor of a container.
func monitored(l *history.Log, order bool) answer {
	return (&check{options: Options{Order: order}}).answer(l)
}

// TestContainersAgreeWithBruteForce compares answers, replays linearizations
// and tries all orders of the rows of cores.
func TestContainersAgreeWithBruteForce(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		t.Run(kind.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(*containerSeed, uint64(kind)))
			var yes, no, undecided, rows int
			for range *containerRuns {
				l := workload.Container(r, kind, *containerSize)
				require.Equal(t, monitored(l, true).ok, monitored(l, false).ok, workload.Describe(l))
				want, got := workload.Linearizable(l), monitored(l, true)
				switch {
				case got.reason != "":
					undecided++
					continue
				case want:
					yes++
					require.True(t, got.ok, "%score %v", workload.Describe(l), got.core)
					require.NoError(t, certificate.Validate(l, got.order), "%sorder %v", workload.Describe(l), got.order)
					continue
				}
				no++
				require.False(t, got.ok, "%sorder %v", workload.Describe(l), got.order)
				require.False(t, workload.Linearizable(l.Select(got.core)), "%score %v", workload.Describe(l), got.core)
				rows += len(got.core)
			}
			t.Logf("%d linearizable, %d not, %d undecided, %.1f rows a core", yes, no, undecided, float64(rows)/float64(no))
			assert.Greater(t, yes, *containerRuns/5)
			assert.Greater(t, no, *containerRuns/5)
			assert.Less(t, undecided, *containerRuns/50+1)
		})
	}
}
