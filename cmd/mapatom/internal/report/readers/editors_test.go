package readers

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var npm = flag.Bool("npm", false, "have code of editors read this, which npm downloads")

// node runs a program of testdata/editors with what its package.json names.
func node(t *testing.T, program string, input []byte, args ...string) []byte {
	if !*npm {
		t.Skip("-npm")
	}
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/editors")))
	out, err := exec.Command("npm", "ci", "--prefix", dir, "--ignore-scripts", "--no-audit", "--no-fund").CombinedOutput()
	require.NoError(t, err, string(out))
	return []byte(run(t, dir, input, "node", append([]string{"--no-warnings", "--import", "./register.mjs", program}, args...)...))
}

// TestVSCode: VS Code's own code takes the problem matcher of docs/editors.md, and finds
// with it each finding.
func TestVSCode(t *testing.T) {
	lines := mapatom(t, "-format=line", "./testdata/tour")
	var matcher string
	for _, b := range blocks(t, "editors.md", "json") {
		var tasks struct {
			Tasks []struct{ ProblemMatcher json.RawMessage }
		}
		if require.NoError(t, json.Unmarshal([]byte(b), &tasks)); len(tasks.Tasks) > 0 {
			matcher = string(tasks.Tasks[0].ProblemMatcher)
		}
	}
	require.NotEmpty(t, matcher)
	var problems []struct {
		File, Message, Code, Source string
		Severity, Line, Column      int
	}
	require.NoError(t, json.Unmarshal(node(t, "matcher.mjs", lines, matcher, root), &problems))
	require.Len(t, problems, findings(t))
	for _, p := range problems {
		assert.True(t, strings.HasSuffix(filepath.Dir(p.File), "testdata/tour"), p.File)
		assert.Equal(t, []any{"mapatom", 4 /* warning */}, []any{p.Source, p.Severity})
		assert.Regexp(t, `^MA\d{4}$`, p.Code)
		assert.Positive(t, p.Line)
		assert.Positive(t, p.Column)
		assert.NotEmpty(t, p.Message)
	}
}

// TestYAMLLanguageServer: the server that editors run for YAML completes and checks a
// .mapatom.yml whose first line is that of docs/editors.md, with the schema of this
// checkout.
func TestYAMLLanguageServer(t *testing.T) {
	const address = "https://raw.githubusercontent.com/mapatom/mapatom/main/"
	text := blocks(t, "editors.md", "yaml")[0]
	require.Contains(t, text, "$schema="+address+"docs/schema/")
	abs, err := filepath.Abs(root)
	require.NoError(t, err)
	text = strings.Replace(text, address, "file://"+abs+"/", 1)

	var got struct {
		Messages []string
		Keys     []string // that are completed in a new line
		Values   []string // for the key of the last line
	}
	ask := func(text string) {
		require.NoError(t, json.Unmarshal(node(t, "schema.mjs", []byte(text)), &got))
	}
	ask(text)
	assert.Empty(t, got.Messages)
	assert.Contains(t, got.Keys, "exclude")
	assert.ElementsMatch(t, []string{"default", "all"}, got.Values)
	ask(strings.Replace(text, "report: default", "enviroment: open\nreport: some", 1))
	assert.Len(t, got.Messages, 2)
}
