package main

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
)

// TestInterrupted: after Ctrl-C nothing is analysed.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	assert.Equal(t, cli.Interrupted, run(ctx, []string{"."}, &out, &err))
	assert.Equal(t, "mapatom: interrupted\n", err.String())
	assert.Empty(t, out.String())
}

// TestPanic: a panic is a message, not a trace.
func TestPanic(t *testing.T) {
	var out, err bytes.Buffer
	var none context.Context // which panics when it is asked something
	assert.Equal(t, cli.Failed, run(none, []string{"."}, &out, &err))
	assert.Contains(t, err.String(), "internal error")
	assert.Contains(t, err.String(), "Please report it")
}

// TestEscapes: what is an escape to a terminal is written out, wherever an argument comes
// back.
func TestEscapes(t *testing.T) {
	for _, args := range [][]string{{"\x1b[31mred"}, {"./a\x1b[31mred"}, {"monitor", "a\x1b[31mred"}, {"-env=\x1b[31m"}, {"explain", "\x1b[31m"}, {"-\x1b[31m"}} {
		var stdout, stderr bytes.Buffer
		assert.NotEqual(t, cli.Clean, run(t.Context(), args, &stdout, &stderr), args)
		assert.NotContains(t, stdout.String()+stderr.String(), "\x1b", args)
		assert.NotEmpty(t, stderr.String(), args)
	}
}
