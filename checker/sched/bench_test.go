package sched_test

import (
	"context"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// counter is incremented under a lock.
type counter struct {
	mu sync.Mutex
	n  atomic.Int64
}

func (c *counter) inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n.Store(c.n.Load() + 1)
}

// twoOperations is a test of two threads with one operation each.
func twoOperations() sched.Program {
	c := new(counter)
	return sched.Program{Threads: []func(){c.inc, c.inc}}
}

// BenchmarkExecutions measures controlled executions of a test of two
// operations, on one core with -cpu=1.
func BenchmarkExecutions(b *testing.B) {
	for _, c := range []struct {
		name     string
		strategy func(n int) sched.Strategy
	}{
		{"depthfirst", func(n int) sched.Strategy { return &repeated{n: n, again: sched.DepthFirst} }},
		{"pct", func(n int) sched.Strategy { return sched.PCT(1, n, 3) }},
		{"random", func(n int) sched.Strategy { return sched.Random(1, n) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var stats sched.Stats
			inTest(b, func(t *testing.T) {
				b.ResetTimer()
				var err error
				stats, err = sched.Explore(context.Background(), t, sched.Options{}, c.strategy(b.N), twoOperations, func(*sched.Outcome) bool { return true })
				b.StopTimer()
				if err != nil {
					t.Fatal(err)
				}
			})
			b.ReportMetric(float64(stats.Executions)/stats.Elapsed.Seconds(), "executions/s")
			b.ReportMetric(float64(stats.Steps)/float64(stats.Executions), "steps/op")
		})
	}
}

// inTest runs f, once, with the testing.T that a bubble wants.
func inTest(b *testing.B, f func(*testing.T)) {
	all := func(string, string) (bool, error) { return true, nil }
	var once sync.Once // -count counts for tests too
	test := testing.InternalTest{Name: b.Name(), F: func(t *testing.T) { once.Do(func() { f(t) }) }}
	if !testing.RunTests(all, []testing.InternalTest{test}) {
		b.Fatal("failed")
	}
}

// repeated begins an exhaustive strategy again whenever it has ended, for n
// executions.
type repeated struct {
	sched.Strategy
	n     int
	again func() sched.Strategy
}

func (s *repeated) Begin() bool {
	if s.n--; s.n < 0 {
		return false
	}
	if s.Strategy != nil && s.Strategy.Begin() {
		return true
	}
	s.Strategy = s.again()
	return s.Strategy.Begin()
}
