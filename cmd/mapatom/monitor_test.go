package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	assert.Equal(t, exitInterrupted, <-status)
	assert.Equal(t, good+": linearizable (queue, 1 operation)\n-: unknown: interrupted\n", stdout.text.String())
	assert.Equal(t, "mapatom: interrupted\n", stderr.String())
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	assert.Len(t, left, 1, "no page, and nothing of one")
	require.NoError(t, w.Close()) // lets the reader go
}

// TestProgress draws the bar and removes it: what is printed beside it stands
// on a line of its own.
func TestProgress(t *testing.T) {
	var screen bytes.Buffer
	p := newProgress(&screen)
	p.turn()
	assert.Contains(t, screen.String(), "reading")
	p.expect(3)
	p.done()
	p.turn()
	assert.Contains(t, screen.String(), "deciding, 1 of 3 objects")
	require.NoError(t, p.aside(func() error {
		_, err := io.WriteString(&screen, "verdict\n")
		return err
	}))
	before := screen.String()[:strings.Index(screen.String(), "verdict")]
	assert.Empty(t, strings.TrimSpace(before[strings.LastIndex(before, "\r"):]))
	p.stop()
	p.stop()
}

// TestProgressSilent checks that a pipe gets nothing of it.
func TestProgressSilent(t *testing.T) {
	var pipe bytes.Buffer
	p := newProgress(&pipe)
	p.expect(1)
	p.done()
	p.stop()
	assert.Empty(t, pipe.String())
}
