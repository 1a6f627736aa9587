package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEndings: whatever ends mapatom while it runs code, no process is left; and
// no file, if it can still do something about that.
func TestEndings(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "mapatom")
	require.NoError(t, os.Symlink(self, program))
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			temp := t.TempDir()
			cmd := exec.Command(program, "confirm", "-verified", "-time=1m", "./testdata/tour")
			cmd.Dir = filepath.Join("..", "..")
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, "MAPATOM_CACHE=off")
			require.NoError(t, cmd.Start())
			running := func() bool { return len(processesIn(temp)) > 0 }
			require.Eventually(t, running, time.Minute, 10*time.Millisecond)
			require.NoError(t, cmd.Process.Signal(sig))
			assert.Error(t, cmd.Wait())
			assert.Eventually(t, func() bool { return !running() }, time.Minute, 10*time.Millisecond)
			if sig == syscall.SIGKILL {
				return
			}
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}
