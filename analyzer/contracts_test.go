package analyzer_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
)

// TestExcuses checks that what is not reported for what is written stays a
// violation, and names the sentence.
func TestExcuses(t *testing.T) {
	reasons := map[string]string{}
	for _, r := range analysistest.Run(reportsOnly{t}, analysistest.TestData(), analyzer.New(analyzer.Options{Confidence: analyzer.ConfidenceMedium}), "contracts") {
		result, ok := r.Result.(*analyzer.Result)
		require.True(t, ok)
		for _, x := range result.Extensions {
			if x.Verdict == absint.Violation && x.Rule != "" {
				reasons[x.Function] = x.Reason
			}
		}
	}
	assert.Equal(t, map[string]string{
		"(*Node).settle":        `"Lock should be held", says the comment of settle`,
		"(*Node).raise":         `"raise is called with n.mu held", says the comment of raise`,
		"(*Node).resetLocked":   `a lock is held, says the name of resetLocked`,
		"(*TwoSided).apply":     `"Lock is held on entry", says the comment of apply`,
		"(*Window).Take":        `"Take must not be called concurrently", says the comment of Take`,
		"(*average).Update":     `"Update is not safe for concurrent use", says the comment of Average.Update`,
		"(*Stream).WriteHeader": `"It should not be called in parallel to other data writes", says the comment of SetHeader`,
	}, reasons)
}
