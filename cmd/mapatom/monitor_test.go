package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// told is a writer that says when something was written to it.
type told struct {
	mu    sync.Mutex
	text  strings.Builder
	once  sync.Once
	wrote chan struct{}
}

func (w *told) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.once.Do(func() { close(w.wrote) })
	return w.text.Write(p)
}

// TestMonitorInterrupted presses Ctrl-C while one of three inputs never ends:
// what was known before is said, what is not known too, and no file is left.
func TestMonitorInterrupted(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.log")
	require.NoError(t, os.WriteFile(good, []byte("# queue\nenq 1 0 1\n"), 0o644))
	r, w, err := os.Pipe()
	require.NoError(t, err)
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	ctx, cancel := context.WithCancel(context.Background())
	stdout := &told{wrote: make(chan struct{})}
	var stderr bytes.Buffer
	status := make(chan int)
	go func() {
		status <- run(ctx, []string{"monitor", "-html", filepath.Join(dir, "page.html"), good, "-"}, stdout, &stderr)
	}()
	<-stdout.wrote
	cancel()
	assert.Equal(t, cli.Interrupted, <-status)
	assert.Equal(t, good+": linearizable (queue, 1 operation)\n-: unknown: interrupted\n", stdout.text.String())
	assert.Equal(t, "mapatom: interrupted\n", stderr.String())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "no page, and nothing of one")
	require.NoError(t, w.Close()) // lets the reader go
}
