package golangci

import (
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
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

// TestOneIssue: a finding has no related positions, and its message has what they say,
// and the interleaving.
func TestOneIssue(t *testing.T) {
	p, err := New(nil)
	require.NoError(t, err)
	as, err := p.BuildAnalyzers()
	require.NoError(t, err)
	found := 0
	for _, r := range analysistest.Run(t, analysistest.TestData(), as[0], "issue") {
		for _, d := range r.Diagnostics {
			assert.Empty(t, d.Related)
			assert.NotContains(t, d.Message, "\n")
			found++
		}
	}
	assert.Equal(t, 3, found)
}

// TestOtherFile: a place in another file than the finding's has that file's name.
func TestOtherFile(t *testing.T) {
	fset := token.NewFileSet()
	a, b := fset.AddFile("dir/a.go", -1, 100), fset.AddFile("dir/b.go", -1, 100)
	a.AddLine(10)
	d := oneIssue(fset, nil, analysis.Diagnostic{Pos: a.Pos(11), Message: "wrong", Related: []analysis.RelatedInformation{
		{Pos: a.Pos(1), Message: "here"}, {Pos: b.Pos(1), Message: "and there"},
	}})
	assert.Equal(t, analysis.Diagnostic{Pos: a.Pos(11), Message: "wrong [1: here | b.go:1: and there]"}, d)
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
