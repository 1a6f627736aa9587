package golangci

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRegistered(t *testing.T) {
	build, err := register.GetPlugin("mapatom")
	require.NoError(t, err)
	p, err := build(nil)
	require.NoError(t, err)
	assert.Equal(t, register.LoadModeTypesInfo, p.GetLoadMode())
	as, err := p.BuildAnalyzers()
	require.NoError(t, err)
	require.Len(t, as, 1)
	assert.Equal(t, "mapatom", as[0].Name)
}

// TestSettings: they are added to the file that they name.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mapatom.yml"), []byte("report: all\nenvironment: open\nexclude:\n- files: a\n"), 0o644))
	p, err := New(map[string]any{"config": ".mapatom.yml", "environment": "package", "exclude": []any{map[string]any{"files": "b"}}})
	require.NoError(t, err)
	c := p.(*plugin).config
	assert.Equal(t, "all", c.Report)
	assert.Equal(t, "package", c.Environment)
	assert.True(t, c.Excluded(filepath.Join(dir, "a", "x.go"), "F", "crash"))
	assert.True(t, c.Excluded(filepath.Join(dir, "b", "x.go"), "F", "crash"))

	for _, wrong := range []map[string]any{
		{"config": "missing.yml"}, {"config": 1}, {"env": "open"}, {"report": "some"},
	} {
		_, err := New(wrong)
		assert.ErrorContains(t, err, "settings of mapatom: ", wrong)
	}
}
