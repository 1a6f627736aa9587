package lineup

import (
	"context"
	"testing"
)

// Check has a test fail if a subject is not linearizable with respect to any
// deterministic specification, as far as DefaultSamples random tests of three
// threads with three calls each can tell:
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
// Run it with "mapatom test", which is "go test" with the code under test
// instrumented. Without it there is nothing that the scheduler could switch
// at, and the test says so and is skipped.
//
// Tests in words are checked instead of random ones if there are any.
func Check(t *testing.T, s Subject, tests ...string) {
	t.Helper()
	c, err := NewChecker(t, s)
	if err != nil {
		t.Fatal(err)
	}
	c.Options.MaxExecutions = DefaultExecutions
	c.testing(tests)
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
	c.Model, c.Options.MaxExecutions = &model, DefaultExecutions
	c.testing(tests)
}

// testing checks tests, or random ones, and reports to the Go test.
func (c *Checker) testing(tests []string) {
	c.t.Helper()
	var steps, calls int64
	for _, m := range c.tests(tests) {
		r, err := c.Check(c.t.Context(), m)
		if err != nil {
			c.t.Fatal(err)
		}
		if r.Verdict == Failed {
			c.fatal(r)
		}
		if r.Verdict == Unknown {
			c.t.Errorf("%s: %s", m, r.Reason)
		}
		steps += r.Concurrent.Steps
		calls += int64(r.Concurrent.Executions * m.Calls())
	}
	// Each call is one step, and so is its boundary: if there are no others,
	// nobody looked into the calls.
	if steps <= calls {
		c.t.Skip("the code under test is not instrumented, so that its operations were not interleaved: run this with mapatom test")
	}
}

// tests are those given in words, or else random ones.
func (c *Checker) tests(words []string) []Test {
	c.t.Helper()
	var all []Test
	for _, text := range words {
		m, err := ParseTest(text)
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, m)
	}
	for n := 0; len(words) == 0 && n < DefaultSamples; n++ {
		all = append(all, RandomTest(c.Subject, Shape{}, 1, n))
	}
	return all
}

// fatal minimizes a failing test and reports it.
func (c *Checker) fatal(r *Result) {
	c.t.Helper()
	least, err := c.Minimize(context.WithoutCancel(c.t.Context()), r)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Fatalf("%s is not linearizable\n\n%s", c.Subject.Name, least)
}
