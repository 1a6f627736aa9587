package instrument

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// command is a process in the user's directory that is ended, with all that
// it has started, when the context is done.
func (s *Session) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = s.config.Dir, s.config.env()
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// Binary is the test binary of a package.
type Binary struct {
	session *Session
	pkg     *Package
	file    string
}

// Build builds the test binary of a package with the files that were added.
func (s *Session) Build(ctx context.Context, pkg string) (*Binary, error) {
	p := s.Package(pkg)
	if p == nil {
		return nil, fmt.Errorf("package %s: not among those that were instrumented", pkg)
	}
	flags, err := s.flags()
	if err != nil {
		return nil, err
	}
	s.written++
	file := filepath.Join(s.temp, fmt.Sprintf("%d.test", s.written))
	args := append([]string{"test", "-c", "-vet=off", "-ldflags=-s", "-o", file}, flags...)
	cmd := s.command(ctx, "go", append(args, pkg)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("build of the tests of %s: %w\n%s", pkg, err, strings.TrimSpace(out.String()))
	}
	return &Binary{s, p, file}, nil
}

// Limits are what a process is run with.
type Limits struct {
	// Time is how long it may take; 0 is any time.
	Time time.Duration
	// Memory is how many bytes it may have in memory; 0 is any number. It is
	// watched on Linux, elsewhere the runtime is asked to keep to it.
	Memory int64
	// Env is added to the environment.
	Env []string
	// Dir is where it runs; "" is the directory of the package.
	Dir string
	// Around, if it is there, has the command run behind a fence.
	Around func(*exec.Cmd) error
}

// ErrTime and ErrMemory are the errors of processes that exceeded a limit.
var (
	ErrTime   = errors.New("the time limit was reached")
	ErrMemory = errors.New("the memory limit was reached")
)

// Run runs the binary in the package's directory, as go test does, or in
// another. Timers are
// those of Go 1.23 whatever the module's language version is: a bubble has no
// others.
func (b *Binary) Run(ctx context.Context, l Limits, stdout, stderr io.Writer, args ...string) error {
	cmd := b.session.command
	return limited(ctx, l, func(ctx context.Context) *exec.Cmd {
		c := cmd(ctx, b.file, args...)
		c.Dir, c.Stdout, c.Stderr = cmp.Or(l.Dir, b.pkg.Dir), stdout, stderr
		c.Env = append(c.Env, "GODEBUG="+strings.Trim(os.Getenv("GODEBUG")+",asynctimerchan=0", ","))
		return c
	})
}

// instrumentedEnv tells lineup.Check that it need not run the test again. The
// package is not imported for it: it imports this one.
const instrumentedEnv = "MAPATOM_LINEUP=instrumented"

// Test runs go test, with further flags and environment, on the packages that
// the patterns match.
func (s *Session) Test(ctx context.Context, stdout, stderr io.Writer, env []string, further ...string) error {
	flags, err := s.flags()
	if err != nil {
		return err
	}
	all := append([]string{"test", "-vet=off"}, flags...)
	all = append(append(all, further...), s.loaded.targets...)
	cmd := s.command(ctx, "go", all...)
	cmd.Env = append(append(cmd.Env, instrumentedEnv), env...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd.Run()
}

// limited runs a process within limits.
func limited(ctx context.Context, l Limits, command func(context.Context) *exec.Cmd) error {
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if l.Time > 0 {
		timer := time.AfterFunc(l.Time, func() { cancel(ErrTime) })
		defer timer.Stop()
	}
	cmd := command(run)
	cmd.Env = append(cmd.Env, l.Env...)
	if l.Memory > 0 {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMEMLIMIT=%d", l.Memory/10*9))
	}
	if l.Around != nil {
		if err := l.Around(cmd); err != nil {
			return err
		}
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	if l.Memory > 0 {
		done := make(chan struct{})
		defer close(done)
		go watchMemory(cmd.Process.Pid, l.Memory, done, func() { cancel(ErrMemory) })
	}
	err := cmd.Wait()
	if cause := context.Cause(run); cause != nil && ctx.Err() == nil {
		return cause
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// watchMemory calls exceeded if the process grows beyond the limit.
func watchMemory(pid int, limit int64, done <-chan struct{}, exceeded func()) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if resident(pid) > limit {
				exceeded()
				return
			}
		}
	}
}

// resident is how many bytes of memory a process has, as Linux tells; 0 if
// that cannot be found out.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, pages int64
	if n, _ := fmt.Sscan(string(data), &size, &pages); n != 2 {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
