package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOneIssue: in each format of golangci-lint a finding is one issue, which has the
// interleaving.
func TestOneIssue(t *testing.T) {
	dir := module(t)
	issues := lint(t, dir)
	places := map[position]bool{}
	for _, is := range issues {
		assert.False(t, places[is.Pos], "twice at %v", is.Pos)
		places[is.Pos] = true
		assert.NotContains(t, is.Text, "related information")
		assert.Regexp(t, `\(MA\d+ [a-z-]+\) \[.* \| .*\]$`, is.Text)
	}

	text := output(t, dir, golangciLint(t), append([]string{"run"}, append(noLimits, "./...")...)...)
	assert.Len(t, regexp.MustCompile(`(?m)\(mapatom\)$`).FindAllString(text, -1), len(issues))

	page := read(t, root+"/docs/golangci-lint.md")
	_, quoted, ok := strings.Cut(page, "\n    tour/")
	require.True(t, ok, "the page has an issue")
	quoted, _, _ = strings.Cut(quoted, "\n\n")
	first, second, ok := strings.Cut(strings.Join(strings.Fields("tour/"+quoted), " "), " … ")
	require.True(t, ok, "it is shortened")
	assert.Regexp(t, "(?m)^"+regexp.QuoteMeta(first)+" .* "+regexp.QuoteMeta(second)+"$", text)

	var log struct {
		Runs []struct {
			Results []struct {
				Message struct{ Text string }
			}
		}
	}
	sarif := output(t, dir, golangciLint(t), append([]string{"run", "--output.sarif.path=stdout"}, append(noLimits, "./...")...)...)
	require.NoError(t, json.NewDecoder(strings.NewReader(sarif[strings.Index(sarif, "{"):])).Decode(&log))
	require.Len(t, log.Runs, 1)
	assert.Len(t, log.Runs[0].Results, len(issues))
}

// TestLimits: what golangci-lint leaves out, it leaves out whole.
func TestLimits(t *testing.T) {
	dir := module(t)
	all := lint(t, dir)
	assert.Len(t, lint(t, dir, "--max-issues-per-linter=2"), 2)

	// Issues with the same text are told apart by what happens in which line.
	assert.Len(t, lint(t, dir, "--max-same-issues=1"), len(all))
}

// TestExclusions: an identifier in a rule of golangci-lint leaves out its category, and
// gives it a severity.
func TestExclusions(t *testing.T) {
	dir := module(t)
	lost, rest := 0, 0
	for _, is := range lint(t, dir) {
		assert.Empty(t, is.Severity)
		if strings.Contains(is.Text, "(MA1001 ") {
			lost++
		} else {
			rest++
		}
	}
	require.Positive(t, lost)
	require.Positive(t, rest)

	page := read(t, root+"/docs/golangci-lint.md")
	config := block(t, 1)
	for _, b := range yamlBlocks(t, root+"/docs/golangci-lint.md") {
		if strings.Contains(b, "exclusions:") {
			appendTo(t, filepath.Join(dir, ".golangci.yml"), config, strings.TrimPrefix(b, "linters:\n"))
			assert.Len(t, lint(t, dir), rest, "without MA1001:\n%s", b)
		}
		if strings.HasPrefix(b, "severity:") {
			appendTo(t, filepath.Join(dir, ".golangci.yml"), config, b)
			for _, is := range lint(t, dir) {
				want := "warning"
				if strings.Contains(is.Text, "(MA1004 ") {
					want = "error"
				}
				assert.Equal(t, want, is.Severity, is.Text)
			}
		}
	}
	assert.Contains(t, page, "exclusions:")
	assert.Contains(t, page, "\nseverity:")
}

// appendTo writes the configuration with a block of the page below it.
func appendTo(t *testing.T, path, config, more string) {
	require.NoError(t, os.WriteFile(path, []byte(config+more), 0o644))
}

// TestNewFromRev: of what a commit did not change nothing is left, and of what it did,
// the whole finding.
func TestNewFromRev(t *testing.T) {
	dir := module(t)
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "first")
	path := filepath.Join(dir, "user", "user.go")
	text := strings.Replace(read(t, path), "o.Set(k, v+1)", "o.Set(k, v+2)", 1)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	issues := lint(t, dir, "--new-from-rev=HEAD")
	require.Len(t, issues, 1)
	assert.Equal(t, position{"user/user.go", 17, 2}, issues[0].Pos)
	assert.Contains(t, issues[0].Text, "[16: Get finds ")
}

// TestFix: golangci-lint applies the fix that mapatom -fix applies.
func TestFix(t *testing.T) {
	dir := module(t)
	before := lint(t, dir)
	after := lint(t, dir, "--fix")
	assert.Less(t, len(after), len(before))
	assert.Equal(t, len(after), len(lint(t, dir)), "what was fixed is not found again")
}
