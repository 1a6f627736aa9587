package analyzer_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// TestDefaultConfidence has functions called High, of which the code shows enough for a
// report of the default, and functions like them that are called Medium, of which
// something is not shown.
func TestDefaultConfidence(t *testing.T) {
	dir, err := filepath.Abs("testdata/confidence")
	require.NoError(t, err)
	seen := 0
	for _, r := range analysistest.Run(quiet{}, dir, analyzer.New(analyzer.Options{}), "harm", "together") {
		for _, x := range violations(r.Action) {
			_, name, _ := strings.Cut(x.Function, ".")
			switch {
			case strings.HasPrefix(name, "High"), strings.HasPrefix(name, "high"):
				assert.Equal(t, analyzer.ConfidenceHigh, x.Confidence, x.Function)
				assert.True(t, x.Reported, x.Function)
			case strings.HasPrefix(name, "Medium"), name == "Read": // which can have no other name
				assert.Less(t, x.Confidence, analyzer.ConfidenceHigh, x.Function)
				assert.False(t, x.Reported, x.Function)
			default:
				continue
			}
			seen++
		}
	}
	assert.GreaterOrEqual(t, seen, 18, "functions with a violation")
}
