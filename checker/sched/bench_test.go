package sched_test

import (
	"context"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// counter is incremented under a lock and read without.
type counter struct {
	mu sync.Mutex
	n  atomic.Int64
}

func (c *counter) inc() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n.Store(c.n.Load() + 1)
}

func twoOperations() sched.Program {
	c := new(counter)
	op := func() { sched.Mark(sched.Boundary); c.inc() }
	return sched.Program{Threads: []func(){op, op}}
}

// TestRate runs what BenchmarkExecutions measures, which needs a testing.T.
func TestRate(t *testing.T) {
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Random(1, 20_000), twoOperations, func(*sched.Outcome) bool { return true })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.0f executions a second, %.1f steps each", float64(stats.Executions)/stats.Elapsed.Seconds(), float64(stats.Steps)/float64(stats.Executions))
}
