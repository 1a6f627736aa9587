package analyzer_test

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// TestFixes compares the files with their fixes applied with the golden ones.
// A file without one, withheld.go, has findings and no fixes.
func TestFixes(t *testing.T) {
	dir, err := filepath.Abs("testdata/fixes")
	if err != nil {
		t.Fatal(err)
	}
	analysistest.RunWithSuggestedFixes(reportsOnly{t}, dir, analyzer.New(analyzer.Options{Confidence: analyzer.ConfidenceMedium}), "insert", "remove", "retry", "hold")
}
