package result

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

func violation() *Result {
	p := &witness.Picture{Operations: []witness.Operation{{Thread: "a", Method: "deq", Results: []string{"<2>"}, Call: 1, Return: 2}}}
	return &Result{
		Name: "queue\x1b.log", Verdict: "violation", Reason: Unexplained(1), About: "queue, 1 operation",
		Details: []string{"by search"}, Picture: p, Steps: []string{"earliest: deq"}, Again: "mapatom monitor queue.log",
		Page: p, Status: HistoryStatus(search.Violation), JSON: &Exploration{Model: "m", Witness: (*witness.Document)(p)},
	}
}

// TestText: a line, what is to be known, the picture, and how to see it again. What a
// terminal would take for an escape is written out.
func TestText(t *testing.T) {
	assert.Equal(t, `queue\x1b.log: violation: no order explains this operation (queue, 1 operation)
	by search

    a
    -------------
    ╶ deq() = <2>

    earliest: deq

Again: mapatom monitor queue.log
`, violation().Text(false))
	assert.Equal(t, "m: ok\n", (&Result{Name: "m", Verdict: reach.OK.String()}).Text(true))
}

// TestPrinter: lines of JSON, the exit status, and a page unless it would mislead.
func TestPrinter(t *testing.T) {
	var out, errs bytes.Buffer
	page := filepath.Join(t.TempDir(), "page.html")
	p := &Printer{App: &cli.App{Stdout: &out, Stderr: &errs}, JSON: true, HTML: page}
	p.Progress = p.NewProgress(nil)
	require.NoError(t, p.Print(violation()))
	require.NoError(t, p.Print(&Result{Status: ModelStatus(reach.Unknown), JSON: &Exploration{}}))
	assert.Equal(t, cli.Findings, p.Status)
	assert.Contains(t, out.String(), `"results":["<2>"]`)
	assert.Contains(t, out.String(), `"witness":null,"schedule":""}`)
	require.NoError(t, p.Close("title"))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	assert.Contains(t, string(text), "&lt;2&gt;")

	require.NoError(t, os.Remove(page))
	require.NoError(t, p.Malformed(errors.New("queue.log:3: malformed")))
	assert.Equal(t, "queue.log:3: malformed\n", errs.String())
	assert.Equal(t, cli.Failed, p.Status)
	require.NoError(t, p.Close("title"))
	assert.NoFileExists(t, page)
}
