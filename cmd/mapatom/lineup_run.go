package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mapatom/mapatom/checker/instrument"
	"github.com/mapatom/mapatom/checker/lineup"
)

// Names in the generated file.
const (
	lineupFile = "mapatom_lineup_test.go"
	lineupTest = "TestMapatomLineup"
)

// errEnough ends a process whose tests cannot matter any more: an earlier one
// has failed.
var errEnough = errors.New("an earlier test has failed")

// campaign is what the processes of a run have found together.
type campaign struct {
	*lining
	binary *instrument.Binary
	dir    string // where the processes run: what methods write to is not kept

	mu      sync.Mutex
	results map[int]*lineup.Result
	minimal map[int]*lineup.Result
	first   int // the first test that failed, or -1
	cancel  []context.CancelCauseFunc
	at      []int // the test that each process has come to
	running []*lineup.Test
	files   []string
}

// run finds the subject, instruments and builds its package, has processes
// check the tests, and prints what came of it.
func (l *lining) run(arg string) error {
	ctx := l.ctx
	if l.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.timeout)
		defer cancel()
	}
	l.progress = newProgress(l.stderr)
	defer l.progress.stop()
	f, err := l.find(arg)
	if err != nil {
		return err
	}
	s, err := instrument.Start(ctx, instrument.Config{
		Dir: l.dir, Patterns: []string{f.place.Path}, Dependencies: slices.Concat(f.deps, l.deps), Memory: l.memory,
	})
	if err != nil {
		return cannot("'go build' must accept the package.", "%v", err)
	}
	defer s.Close()
	binary, err := l.build(ctx, s, f)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "mapatom-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	c := &campaign{lining: l, binary: binary, dir: dir, results: map[int]*lineup.Result{}, minimal: map[int]*lineup.Result{}, first: -1}
	l.progress.expect(l.tests())
	if err := c.check(ctx); err != nil {
		return err
	}
	l.progress.stop()
	return l.report(arg, f, s, c)
}

// build puts the generated test into the package.
func (l *lining) build(ctx context.Context, s *instrument.Session, f *found) (*instrument.Binary, error) {
	source, err := f.harness.Source(lineupTest, s.Package(f.place.Path).Instrumented)
	if err != nil {
		return nil, err
	}
	if err := s.Add(f.place.Path, lineupFile, source); err != nil {
		return nil, err
	}
	binary, err := s.Build(ctx, f.place.Path)
	if err != nil {
		return nil, cannot("If the error is about an argument, name others with -values or -invocations.", "%v", err)
	}
	return binary, nil
}

// check runs the processes until all tests that matter are checked.
func (c *campaign) check(ctx context.Context) error {
	n := c.processes
	if tests := c.tests(); tests > 0 {
		n = min(n, tests)
	}
	c.at, c.running = make([]int, n), make([]*lineup.Test, n)
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		run, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		c.cancel = append(c.cancel, cancel)
		all.Go(func() {
			errs[i] = c.process(run, i, n)
			if errs[i] != nil && !errors.Is(errs[i], errEnough) {
				c.end(errs[i])
			}
		})
	}
	all.Wait()
	return c.outcome(ctx, errs)
}

// end ends all processes.
func (c *campaign) end(cause error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cancel := range c.cancel {
		cancel(cause)
	}
}

// outcome is the first error that is one. That the time is over is none if
// something was checked before.
func (c *campaign) outcome(ctx context.Context, errs []error) error {
	if c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	if ctx.Err() != nil && len(c.results) > 0 {
		return nil
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, context.Canceled) {
			return err
		}
	}
	return nil
}

// process runs one process, which checks every n-th test.
func (c *campaign) process(ctx context.Context, i, n int) error {
	request := c.request
	request.Rest, request.Processes = i, n
	text, err := json.Marshal(request)
	if err != nil {
		return err
	}
	out, in := io.Pipe()
	var printed tail
	done := false
	read := make(chan error, 1)
	go func() {
		err := lineup.Replies(out, &printed, func(r lineup.Reply) error {
			done = done || r.Done || r.Error != ""
			return c.take(i, n, r)
		})
		out.CloseWithError(err) // what is written now has no reader
		read <- err
	}()
	// What the process is asked for is an argument of its test, and follows
	// the flags.
	err = c.binary.Run(ctx, instrument.Limits{Memory: c.limit, Dir: c.dir}, in, in,
		"-test.run=^"+lineupTest+"$", "-test.timeout=0", "--", string(text))
	in.Close()
	replied := <-read
	switch {
	case replied != nil:
		return replied
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case errors.Is(err, instrument.ErrMemory):
		return cannot("Ask for smaller tests with -dim, or allow more with -memory.", "a test process needed more than %d megabytes", c.words.memory)
	case !done:
		return c.died(i, err, printed.String())
	}
	return nil
}

// died is the error of a process that ended with a test.
func (c *campaign) died(i int, err error, printed string) error {
	test := ""
	if m := c.running[i]; m != nil {
		test = " in the test " + m.String()
	}
	return cannot("Find the call with -test or -methods, and leave it out with -skip.", "a test process ended before its time%s (%v), after it had printed:\n%s", test, err, printed)
}

// take files what a process has found, and ends the processes that cannot
// find anything earlier.
func (c *campaign) take(i, n int, r lineup.Reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Error != "":
		return cannot("docs/line-up.md says what the code under test must not do.", "%s", strings.TrimPrefix(r.Error, "lineup: "))
	case r.Begin != nil:
		c.running[i] = r.Begin
	case r.Observations != "":
		c.files = append(c.files, r.Observations)
	case r.Minimal != nil:
		c.minimal[r.Number] = r.Minimal
	}
	if r.Result == nil {
		return nil
	}
	c.progress.done()
	c.results[r.Number] = r.Result
	c.at[i] = r.Number + n
	if r.Result.Verdict == lineup.Failed && !c.request.All && (c.first < 0 || r.Number < c.first) {
		c.first = r.Number
	}
	for p, at := range c.at {
		if at == 0 {
			at = p // it has not replied yet
		}
		if c.first >= 0 && at > c.first && c.first%n != p {
			c.cancel[p](errEnough)
		}
	}
	return nil
}

// checked are the results in the order of the tests: all, or those up to the
// first that failed.
func (c *campaign) checked() []*lineup.Result {
	var numbers []int
	for n := range c.results {
		if c.first < 0 || n <= c.first {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	all := make([]*lineup.Result, len(numbers))
	for i, n := range numbers {
		all[i] = c.results[n]
	}
	return all
}

// tail keeps the end of what is written, but of a crash, which lists every
// goroutine, the beginning.
type tail struct {
	buf     bytes.Buffer
	crashed bool
}

const maxTail = 4 << 10

// crash is how the runtime begins to say why it ends a process.
var crash = regexp.MustCompile(`(?m)^(fatal error|panic|runtime|SIG[A-Z]+): `)

func (t *tail) Write(p []byte) (int, error) {
	if t.crashed && t.buf.Len() >= maxTail {
		return len(p), nil
	}
	t.buf.Write(p)
	if at := crash.FindIndex(t.buf.Bytes()); at != nil && !t.crashed {
		t.crashed = true
		t.buf.Next(at[0])
	}
	if n := t.buf.Len(); !t.crashed && n > 2*maxTail {
		t.buf.Next(n - maxTail)
	}
	return len(p), nil
}

func (t *tail) String() string {
	text := strings.TrimSpace(t.buf.String())
	if t.crashed {
		return text[:min(maxTail, len(text))]
	}
	return text[max(0, len(text)-maxTail):]
}

// elapsed is a duration as people read it.
func elapsed(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}
