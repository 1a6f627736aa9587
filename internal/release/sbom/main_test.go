package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestRun: the modules that mapatom is linked from are in the bill, each with a version
// and a checksum.
func TestRun(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "mapatom")
	out, err := exec.Command("go", "build", "-o", binary, "../../../cmd/mapatom").CombinedOutput()
	require.NoError(t, err, string(out))
	path := filepath.Join(t.TempDir(), "bill.json")
	require.NoError(t, run([]string{binary, path}))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var b bill
	require.NoError(t, json.Unmarshal(text, &b))
	assert.Equal(t, "CycloneDX", b.Format)
	names := map[string]component{}
	for _, c := range b.Components {
		assert.NotEmpty(t, c.Version, c.Name)
		names[c.Name] = c
	}
	assert.Contains(t, names, "std")
	cobra := names["github.com/spf13/cobra"]
	assert.Regexp(t, `^pkg:golang/github\.com/spf13/cobra@v\d`, cobra.URL)
	require.Len(t, cobra.Hashes, 1)
	assert.Regexp(t, `^[0-9a-f]{64}$`, cobra.Hashes[0].Content)

	assert.Error(t, run(nil))
	assert.Error(t, run([]string{"main.go", path}), "no binary")
}
