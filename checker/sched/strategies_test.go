package sched_test

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
)

var diffPrograms = flag.Int("diff.programs", 60, "random programs whose executions are compared with a brute force")

// code is a program over two variables: the steps of each thread. A step
// reads a variable and adds it to the thread's own sum, writes that to a
// variable, or adds to a variable at once.
type code [][]instruction

type instruction struct{ op, variable int }

const (
	load = iota
	store
	add
	swapIfOne
	operations
)

func randomCode(rng *rand.Rand) code {
	c := make(code, 2+rng.IntN(2))
	for i := range c {
		for range 1 + rng.IntN(6/len(c)) {
			c[i] = append(c[i], instruction{rng.IntN(operations), rng.IntN(2)})
		}
	}
	return c
}

// state is the variables and what each thread has summed up.
type state struct {
	variables [2]int64
	sums      [3]int64
}

// step is one instruction on the state.
func (s *state) step(thread int, in instruction) {
	v, sum := &s.variables[in.variable], &s.sums[thread]
	switch in.op {
	case load:
		*sum += *v
	case store:
		*v = *sum + 1
	case add:
		*v += int64(thread) + 1
		*sum += *v
	case swapIfOne:
		if *v == 1 {
			*v = 7
			*sum++
		}
	}
}

// interleavings counts the ends of all interleavings, found without the
// scheduler.
func (c code) interleavings() map[state]int {
	ends := map[state]int{}
	var run func(state, []int)
	run = func(s state, at []int) {
		over := true
		for thread, n := range at {
			if n == len(c[thread]) {
				continue
			}
			over = false
			next, to := s, slices.Clone(at)
			next.step(thread, c[thread][n])
			to[thread]++
			run(next, to)
		}
		if over {
			ends[s]++
		}
	}
	run(state{}, make([]int, len(c)))
	return ends
}

// program runs the code with real atomics. Its end is put into end.
func (c code) program(end *state) sched.Program {
	var variables [2]atomic.Int64
	var sums [3]int64
	var p sched.Program
	for thread := range c {
		p.Threads = append(p.Threads, func() {
			for _, in := range c[thread] {
				v, sum := &variables[in.variable], &sums[thread]
				switch in.op {
				case load:
					*sum += v.Load()
				case store:
					v.Store(*sum + 1)
				case add:
					*sum += v.Add(int64(thread) + 1)
				case swapIfOne:
					if v.CompareAndSwap(1, 7) {
						*sum++
					}
				}
			}
		})
	}
	p.Final = func() { *end = state{[2]int64{variables[0].Load(), variables[1].Load()}, sums} }
	return p
}

// explore counts the ends that a strategy finds. Each schedule is seen once if
// it is exhaustive.
func (c code) explore(t *testing.T, s sched.Strategy, exhaustive bool) (map[state]int, []sched.Schedule) {
	ends, seen := map[state]int{}, map[string]bool{}
	var schedules []sched.Schedule
	var end state
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, s,
		func() sched.Program { return c.program(&end) },
		func(o *sched.Outcome) bool {
			require.True(t, o.Complete(), "%v", o.Err())
			ends[end]++
			if exhaustive {
				require.False(t, seen[o.Schedule.String()], "%v twice", o.Schedule)
				seen[o.Schedule.String()] = true
			}
			schedules = append(schedules, slices.Clone(o.Schedule))
			return true
		})
	require.NoError(t, err)
	require.True(t, stats.Exhausted)
	require.Equal(t, len(schedules), stats.Executions)
	return ends, schedules
}

// TestStrategiesAgainstBruteForce: depth-first exploration ends as all
// interleavings do and no others; so does one with enough preemptions; what
// has a bound, or is random, finds no more.
func TestStrategiesAgainstBruteForce(t *testing.T) {
	for i := range *diffPrograms {
		rng := rand.New(rand.NewPCG(1, uint64(i)))
		c := randomCode(rng)
		want := slices.Collect(maps.Keys(c.interleavings()))
		all, schedules := c.explore(t, sched.DepthFirst(), true)
		require.ElementsMatch(t, want, slices.Collect(maps.Keys(all)), "%v", c)

		last := 0
		for bound := range 8 {
			ends, some := c.explore(t, sched.Bounded(bound), true)
			require.Subset(t, want, slices.Collect(maps.Keys(ends)))
			require.GreaterOrEqual(t, len(some), last)
			last = len(some)
		}
		require.Equal(t, len(schedules), last, "as many schedules as there are")

		for _, s := range []sched.Strategy{sched.Random(uint64(i), 50), sched.PCT(uint64(i), 50, 3)} {
			ends, _ := c.explore(t, s, false)
			require.Subset(t, want, slices.Collect(maps.Keys(ends)))
		}
	}
}

// TestReplay: a schedule that is replayed gives the same end.
func TestReplay(t *testing.T) {
	c := code{{{load, 0}, {store, 0}, {add, 1}}, {{add, 0}, {store, 1}, {load, 1}}}
	var end state
	prints := map[string]uint64{}
	ends := map[string]state{}
	var schedules []sched.Schedule
	program := func() sched.Program { return c.program(&end) }
	_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.DepthFirst(), program, func(o *sched.Outcome) bool {
		schedules = append(schedules, slices.Clone(o.Schedule))
		ends[o.Schedule.String()], prints[o.Schedule.String()] = end, o.Fingerprint
		return true
	})
	require.NoError(t, err)
	for _, s := range schedules[:40] {
		parsed, err := sched.Parse(s.String())
		require.NoError(t, err)
		_, err = sched.Explore(context.Background(), t, sched.Options{}, sched.Replay(parsed), program, func(o *sched.Outcome) bool {
			require.Equal(t, s, o.Schedule)
			require.False(t, o.Diverged)
			require.Equal(t, ends[s.String()], end)
			require.Equal(t, prints[s.String()], o.Fingerprint)
			return true
		})
		require.NoError(t, err)
	}
}

// TestReplayDiverges: a schedule that the code cannot follow is noticed.
func TestReplayDiverges(t *testing.T) {
	var end state
	c := code{{{load, 0}}, {{load, 0}}}
	_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Replay(sched.Schedule{0, 0, 0, 0, 0, 2}),
		func() sched.Program { return c.program(&end) },
		func(o *sched.Outcome) bool {
			assert.True(t, o.Complete())
			return true
		})
	require.NoError(t, err)
	// A thread that is not there is asked for while there is a choice.
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Replay(sched.Schedule{5}),
		func() sched.Program { return c.program(&end) },
		func(o *sched.Outcome) bool {
			assert.True(t, o.Diverged)
			assert.True(t, o.Complete())
			return true
		})
	require.NoError(t, err)
	assert.Equal(t, 1, stats.Diverged)
}

// TestBoundedPreemptions: no schedule has more preemptions than the bound.
func TestBoundedPreemptions(t *testing.T) {
	c := code{{{load, 0}, {store, 0}, {load, 0}}, {{load, 0}, {store, 0}, {load, 0}}}
	var end state
	most := map[int]int{}
	for bound := range 4 {
		_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Bounded(bound),
			func() sched.Program { return c.program(&end) },
			func(o *sched.Outcome) bool {
				require.LessOrEqual(t, o.Preemptions, bound)
				most[bound] = max(most[bound], o.Preemptions)
				return true
			})
		require.NoError(t, err)
	}
	assert.Equal(t, map[int]int{0: 0, 1: 1, 2: 2, 3: 3}, most)
}

// TestPCT finds a bug of depth 2 about as often as the paper promises at
// least, and of depth 1 where that does not need a fall.
func TestPCT(t *testing.T) {
	c := code{{{load, 0}, {store, 0}}, {{load, 0}, {store, 0}}}
	const executions = 2000
	count := func(depth int) int {
		ends, schedules := c.explore(t, sched.PCT(1, executions, depth), false)
		require.Len(t, schedules, executions)
		lost := 0
		for end, n := range ends {
			if end.variables[0] == 1 {
				lost += n
			}
		}
		return lost
	}
	assert.Zero(t, count(1), "without a fall nothing is interrupted")
	assert.Greater(t, count(2), executions/(2*6))
	first, again := count(3), count(3)
	assert.Equal(t, first, again, "the same seed")
}
