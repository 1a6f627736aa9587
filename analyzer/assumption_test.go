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
		"(*Requests).Do": absint.OwnEntry, "(*Link).Send": absint.NoWrap,
		"(*Latest).Next": absint.NoAssumption,
		"(*Desk).Urgent": absint.AnotherVariable, "(*Desk).Pressing": absint.NoAssumption,
	}, on)
}

// TestRounds: what is right only if a function may give another answer in each round of a
// loop is not decided, and the reason says so.
func TestRounds(t *testing.T) {
	undecided := map[string]string{}
	for _, r := range analysistest.Run(quiet{}, analysistest.TestData(), analyzer.New(analyzer.Options{}), "rounds") {
		for _, x := range r.Result.(*analyzer.Result).Extensions {
			if x.Verdict == absint.Unknown {
				undecided[x.Function] = x.Reason
			}
		}
	}
	require.Equal(t, map[string]string{
		"(*Counter).Rounds": "a function of which nothing is known is asked again in each round of a loop",
	}, undecided)
}
