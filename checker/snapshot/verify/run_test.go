package verify

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/snapshot/algorithm"
)

func mustRun(t *testing.T, o Options) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	r, err := Run(ctx, o)
	require.NoError(t, err)
	t.Logf("%s n=%d %s ops=%d buggy=%t: %s %s, %d stored, %d matched, %d MB, %d begun, %v", o.Algorithm, o.Processes, o.Mode,
		o.Operations, o.Buggy, r.Verdict, r.Reason, r.Stored, r.Matched, r.Bytes>>20, r.Begun, r.Elapsed.Round(time.Millisecond))
	return r
}

// The bug of each algorithm is found for every number of processes of the
// paper's table 1.
func TestBugs(t *testing.T) {
	for _, info := range algorithm.All() {
		for _, n := range []int{3, 4, 5, 6, 8, 10} {
			if n > 4 && testing.Short() {
				continue
			}
			r := mustRun(t, Options{Algorithm: info.Name, Processes: n, Buggy: true})
			require.Equal(t, Violation, r.Verdict, "%s with %d processes", info.Name, n)
		}
	}
}
