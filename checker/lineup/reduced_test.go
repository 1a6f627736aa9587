package lineup

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

var reducedSubjects = flag.Int("reduced.subjects", 75, "random subjects on which the reduced enumeration is compared with that of all schedules")

// pair is two numbers, which the methods of random subjects read and write.
type pair struct {
	n  [2]atomic.Int64
	mu sync.Mutex
}

// instruction is a step of a method: an operation and the number it is on.
type instruction struct{ op, on int }

// run makes the steps and gives what was seen.
func (p *pair) run(method []instruction) []any {
	var seen []any
	last := int64(0)
	locked := false
	for _, in := range method {
		n := &p.n[in.on]
		switch in.op {
		case 0:
			last = n.Load()
			seen = append(seen, last)
		case 1:
			n.Store(last + 1)
		case 2:
			seen = append(seen, n.CompareAndSwap(last, last+1))
		case 3:
			if !locked {
				p.mu.Lock()
				defer p.mu.Unlock()
				locked = true
			}
		}
	}
	return seen
}

// randomSubject has methods of up to three steps.
func randomSubject(rng *rand.Rand) Subject {
	s := Subject{Name: "random", New: func() any { return new(pair) }}
	for i := range 3 {
		var method []instruction
		for range 1 + rng.IntN(3) {
			method = append(method, instruction{rng.IntN(4), rng.IntN(2)})
		}
		s.Invocations = append(s.Invocations, Invocation{
			Call: Call{Method: fmt.Sprint("M", i)},
			Do:   func(object any) []any { return object.(*pair).run(method) },
		})
	}
	return s
}

// TestReducedAgainstEnumeration: partial order reduction, which keeps apart
// what returns before what begins, finds a history that no serial one explains
// if and only if the enumeration of all schedules does.
func TestReducedAgainstEnumeration(t *testing.T) {
	failed, all, run := 0, 0, 0
	for i := range *reducedSubjects {
		rng := rand.New(rand.NewPCG(9, uint64(i)))
		c, err := NewChecker(t, randomSubject(rng))
		require.NoError(t, err)
		shape := Shape{Threads: 2, Calls: 1 + rng.IntN(2)}
		if shape.Calls == 1 {
			shape.Threads += rng.IntN(2)
		}
		m := RandomTest(c.Subject, shape, 5, i)
		want := c.under(t, m, sched.DepthFirst())
		got := c.under(t, m, &sched.DPOR{})
		require.Equal(t, want.Verdict, got.Verdict, "subject %d, test %s", i, m)
		if want.Verdict == Failed {
			failed++
			continue
		}
		all, run = all+want.Concurrent.Executions, run+got.Concurrent.Executions
	}
	t.Logf("%d of %d failed; the others have %d schedules, of which %d were run", failed, *reducedSubjects, all, run)
	require.Greater(t, failed, *reducedSubjects/10)
	require.Less(t, failed, *reducedSubjects*9/10)
	require.Less(t, run*4, all)
}

// under checks a test with a strategy for phase 2.
func (c *Checker) under(t *testing.T, m Test, s sched.Strategy) *Result {
	k, err := c.begin(m)
	require.NoError(t, err)
	require.NoError(t, k.serial(t.Context()))
	if k.result.Verdict == Unknown {
		require.NoError(t, k.concurrent(t.Context(), s, 0))
		k.conclude(t.Context())
	}
	return k.result
}
