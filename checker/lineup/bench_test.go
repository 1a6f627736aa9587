package lineup_test

import (
	"testing"

	"github.com/mapatom/mapatom/checker/lineup"
)

// benchmark runs f in what the scheduler needs, a test.
func benchmark(b *testing.B, f func(t *testing.T)) {
	all := func(string, string) (bool, error) { return true, nil }
	ran := false
	once := func(t *testing.T) { // -count counts for tests too
		if !ran {
			ran = true
			f(t)
		}
	}
	if !testing.RunTests(all, []testing.InternalTest{{Name: b.Name(), F: once}}) {
		b.Fatal("the checks did not come to what they should")
	}
}

// threeByThree is a test of three threads with three calls each, which has
// 9!/(3!3!3!) = 1,680 serial histories.
const threeByThree = "Add(200) TryTake() Add(400) | Add(200) TryTake() Add(400) | Add(200) TryTake() TryTake()"

// BenchmarkPhase1 is phase 1 of a 3x3 test.
func BenchmarkPhase1(b *testing.B) {
	benchmark(b, func(t *testing.T) {
		c, m := checker(t, queues(false)), parse(t, threeByThree)
		for b.Loop() {
			if r, _, err := c.Observations(t.Context(), m); err != nil || r.Serial.Full != 1680 {
				t.Fatal(r, err)
			}
		}
	})
}

// BenchmarkTwoOperations is the check of a test of two calls, one a thread.
func BenchmarkTwoOperations(b *testing.B) {
	phase2(b, "Add(200) | TryTake()", lineup.Options{Preemptions: lineup.Unbounded})
}

// BenchmarkThreeByThree is the check of a 3x3 test, up to 20,000 executions.
func BenchmarkThreeByThree(b *testing.B) {
	phase2(b, threeByThree, lineup.Options{MaxExecutions: 20_000})
}

// phase2 measures how many executions phase 2 comes to in a second.
func phase2(b *testing.B, test string, opts lineup.Options) {
	benchmark(b, func(t *testing.T) {
		c, m := checker(t, queues(false)), parse(t, test)
		c.Options = opts
		var phase lineup.Phase
		for b.Loop() {
			r, err := c.Check(t.Context(), m)
			if err != nil || r.Verdict != lineup.Passed {
				t.Fatal(r, err)
			}
			phase.Executions += r.Concurrent.Executions
			phase.Nanoseconds += r.Concurrent.Nanoseconds
		}
		b.ReportMetric(float64(phase.Executions)/phase.Duration().Seconds(), "executions/s")
	})
}
