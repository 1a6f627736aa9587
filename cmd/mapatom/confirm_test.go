package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
)

var verifiedTime = flag.Duration("verified.time", 100*time.Millisecond, "how long the code of each verified extension is run")

// confirmed runs the command and reads what it prints.
func confirmed(t *testing.T, args ...string) []report.Confirmation {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), append([]string{"confirm", "-json"}, args...), &stdout, &stderr)
	require.Contains(t, []int{cli.Findings, cli.Failed}, status, stderr.String())
	require.Empty(t, stderr.String())
	var rows []report.Confirmation
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &rows))
	return rows
}

// corpora are the packages whose verdicts are known.
var corpora = []string{"./testdata/tour", "./testdata/esop14"}

// TestConfirmCorpora: every violation of the corpora is shown by their code, in
// both environments; without -long in the one that has more of them.
func TestConfirmCorpora(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct {
		env      string
		findings int
	}{
		{"auto", 32},
		{"open", 47},
	} {
		if c.env != "open" && !*long {
			continue
		}
		rows := confirmed(t, append(corpora, "-report=all", "-env="+c.env)...)
		assert.Len(t, rows, c.findings, c.env)
		for _, r := range rows {
			assert.Equal(t, "confirmed", r.Verdict, "%s %s %s", c.env, r.Function, r.Reason)
			assert.NotEqual(t, "null", string(r.History), r.Function)
			assert.Positive(t, r.Executions, r.Function)
		}
	}
}

// TestConfirmVerified: the code of what is verified is run as well, and shows
// nothing.
func TestConfirmVerified(t *testing.T) {
	if !*long {
		t.Skip("it runs eighty extensions for a tenth of a second and more: -long")
	}
	t.Chdir("../..")
	verified, ran := 0, 0
	for _, r := range confirmed(t, append(corpora, "./testdata/shapes/...", "-verified", "-time="+verifiedTime.String())...) {
		if r.Category == "" {
			assert.NotEqual(t, "confirmed", r.Verdict, "%s: %s", r.Function, r.History)
			verified, ran = verified+1, ran+r.Executions
		}
	}
	assert.Equal(t, 98, verified)
	assert.Greater(t, ran, 5000)
}

// TestConfirmShapes: of the shapes of real bugs all are confirmed that can be run, and none
// of their right twins, of which nothing is reported. At most one in nine cannot be run,
// or is not found in the tests that there are: which of the two it is can differ where the code is nondeterministic. How many tests are run
// is bounded by their number and not by the time, so that a slow machine finds the same.
func TestConfirmShapes(t *testing.T) {
	if !*long {
		t.Skip("it takes minutes: -long")
	}
	t.Chdir("../..")
	bugs, confirms := 0, 0
	for _, r := range confirmed(t, "./testdata/shapes/...", "-time=10m") {
		bug := strings.HasSuffix(r.Package, "/bug")
		if bug {
			bugs++
		}
		switch {
		case r.Verdict == "cannot run":
			assert.Contains(t, r.Reason, "//mapatom:harness above func make", r.Function)
		case r.Verdict == "confirmed" && bug:
			confirms++
		case r.Verdict == "confirmed":
			assert.Fail(t, "confirmed", "%s %s", r.Package, r.Function)
		default:
			assert.Contains(t, r.Reason, "can make one of another kind: //mapatom:harness above func make", r.Function)
			t.Logf("%s %s: %s", r.Package, r.Function, r.Reason)
		}
	}
	assert.LessOrEqual(t, 9*(bugs-confirms), bugs)
}

// TestConfirmInterrupted presses Ctrl-C while code runs: neither processes nor
// files are left.
func TestConfirmInterrupted(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Chdir("../..")
	ctx, cancel := context.WithCancel(context.Background())
	status := make(chan int, 1)
	var stdout, stderr bytes.Buffer
	go func() {
		status <- run(ctx, []string{"confirm", "-verified", "-time=1m", "./testdata/tour"}, &stdout, &stderr)
	}()
	running := func() bool {
		dirs, _ := filepath.Glob(filepath.Join(temp, "mapatom-confirm-*"))
		return len(dirs) > 0
	}
	require.Eventually(t, running, time.Minute, 10*time.Millisecond)
	cancel()
	assert.Equal(t, cli.Interrupted, <-status)
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.Empty(t, processesIn(temp))
}

// processesIn are the programs below a directory that run, as far as the
// system tells in /proc.
func processesIn(dir string) []string {
	var programs []string
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if program, err := os.Readlink(link); err == nil && strings.HasPrefix(program, dir) {
			programs = append(programs, program)
		}
	}
	return programs
}

// TestConfirmDocs: what docs/confirm.md quotes is what the command prints.
func TestConfirmDocs(t *testing.T) {
	t.Chdir("../..")
	var stdout, stderr bytes.Buffer
	require.Equal(t, cli.Findings, run(context.Background(), []string{"confirm", "./testdata/tour"}, &stdout, &stderr), stderr.String())
	page, err := os.ReadFile("docs/confirm.md")
	require.NoError(t, err)
	block := output.FindSubmatchIndex(page)
	require.NotNil(t, block, "a block of output")
	quoted := findingAt(stdout.String(), "testdata/tour/registry.go")
	if *update {
		updated := string(page[:block[2]]) + quoted + string(page[block[3]:])
		require.NoError(t, os.WriteFile("docs/confirm.md", []byte(updated), 0o644))
		return
	}
	assert.Equal(t, quoted, string(page[block[2]:block[3]]))
}
