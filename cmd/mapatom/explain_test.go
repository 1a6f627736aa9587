package main

import (
	"bytes"
	"context"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/internal/pages"
)

// TestPages: the first example of each page gives exactly the message that the
// page quotes, and the fixed one gives none.
func TestPages(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	writeFile(t, "go.mod", "module example.com/example\n\ngo 1.26\n")
	for _, name := range pages.Categories() {
		page, _ := pages.Category(name)
		blocks := goBlock.FindAllStringSubmatch(page.Text, -1)
		require.Len(t, blocks, 2, name)
		for i, dir := range []string{"wrong", "fixed"} {
			formatted, err := format.Source([]byte(blocks[i][1]))
			require.NoError(t, err, name)
			assert.Equal(t, string(formatted), blocks[i][1], name)
			writeFile(t, filepath.Join(name, dir, "example.go"), blocks[i][1])
		}
	}
	all := lines(t, "-report=default", "./...") + lines(t, "-report=all", "./"+string(absint.DuplicateWork)+"/...")
	for _, name := range pages.Categories() {
		page, _ := pages.Category(name)
		found := strings.ReplaceAll(linesOf(all, name+"/"), name+"/wrong/", "")
		if *update {
			text := output.ReplaceAllLiteralString(page.Text, "```text\n"+found+"```")
			require.NoError(t, os.WriteFile(filepath.Join(root, "docs", "categories", name+".md"), []byte(text), 0o644))
			continue
		}
		quoted := output.FindStringSubmatch(page.Text)
		require.NotNil(t, quoted, name)
		assert.Equal(t, quoted[1], found, name)
		assert.Contains(t, found, "("+pages.Label(name)+")")
	}
}

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

func writeFile(t *testing.T, path, text string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

// lines runs mapatom and returns its findings, a line each.
func lines(t *testing.T, args ...string) string {
	var stdout, stderr bytes.Buffer
	run(context.Background(), append([]string{"-format=line"}, args...), &stdout, &stderr)
	require.Empty(t, stderr.String())
	return stdout.String()
}

// linesOf are the lines that begin with a prefix.
func linesOf(text, prefix string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestPagesShape: every category has a page, and every page the same parts.
func TestPagesShape(t *testing.T) {
	assert.ElementsMatch(t, pages.Categories(), []string{
		string(absint.DuplicateWork), string(absint.DuplicateInstance), string(absint.LostUpdate), string(absint.StaleDelete),
		string(absint.InconsistentRead), string(absint.Crash), string(absint.NonAtomic),
		string(analyzer.Directive), string(analyzer.NotVerified),
	})
	for _, name := range pages.Categories() {
		page, _ := pages.Category(name)
		assert.True(t, strings.HasPrefix(page.Text, "# "+pages.Label(name)+"\n\n"+page.Summary+"\n"), name)
		assert.True(t, strings.HasSuffix(page.Summary, "."), page.Summary)
		last := 0
		for _, heading := range []string{"\n## Example\n", "\n## Fixed\n", "\n## When it is fine\n"} {
			at := strings.Index(page.Text, heading)
			assert.Greater(t, at, last, name+heading)
			last = at
		}
		for line := range strings.Lines(page.Text) {
			if !strings.HasPrefix(line, "example.go:") && !strings.Contains(line, page.Summary) {
				assert.LessOrEqual(t, len([]rune(line)), 90, line)
			}
		}
	}
}
