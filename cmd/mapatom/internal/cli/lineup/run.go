package lineup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/fence"
	"github.com/mapatom/mapatom/internal/checker/fence/outside"
	"github.com/mapatom/mapatom/internal/checker/instrument"
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
	// sources is what the processes may read.
	sources []string

	mu      sync.Mutex
	results map[int]*lineup.Result
	minimal map[int]*lineup.Result
	first   int // the first test that failed, or -1
	cancel  []context.CancelCauseFunc
	at      []int // the test that each process has come to
	running []*lineup.Test
	begun   []int // their numbers
	files   []string
}

// run finds the subject, instruments and builds its package, has processes
// check the tests, and prints what came of it.
func (l *lining) run(arg string) error {
	ctx := l.Ctx
	if l.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.timeout)
		defer cancel()
	}
	l.progress = l.NewProgress(cli.Counting("reading", "deciding", "object"))
	defer l.progress.Stop()
	f, err := l.find(arg)
	if err != nil {
		return err
	}
	if err := l.refuse(ctx, f); err != nil {
		return err
	}
	s, err := instrument.Start(ctx, instrument.Config{
		Dir: l.Dir, Patterns: []string{f.place.Path}, Dependencies: slices.Concat(f.deps, l.deps), Memory: l.memory,
	})
	if err != nil {
		return cli.Cannot("'go build' must accept the package.", "%v", err)
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
	c := &campaign{lining: l, binary: binary, dir: dir, sources: s.Sources(ctx), results: map[int]*lineup.Result{}, minimal: map[int]*lineup.Result{}, first: -1}
	l.progress.Expect(l.tests())
	if err := c.check(ctx); err != nil {
		return err
	}
	l.progress.Stop()
	return l.report(arg, f, s, c)
}

// refuse refuses code that could do harm, where there is no fence to put around
// it.
func (l *lining) refuse(ctx context.Context, f *found) error {
	if l.allowIO || fence.Missing() == nil {
		return nil
	}
	p, err := outside.Load(ctx, l.Dir, false, f.place.Path)
	if err != nil {
		return err
	}
	var calls []lineup.Call
	for _, m := range l.request.Tests {
		calls = append(calls, m.All()...)
	}
	if err := p.Check([]string{f.place.Path}, f.harness.Functions(calls)); err != nil {
		return cli.Cannot("There is no fence around the code here: "+fence.Missing().Error()+".", "%v", err)
	}
	return nil
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
		return nil, cli.Cannot("If the error is about an argument, name others with -values or -invocations.", "%v", err)
	}
	return binary, nil
}

// check runs the processes until all tests that matter are checked.
func (c *campaign) check(ctx context.Context) error {
	n := c.processes
	if tests := c.tests(); tests > 0 {
		n = min(n, tests)
	}
	c.at, c.running, c.begun = make([]int, n), make([]*lineup.Test, n), make([]int, n)
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
	if c.Ctx.Err() != nil {
		return c.Ctx.Err()
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

// process has every n-th test checked, by one process, or by several if one ends
// with a test: that test came to no end, and the next process goes on after it.
func (c *campaign) process(ctx context.Context, i, n int) error {
	from := 0
	for {
		err := c.processFrom(ctx, i, n, from)
		died := (*death)(nil)
		if !errors.As(err, &died) {
			return err
		}
		if err := c.survive(i, n, died); err != nil {
			return err
		}
		from = died.number + 1
	}
}

// death is a process that ended with a test.
type death struct {
	number int
	test   lineup.Test
	reason string
}

func (d *death) Error() string { return d.reason }

// survive files the test that a process has ended with, unless it is the only
// one.
func (c *campaign) survive(i, n int, d *death) error {
	if c.tests() == 1 || c.request.Observe || c.request.Schedule != "" {
		return cli.Cannot("Find the call with -test or -methods, and leave it out with -skip.", "a test process ended before its time in the test %s: %s", d.test, d.reason)
	}
	return c.take(i, n, lineup.Reply{Number: d.number, Result: &lineup.Result{
		Test: d.test, Verdict: lineup.Unknown, Reason: "the process ended before its time in the test " + d.test.String() + ": " + d.reason,
	}})
}

// processFrom runs one process, which checks every n-th test from a number on.
func (c *campaign) processFrom(ctx context.Context, i, n, from int) error {
	request := c.request
	request.Rest, request.Processes, request.From = i, n, from
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
	limits := instrument.Limits{Memory: c.limit, Dir: c.dir}
	if !c.allowIO && fence.Missing() == nil {
		limits.Around = fence.Policy{Write: []string{c.dir}, Read: c.sources, Memory: fence.Hard(c.limit)}.Around
	}
	err = c.binary.Run(ctx, limits, in, in,
		"-test.run=^"+lineupTest+"$", "-test.timeout=0", "--", string(text))
	in.Close()
	replied := <-read
	switch {
	case replied != nil:
		return replied
	case context.Cause(ctx) != nil:
		return context.Cause(ctx)
	case errors.Is(err, instrument.ErrMemory), limits.Around != nil && !done && fence.OutOfMemory(printed.String()):
		return cli.Cannot("Ask for smaller tests with -dim, or allow more with -memory.", "a test process needed more than %d megabytes", c.words.memory)
	case !done:
		return c.died(i, err, printed.String())
	}
	return nil
}

// died is the error of a process that ended before its time: with a test, if it
// had begun one.
func (c *campaign) died(i int, err error, printed string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if m := c.running[i]; m != nil {
		reason := "it ended without saying why"
		if err != nil {
			reason = err.Error()
		}
		if printed != "" {
			reason += ", after it had printed:\n" + printed
		}
		c.running[i] = nil
		return &death{c.begun[i], *m, reason}
	}
	return cli.Cannot("See what it has printed.", "a test process ended before its first test (%v), after it had printed:\n%s", err, printed)
}

// take files what a process has found, and ends the processes that cannot
// find anything earlier.
func (c *campaign) take(i, n int, r lineup.Reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case r.Error != "":
		return cli.Cannot("docs/line-up.md says what the code under test must not do.", "%s", strings.TrimPrefix(r.Error, "lineup: "))
	case r.Begin != nil:
		c.running[i], c.begun[i] = r.Begin, r.Number
	case r.Observations != "":
		c.files = append(c.files, r.Observations)
	case r.Minimal != nil:
		c.minimal[r.Number] = r.Minimal
	}
	if r.Result == nil {
		return nil
	}
	c.progress.Done()
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
