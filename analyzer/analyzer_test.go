package analyzer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// likely are rules that hide what is likely none, for reasons that have nothing to do with
// the verdict: fixtures show what the verdict is. Those of the rules are in testdata/rules.
const likely = "-E21,-E22,-E23,-E24,-E25,-E26"

// TestFixtures checks the reports in each folder of testdata/src: one concept
// a folder, with `want` comments, for all that nothing speaks against. They are loaded together, since most of the
// time goes into the standard library below them.
func TestFixtures(t *testing.T) {
	dir := analysistest.TestData()
	entries, err := os.ReadDir(filepath.Join(dir, "src"))
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(readme), "## Folders")
	var concepts []string
	for _, e := range entries {
		if !e.IsDir() || strings.Contains(e.Name(), ".") { // stand-ins for the libraries of a host
			continue
		}
		assert.True(t, regexp.MustCompile(`\b`+e.Name()+`\b`).MatchString(table), "the table of testdata/README.md does not have %s", e.Name())
		if e.Name() != "text" {
			concepts = append(concepts, e.Name())
		}
	}
	opts := analyzer.Options{Confidence: analyzer.ConfidenceMedium}
	require.NoError(t, opts.Rules.Set(likely))
	analysistest.Run(reportsOnly{t}, dir, analyzer.New(opts), concepts...)
}

// reportsOnly is a test that does not look at facts: most functions of the
// fixtures have one. TestFacts does.
type reportsOnly struct{ *testing.T }

func (r reportsOnly) Errorf(format string, args ...any) {
	r.Helper()
	if text := fmt.Sprintf(format, args...); !strings.Contains(text, "unexpected fact") {
		r.Error(text)
	}
}
