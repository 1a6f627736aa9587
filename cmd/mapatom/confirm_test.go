package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var verifiedTime = flag.Duration("verified.time", 200*time.Millisecond, "how long the code of each verified extension is run")

// confirmed runs the command and reads what it prints.
func confirmed(t *testing.T, args ...string) []confirmedRow {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := run(context.Background(), append([]string{"confirm", "-json"}, args...), &stdout, &stderr)
	require.Contains(t, []int{exitFindings, exitFailed}, status, stderr.String())
	require.Empty(t, stderr.String())
	var rows []confirmedRow
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &rows))
	return rows
}

// unconfirmed are violations that the code cannot show. N05 is one only if
// somebody stores a container beside the columns, and the package does not:
// with -env=open it is confirmed.
var unconfirmed = map[string]bool{"(*ColumnFamily).N05": true}

// TestConfirmCorpus: every violation of the corpora is shown by their code, in
// both environments.
func TestConfirmCorpus(t *testing.T) {
	t.Chdir("../..")
	for _, c := range []struct {
		env, pkg string
		findings int
		except   map[string]bool
	}{
		{"auto", "./testdata/tour", 12, nil},
		{"open", "./testdata/tour", 15, nil},
		{"auto", "./testdata/esop14", 15, unconfirmed},
		{"open", "./testdata/esop14", 30, nil},
	} {
		rows := confirmed(t, "-report=all", "-env="+c.env, c.pkg)
		assert.Len(t, rows, c.findings, "%s %s", c.env, c.pkg)
		for _, r := range rows {
			want := "confirmed"
			if c.except[r.Function] {
				want = "not confirmed"
			}
			assert.Equal(t, want, r.Verdict, "%s %s %s", c.env, r.Function, r.Reason)
			assert.Equal(t, want == "confirmed", r.History != nil && string(r.History) != "null", r.Function)
			assert.Positive(t, r.Executions, r.Function)
		}
	}
}

// TestConfirmVerified: the code of what is verified is run as well, and shows
// nothing.
func TestConfirmVerified(t *testing.T) {
	t.Chdir("../..")
	for _, pkg := range []string{"./testdata/tour", "./testdata/esop14"} {
		ran := 0
		for _, r := range confirmed(t, "-verified", "-time="+verifiedTime.String(), pkg) {
			if r.Category == "" {
				assert.NotEqual(t, "confirmed", r.Verdict, "%s: %s", r.Function, r.History)
				ran += r.Executions
			}
		}
		assert.Greater(t, ran, 1000, pkg)
	}
}
