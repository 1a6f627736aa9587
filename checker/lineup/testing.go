package lineup

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
)

// replayFlag and executionsFlag are flags of every test that imports the
// package, as those of package testing are.
var (
	replayFlag     = flag.String("mapatom.replay", "", "run only this `test @ schedule` of lineup.Check, as a failure prints it")
	executionsFlag = flag.Int("mapatom.executions", 0, "bound the executions of each test of lineup.Check (default 20,000, and 500 for random tests)")
)

// InstrumentedEnv is the environment variable that tells a test that its
// code is instrumented: empty if not, Instrumented under mapatom test, and the
// number of the Check that a test which runs itself again is to answer.
const (
	InstrumentedEnv = "MAPATOM_LINEUP"
	Instrumented    = "instrumented"
)

// quickExecutions and quickShape are what random tests have of their own accord:
// a hundred take a second or two, as a unit test may. mapatom lineup looks
// further.
const quickExecutions = 500

var quickShape = Shape{Threads: 3, Calls: 2}

// Check has a test fail if a subject is not linearizable with respect to any
// deterministic specification, as far as DefaultSamples random tests of three
// threads with two calls each can tell:
//
//	func TestQueue(t *testing.T) {
//		lineup.Check(t, lineup.Subject{
//			Name: "Queue",
//			New:  func() any { return NewQueue() },
//			Invocations: []lineup.Invocation{
//				lineup.Invoke("Add", 200), lineup.Invoke("Add", 400), lineup.Invoke("TryTake"),
//			},
//		})
//	}
//
// It works under plain go test: the test runs itself again, as a process whose
// code is instrumented so that the scheduler can switch at locks, atomics and
// channels. That process is built once and kept until the code changes. What
// stands in the test function before Check is run there as well, what comes
// after it is not.
//
// A failure prints the schedule that repeats it, as a flag of the test, and is
// kept in a file below testdata/lineup, which is run first the next time.
//
// Tests in words are checked instead of random ones if there are any.
func Check(t *testing.T, s Subject, tests ...string) {
	t.Helper()
	c, err := NewChecker(t, s)
	if err != nil {
		t.Fatal(err)
	}
	c.run(tests)
}

// CheckAgainst is Check with an explicit specification: a model with the same
// invocations, which is run serially only and may be as simple as can be. It
// says with [Block] where a call is to block.
func CheckAgainst(t *testing.T, s, model Subject, tests ...string) {
	t.Helper()
	c, err := NewChecker(t, s)
	if err == nil {
		err = model.check()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.Model = &model
	c.run(tests)
}

// run checks tests, or random ones, wherever that can be done: here if the
// code is instrumented, else in another process.
func (c *Checker) run(tests []string) {
	c.t.Helper()
	todo, err := c.cases(tests)
	if err != nil {
		c.t.Fatal(err)
	}
	v := &verdicts{t: c.t, name: c.Subject.Name}
	switch where := os.Getenv(InstrumentedEnv); where {
	case Instrumented:
		err = c.checkAll(todo, v.take)
	case "":
		if runAgain == nil {
			c.t.Fatal("lineup: Check has no way to instrument the code here: call it in a test of a module that requires this one")
		}
		err = runAgain(c, todo, v)
	default:
		c.answer(where, todo)
		return
	}
	if err != nil {
		c.t.Fatal(err)
	}
	v.report()
}

// runAgain runs the test again, instrumented. It is nil in the copies of this
// package that are laid over modules which do not require it.
var runAgain func(c *Checker, cases []testCase, v *verdicts) error

// cases are what is to be checked: the case that is to be replayed, or those
// that failed before and then the tests in words or random ones.
func (c *Checker) cases(words []string) ([]testCase, error) {
	c.t.Helper()
	all, only := rerunFirst(c.t)
	if only {
		words = nil
	}
	c.Options.MaxExecutions = DefaultExecutions
	for _, text := range words {
		m, err := ParseTest(text)
		if err != nil {
			return nil, err
		}
		all = append(all, testCase{Test: m})
	}
	if len(words) == 0 && !only {
		c.Options.MaxExecutions = quickExecutions
		for n := range DefaultSamples {
			all = append(all, testCase{Test: RandomTest(c.Subject, quickShape, 1, n)})
		}
	}
	if *executionsFlag > 0 {
		c.Options.MaxExecutions = *executionsFlag
	}
	return all, nil
}

// checkAll checks cases up to the first that fails, which it minimizes, and
// has each outcome taken.
func (c *Checker) checkAll(cases []testCase, take func(Reply) error) error {
	for i, one := range cases {
		if err := take(Reply{Number: i, Begin: &one.Test}); err != nil {
			return err
		}
		r, least, err := c.checkCase(one)
		if err != nil {
			return err
		}
		if err := take(Reply{Number: i, Result: r, Minimal: least}); err != nil || least != nil {
			return err
		}
	}
	return nil
}

// checkCase checks a case. One with a schedule is replayed first; if it is no
// longer wrong under that, all of the test is run.
func (c *Checker) checkCase(one testCase) (r, least *Result, err error) {
	ctx := c.t.Context()
	if one.Schedule != "" {
		s, err := sched.Parse(one.Schedule)
		if err != nil {
			return nil, nil, err
		}
		r, err := c.Replay(ctx, one.Test, s)
		if err != nil {
			return nil, nil, err
		}
		if r.Verdict == Failed {
			return r, r, nil
		}
		if *replayFlag != "" {
			return r, nil, nil
		}
	}
	if r, err = c.Check(ctx, one.Test); err != nil || r.Verdict != Failed {
		return r, nil, err
	}
	least, err = c.Minimize(context.WithoutCancel(ctx), r)
	return r, least, err
}

// answer is what the process does that a test has run itself again as: it
// checks one call of Check of the test function, the one with the number, and
// skips the others. What comes after it in the function is not run.
func (c *Checker) answer(number string, todo []testCase) {
	c.t.Helper()
	want, err := strconv.Atoi(number)
	if err != nil {
		c.t.Fatalf("%s=%s: want %s, or the number of a Check", InstrumentedEnv, number, Instrumented)
	}
	if numberOf(c.t) != want {
		return
	}
	out := &server{out: os.Stdout}
	if err := c.checkAll(todo, out.send); err != nil {
		out.send(Reply{Error: err.Error()})
	} else {
		out.send(Reply{Done: true})
	}
	c.t.SkipNow()
}

// verdicts are the outcomes of a Check as they come in.
type verdicts struct {
	t          *testing.T
	name       string
	begun      *Test // the last test that was begun
	failed     *Result
	unknown    []*Result
	tests      int
	executions int
	unchecked  int
	notes      []string // on what is not instrumented
	done       bool
}

// take notes a reply.
func (v *verdicts) take(r Reply) error {
	switch {
	case r.Error != "":
		return errors.New(r.Error)
	case r.Begin != nil:
		v.begun = r.Begin
	case r.Done:
		v.done = true
	}
	if one := r.Result; one != nil {
		v.tests++
		v.executions += one.Concurrent.Executions
		switch one.Verdict {
		case Unknown:
			v.unknown = append(v.unknown, one)
		case NotChecked:
			v.unchecked++
		}
	}
	if r.Minimal != nil {
		v.failed = r.Minimal
	}
	return nil
}

// report has the test pass or fail.
func (v *verdicts) report() {
	v.t.Helper()
	if v.failed != nil {
		v.fatal()
	}
	for _, r := range v.unknown {
		v.t.Errorf("%s: %s", r.Test, r.Reason)
	}
	if v.unchecked == v.tests && v.tests > 0 {
		v.t.Fatalf("the calls of %s were not interleaved: they have no locks, atomics or channels, or these are in a package that is not instrumented. Name that in Subject.Dependencies, or set Subject.Memory.%s",
			v.name, strings.Join(append([]string{""}, v.notes...), "\n"))
	}
	if v.tests > 0 {
		v.t.Logf("%s: %d tests, %d executions, none is wrong", v.name, v.tests, v.executions)
	}
}

// fatal reports the failing test, and keeps it.
func (v *verdicts) fatal() {
	v.t.Helper()
	one := testCase{Test: v.failed.Test}
	if f := v.failed.Failure; f != nil {
		one.Schedule = f.Schedule
	}
	text := fmt.Sprintf("%s is not linearizable\n\n%sReplay: go test -run '%s' . -mapatom.replay=%s\n",
		v.name, v.failed, runPattern(v.t.Name()), quoteShell(one.String()))
	if *replayFlag == "" {
		file, err := keep(v.t.Name(), one, text)
		if err != nil {
			v.t.Errorf("lineup: the failure is not kept: %v", err)
		} else {
			text += fmt.Sprintf("Kept in %s, which is run first from now on.\n", file)
		}
	}
	v.t.Fatal(text)
}

// quoteShell is a word for a shell.
func quoteShell(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// checks counts the calls of Check in each test that is running.
var checks sync.Map // of *testing.T to *atomic.Int64

// numberOf gives the number of a call of Check in its test, from 1.
func numberOf(t *testing.T) int {
	count, known := checks.LoadOrStore(t, new(atomic.Int64))
	if !known {
		t.Cleanup(func() { checks.Delete(t) })
	}
	return int(count.(*atomic.Int64).Add(1))
}

// runPattern is the -run pattern of one test.
func runPattern(name string) string {
	parts := strings.Split(name, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	return strings.Join(parts, "/")
}
