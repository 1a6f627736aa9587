package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCompared: each row of the feature table ends with what shows it: tests, scripts,
// files or folders that are there, or commands, which TestRunCommands runs. Where another
// tool has more, there is a reason.
func TestCompared(t *testing.T) {
	page := readPage(t, "../../docs/compared.md")
	tests := testNames(t, "../..")
	rows := 0
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 8 || strings.HasPrefix(cells[0], "---") || strings.Contains(cells[0], "**") || strings.TrimSpace(cells[0]) == "" {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows++
		others, ours, shown := strings.Join(cells[1:6], ""), cells[6], cells[7]
		for i, c := range cells[1:7] {
			assert.Regexp(t, `^[●○·–]( \([0-9]\))?$`, c, "%s, column %d", cells[0], i+1)
		}
		if note := footnote.FindStringSubmatch(ours); strings.Contains(others, "●") && !strings.HasPrefix(ours, "●") && !strings.HasPrefix(ours, "–") {
			require.NotNil(t, note, "%s: no reason", cells[0])
			assert.Contains(t, page, "\n"+note[1]+". ", cells[0])
		}
		if strings.HasPrefix(ours, "–") {
			assert.NotEmpty(t, shown, cells[0])
			continue
		}
		for what := range strings.SplitSeq(shown, ", ") {
			switch {
			case strings.HasPrefix(what, "`mapatom"): // TestRunCommands runs it
			case strings.HasPrefix(what, "Test"):
				assert.True(t, tests[what], "%s: there is no %s", cells[0], what)
			case strings.HasSuffix(what, ".txtar"):
				assert.FileExists(t, filepath.Join("testdata/script", what), cells[0])
			default:
				_, err := os.Stat(filepath.Join("../..", what))
				assert.NoError(t, err, cells[0])
			}
		}
	}
	assert.Greater(t, rows, 40)
}

var footnote = regexp.MustCompile(`\(([0-9])\)`)

// testNames are the tests of all modules.
func testNames(t *testing.T, root string) map[string]bool {
	names := map[string]bool{}
	name := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			for _, m := range name.FindAllStringSubmatch(readPage(t, path), -1) {
				names[m[1]] = true
			}
		}
		return err
	}))
	return names
}

// TestTwoCommands: from nothing to a first finding it takes two commands: one that
// installs, and one that runs.
func TestTwoCommands(t *testing.T) {
	path, dir := installed(t), checkout(t)
	for i, line := range []string{"go install github.com/mapatom/mapatom/cmd/mapatom@latest", "mapatom ./..."} {
		cmd := exec.Command("bash", "-c", line)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+path)
		out, err := cmd.CombinedOutput()
		if i == 0 {
			require.NoError(t, err, string(out))
			continue
		}
		exit := new(exec.ExitError)
		require.ErrorAs(t, err, &exit, string(out))
		assert.Equal(t, 3, exit.ExitCode())
		assert.Contains(t, string(out), "(MA1001 lost-update)")
	}
}
