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

	"github.com/mapatom/mapatom/internal/checker/workplace"
)

// endless is a package whose code runs until somebody ends it.
const endless = `package m

import "sync"

type Store struct{ visits sync.Map }

func (s *Store) Visit(name string) {
	for i := 0; name != ""; i++ {
	}
	v, _ := s.visits.Load(name)
	n, _ := v.(int)
	s.visits.Store(name, n+1)
}
`

// look is how often the table of processes is looked at, all of which that goes
// through.
const look = 100 * time.Millisecond

// TestEndings: whatever ends mapatom while it runs code, no process is left; and
// no file, if it can still do something about that.
func TestEndings(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), "mapatom")
	require.NoError(t, os.Symlink(self, program))
	module := workplace.New(t, "endings")
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), []byte("module example.com/m\n\ngo 1.22\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(module, "endless.go"), []byte(endless), 0o644))
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGKILL} {
		t.Run(sig.String(), func(t *testing.T) {
			temp := t.TempDir()
			cmd := exec.Command(program, "confirm", "-time=1m", ".")
			cmd.Dir = module
			cmd.Env = append(os.Environ(), "TMPDIR="+temp, "MAPATOM_CACHE=off")
			require.NoError(t, cmd.Start())
			running := func() bool { return len(processesIn(temp)) > 0 }
			require.Eventually(t, running, time.Minute, look)
			require.NoError(t, cmd.Process.Signal(sig))
			assert.Error(t, cmd.Wait())
			assert.Eventually(t, func() bool { return !running() }, time.Minute, look)
			if sig == syscall.SIGKILL {
				return
			}
			left, err := os.ReadDir(temp)
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}
