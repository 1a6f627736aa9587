package analyzer_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mapatom/mapatom/analyzer"
)

// TestFixtures checks the reports in each folder of testdata/src: one concept
// a folder, with `want` comments. They are loaded together, since most of the
// time goes into the standard library below them.
func TestFixtures(t *testing.T) {
	dir := analysistest.TestData()
	entries, err := os.ReadDir(filepath.Join(dir, "src"))
	require.NoError(t, err)
	var concepts []string
	for _, e := range entries {
		if e.IsDir() && e.Name() != "github.com" {
			concepts = append(concepts, e.Name())
		}
	}
	analysistest.Run(t, dir, analyzer.New(analyzer.Options{}), concepts...)
}
