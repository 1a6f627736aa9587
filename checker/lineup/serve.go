package lineup

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/mapatom/mapatom/checker/sched"
)

// A Request is what mapatom lineup asks of the test process: which tests are
// to be checked, and how. It is JSON, and the first argument of the process.
type Request struct {
	// Tests are checked if there are any. Otherwise Samples random tests of
	// the Shape are, or, if Auto is not 0, its AutoTests up to that.
	Tests   []Test
	Shape   Shape
	Seed    uint64
	Samples int
	Auto    int
	// Of all tests, the process checks those whose number leaves Rest when it
	// is divided by Processes.
	Rest, Processes int
	// From is the number of the first test that is checked.
	From int
	// Schedule replays the only test under it.
	Schedule string
	// Observe asks for the serial histories of the only test instead.
	Observe bool
	// All goes on after a failure. Otherwise the process ends at the first,
	// which it minimizes.
	All         bool
	Options     Options
	TestTimeout time.Duration // for each test; 0 is none
	// Time is shared out among the tests: what is left of it after the bound on
	// preemptions is for more of them.
	Time time.Duration
	// Against takes the subject's model as its specification.
	Against bool
}

// A Reply is a line of what the process answers.
type Reply struct {
	// Number is the test's. Begin is the test, before it is checked: one that
	// ends the process is known by it.
	Number int     `json:"number"`
	Begin  *Test   `json:"begin,omitempty"`
	Result *Result `json:"result,omitempty"`
	// Minimal is the smallest part of a failing test that fails.
	Minimal *Result `json:"minimal,omitempty"`
	// Observations is an observation file.
	Observations string `json:"observations,omitempty"`
	// Done says that there is nothing more to come.
	Done bool `json:"done,omitempty"`
	// Error says why the process cannot go on.
	Error string `json:"error,omitempty"`
}

// separator stands before each reply on the standard output, which the code
// under test may write to as well (RFC 7464).
const separator = '\x1e'

// Serve does what the process was asked for. The test that mapatom lineup
// generates consists of a call of it. Models has the explicit specification,
// if there is one.
func Serve(t *testing.T, s Subject, models ...Subject) {
	v := &server{out: os.Stdout}
	err := v.start(t, s, models)
	if err == nil {
		err = v.run()
	}
	if err != nil {
		v.send(Reply{Error: err.Error()})
		return
	}
	v.send(Reply{Done: true})
}

// server is one process that checks tests.
type server struct {
	request Request
	checker *Checker
	out     io.Writer
}

func (v *server) start(t *testing.T, s Subject, models []Subject) error {
	if err := json.Unmarshal([]byte(flag.Arg(0)), &v.request); err != nil {
		return fmt.Errorf("lineup: the request is not what mapatom lineup writes: %w", err)
	}
	var err error
	if v.checker, err = NewChecker(t, s); err != nil {
		return err
	}
	v.checker.Options = v.request.Options
	if v.request.Against {
		v.checker.Model = &models[0]
	}
	return nil
}

func (v *server) send(r Reply) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(v.out, "%c%s\n", separator, line)
	return err
}

func (v *server) run() error {
	switch {
	case v.request.Schedule != "":
		return v.replay()
	case v.request.Observe:
		return v.observe()
	}
	begun := time.Now()
	number, mine := -1, 0
	for m := range v.request.tests(v.checker.Subject) {
		number++
		if v.request.Processes > 1 && number%v.request.Processes != v.request.Rest {
			continue
		}
		if number < v.request.From {
			mine++
			continue
		}
		v.checker.Options.Time = v.request.share(time.Since(begun), mine)
		mine++
		failed, err := v.check(number, m)
		if err != nil || failed && !v.request.All {
			return err
		}
	}
	return nil
}

// share is the part of the time that the next test has, when so much of it is
// over and so many tests of the process are checked. All tests up to a size are
// not counted beforehand: each has a tenth of what is left.
func (q *Request) share(over time.Duration, checked int) time.Duration {
	if q.Time == 0 {
		return 0
	}
	tests := len(q.Tests)
	if tests == 0 {
		tests = q.Samples
	}
	if q.Auto > 0 && len(q.Tests) == 0 {
		tests = 10*q.Processes + checked*q.Processes
	}
	left := (tests+q.Processes-1)/max(1, q.Processes) - checked
	return max(q.Time-over, time.Nanosecond) / time.Duration(max(1, left))
}

// tests are all tests that the request names, those of other processes
// included.
func (q *Request) tests(s Subject) func(yield func(Test) bool) {
	if len(q.Tests) == 0 && q.Auto > 0 {
		return AutoTests(s, q.Shape, q.Auto)
	}
	return func(yield func(Test) bool) {
		for _, m := range q.Tests {
			if !yield(m) {
				return
			}
		}
		for n := 0; len(q.Tests) == 0 && n < q.Samples; n++ {
			if !yield(RandomTest(s, q.Shape, q.Seed, n)) {
				return
			}
		}
	}
}

// errTimeout is why a test was given up.
var errTimeout = errors.New("the time for a test was over")

func (v *server) context() (context.Context, context.CancelFunc) {
	if v.request.TestTimeout == 0 {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeoutCause(context.Background(), v.request.TestTimeout, errTimeout)
}

// check checks a test, and minimizes it if it fails.
func (v *server) check(number int, m Test) (failed bool, err error) {
	ctx, cancel := v.context()
	defer cancel()
	if err := v.send(Reply{Number: number, Begin: &m}); err != nil {
		return false, err
	}
	r, err := v.checker.Check(ctx, m)
	if err != nil {
		return false, err
	}
	if err := v.send(Reply{Number: number, Result: r}); err != nil || r.Verdict != Failed {
		return false, err
	}
	if v.request.All {
		return true, nil
	}
	ctx, cancel = v.context()
	defer cancel()
	least, err := v.checker.Minimize(ctx, r)
	if err != nil {
		return true, err
	}
	return true, v.send(Reply{Number: number, Minimal: least})
}

func (v *server) replay() error {
	s, err := sched.Parse(v.request.Schedule)
	if err != nil {
		return err
	}
	ctx, cancel := v.context()
	defer cancel()
	r, err := v.checker.Replay(ctx, v.request.Tests[0], s)
	if err != nil {
		return err
	}
	reply := Reply{Result: r}
	if r.Verdict == Failed {
		reply.Minimal = r
	}
	return v.send(reply)
}

func (v *server) observe() error {
	ctx, cancel := v.context()
	defer cancel()
	r, f, err := v.checker.Observations(ctx, v.request.Tests[0])
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		return err
	}
	return v.send(Reply{Result: r, Observations: text.String()})
}

// Replies reads what a process writes and calls f for each reply; the rest,
// which the code under test has written, goes to other.
func Replies(r io.Reader, other io.Writer, f func(Reply) error) error {
	in := bufio.NewReader(r)
	for {
		text, err := in.ReadBytes(separator)
		if n := len(text); n > 0 && text[n-1] == separator {
			text = text[:n-1]
		}
		if _, err := other.Write(text); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		var reply Reply
		if err := json.Unmarshal(line, &reply); err != nil {
			return fmt.Errorf("lineup: found %.40q, want a reply of the test process: %w", line, err)
		}
		if err := f(reply); err != nil {
			return err
		}
	}
}
