package analyzer_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// TestSays: what is said of a few violations, and the lines where that is so.
func TestSays(t *testing.T) {
	dir, err := filepath.Abs("testdata/confidence")
	require.NoError(t, err)
	type said struct {
		says string
		line int
	}
	all, messages := map[string]map[string]said{}, map[string]string{}
	for _, r := range analysistest.Run(quiet{}, dir, analyzer.New(analyzer.Options{}), "says") {
		for _, x := range violations(r.Action) {
			all[x.Function], messages[x.Function] = map[string]said{}, x.Message
			for _, e := range x.Evidence {
				all[x.Function][e.Assumption] = said{e.Says, r.Action.Package.Fset.Position(e.Pos).Line}
			}
		}
	}
	uptime, prepare := all["(*Client).Uptime"], all["Prepare"]
	assert.Equal(t, said{"there is one c.link for each c", 36}, uptime["W2"])
	assert.Equal(t, said{"(*Client).Connect can come in between", 28}, uptime["W3"])
	assert.Equal(t, "there is only one ready", prepare["W2"].says)
	assert.Contains(t, messages["(*Clients).Client"], "; have put return what is there, and use that")
	assert.Contains(t, messages["(*Tally).Count"], "t.m[key]", "a number that only tells two variables apart is none of the source")
	assert.Contains(t, messages["(*Tally).Count"], "; use LoadOrStore for the first one, and CompareAndSwap in a loop for the others, or hold")
	assert.Contains(t, messages["(*Logs).Add"], "after Load; hold a lock over both", "a slice cannot be compared")
	assert.Contains(t, messages["(*Tally).Numbered"], "t.m[key_2]")
}
