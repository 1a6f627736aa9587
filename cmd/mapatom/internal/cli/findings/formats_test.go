package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFormats: each format is written by somebody, run by a script, and explained.
func TestFormats(t *testing.T) {
	paths, err := filepath.Glob("../../../testdata/script/*.txtar")
	require.NoError(t, err)
	var scripts strings.Builder
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		scripts.Write(text)
	}
	page, err := os.ReadFile("../../../../../docs/ci.md")
	require.NoError(t, err)
	for _, f := range formats {
		if f.name == formatText {
			continue
		}
		flag := "mapatom -format=" + string(f.name) + " "
		assert.True(t, strings.Contains(scripts.String(), flag), "no script in cmd/mapatom/testdata/script runs %q: add it to formats.txtar", flag)
		assert.True(t, strings.Contains(string(page), "-format="+string(f.name)), "docs/ci.md does not say what reads -format=%s", f.name)
		assert.True(t, f.write != nil || f.name == formatVet, "who writes %s?", f.name)
	}
}
