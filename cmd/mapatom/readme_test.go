package main

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// output matches a block of the README that quotes mapatom.
var output = regexp.MustCompile("(?ms)^```text\n(.*?)^```$")

// TestReadme: what the README quotes is what mapatom prints for the tour, and
// the source that it quotes is in the tour.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.Findings, run(context.Background(), []string{"./testdata/tour"}, &stdout, &stderr), stderr.String())

	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	block := output.FindSubmatchIndex(readme)
	require.NotNil(t, block, "a block of output")
	quoted := string(readme[block[2]:block[3]])
	if *update {
		quoted = findingAt(stdout.String(), "testdata/tour/peers.go")
		updated := string(readme[:block[2]]) + quoted + string(readme[block[3]:])
		require.NoError(t, os.WriteFile("README.md", []byte(updated), 0o644))
	}
	assert.Contains(t, stdout.String(), quoted)
	assert.Contains(t, quoted, "(MA1006 duplicate-instance)")

	source, err := os.ReadFile("testdata/tour/peers.go")
	require.NoError(t, err)
	_, code, _ := strings.Cut(string(readme), "```go\n")
	code, _, _ = strings.Cut(code, "```\n")
	assert.Contains(t, string(source), code)
	assert.LessOrEqual(t, strings.Count(string(readme), "\n"), 190, "lines")
}

// findingAt is the first finding in a file, as it is printed.
func findingAt(out, file string) string {
	_, rest, _ := strings.Cut(out, "\n\n"+file)
	lines := strings.SplitAfter(file+rest, "\n")
	for i, line := range lines[1:] {
		// The next finding begins where a line is neither empty nor indented.
		if line != "\n" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "\t") {
			return strings.TrimRight(strings.Join(lines[:i+1], ""), "\n") + "\n"
		}
	}
	return file + rest
}
