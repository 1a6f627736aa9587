package lineup

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mapatom/mapatom/internal/checker/instrument"
)

func init() { runAgain = again }

// again has another process, the same test with its code instrumented, do
// what Check is asked for.
func again(c *Checker, cases []testCase, v *verdicts) error {
	c.t.Helper()
	if testing.CoverMode() != "" {
		c.cover(cases)
	}
	ctx, interrupted, stop := untilInterrupt(c.t)
	defer stop()
	file, notes, err := instrumented(ctx, c.Subject.Dependencies, c.Subject.Memory)
	if err == nil {
		v.notes = notes
		err = answers(ctx, file, c.t, v)
	}
	if interrupted() {
		stop()
		// What the build has written is gone: now end as the signal asked.
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			self.Signal(os.Interrupt)
			time.Sleep(time.Second)
		}
	}
	if err != nil {
		return fmt.Errorf("lineup: the test could not be run again, instrumented: %w", err)
	}
	return nil
}

// untilInterrupt is the test's context, which also ends on Ctrl-C and shortly
// before the test's deadline.
func untilInterrupt(t *testing.T) (ctx context.Context, interrupted func() bool, stop func()) {
	signals, release := signal.NotifyContext(t.Context(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := signals, context.CancelFunc(func() {})
	if end, ok := t.Deadline(); ok {
		ctx, cancel = context.WithDeadlineCause(signals, end.Add(-time.Second), errors.New("the test's time is over (-timeout)"))
	}
	return ctx, func() bool { return signals.Err() != nil && t.Context().Err() == nil }, func() { cancel(); release() }
}

// A build is an instrumented test binary, which is made once a process for
// each set of dependencies.
type build struct {
	once  sync.Once
	file  string
	notes []string
	err   error
}

// builds are those that were begun, by what is instrumented.
var builds sync.Map

// instrumented gives the binary of this process's package.
func instrumented(ctx context.Context, dependencies []string, memory bool) (string, []string, error) {
	config := instrument.Config{Dependencies: dependencies, Memory: memory, Env: buildEnv()}
	what, err := json.Marshal(config)
	if err != nil {
		return "", nil, err
	}
	entry, _ := builds.LoadOrStore(string(what), new(build))
	b := entry.(*build)
	b.once.Do(func() {
		key, err := selfKey(what)
		if err != nil {
			b.err = err
			return
		}
		b.file, b.notes, b.err = instrument.TestBinary(ctx, config, key)
	})
	return b.file, b.notes, b.err
}

// selfKey stands for everything that the instrumented binary is made of: the
// code under test, the tests and this module are all linked into the program
// that is running.
func selfKey(what []byte) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(sum, "%s\x00%s", dir, what)
	return fmt.Sprintf("%.16x", sum.Sum(nil)), nil
}

// buildEnv has the go command build with the tags that this program was built
// with.
func buildEnv() []string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return nil
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" && s.Value != "" {
			return []string{"GOFLAGS=" + strings.TrimSpace(os.Getenv("GOFLAGS")+" -tags="+s.Value)}
		}
	}
	return nil
}

// answers runs the binary and has its replies taken.
func answers(ctx context.Context, file string, t *testing.T, v *verdicts) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"-test.run=" + runPattern(t.Name()), "-test.timeout=0", "-mapatom.replay=" + *replayFlag, fmt.Sprintf("-mapatom.executions=%d", *executionsFlag)}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := exec.CommandContext(ctx, file, args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", InstrumentedEnv, numberOf(t)),
		"GODEBUG="+strings.Trim(os.Getenv("GODEBUG")+",asynctimerchan=0", ","))
	cmd.WaitDelay = 5 * time.Second
	said := &saying{}
	cmd.Stderr = said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	err = Replies(out, said, v.take)
	cancelled := context.Cause(ctx)
	if err != nil {
		cancel()
	}
	ended := cmd.Wait()
	switch {
	case cancelled != nil:
		return cancelled
	case err != nil:
		return err
	case !v.done && v.failed == nil:
		return silent(v, t, ended, said.String())
	}
	return nil
}

// saying keeps what a process says besides its answers.
type saying struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *saying) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *saying) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// cover makes the calls of each case here as well, one after the other, so that
// go test -cover counts them: it does not see the code of other processes. A
// case whose calls block is left after a while.
func (c *Checker) cover(cases []testCase) {
	const patience = 100 * time.Millisecond
	for _, one := range cases {
		p, err := c.Subject.plan(one.Test)
		if err != nil {
			return // it is reported where the case is checked
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer func() { recover() }() // a panic is a result like any other
			object := c.Subject.New()
			for _, op := range p.ops {
				op.Do(object)
			}
		}()
		select {
		case <-done:
		case <-time.After(patience):
		}
	}
}

// silent is the error of a process that has ended without an answer.
func silent(v *verdicts, t *testing.T, ended error, said string) error {
	const most = 4000
	if said = strings.TrimSpace(said); len(said) > most {
		said = said[:most] + "..."
	}
	if v.begun != nil {
		return fmt.Errorf("the process ended while it checked %s (%v):\n%s", v.begun, ended, said)
	}
	return fmt.Errorf("the process did not come to the call of Check in %s (%v):\n%s", t.Name(), ended, said)
}
