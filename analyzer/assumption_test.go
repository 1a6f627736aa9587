package analyzer_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
)

// TestAssumptions: what a verdict of verified stands on is said beside it.
func TestAssumptions(t *testing.T) {
	on := map[string]absint.Assumption{}
	for _, r := range analysistest.Run(quiet{}, analysistest.TestData(), analyzer.New(analyzer.Options{}), "assumptions") {
		for _, x := range r.Result.(*analyzer.Result).Extensions {
			if x.Verdict == absint.Verified {
				on[x.Function] = x.Assumption
			}
		}
	}
	require.Equal(t, map[string]absint.Assumption{
		"(*Counter).Bump": absint.MayGiveUp, "(*Counter).TryBump": absint.MayGiveUp, "(*Counter).Inc": absint.NoAssumption,
		"(*Table).Put": absint.Locked, "(*Table).Add": absint.Locked,
		"(*RTT).Update": absint.OneGoroutine, "(*Cache).Sweep": absint.EachKey,
		"(*Requests).Do": absint.OwnEntry,
		"(*Window).Take": absint.AnotherVariable, "(*Latest).Next": absint.NoAssumption,
	}, on)
}
