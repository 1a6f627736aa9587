package sched_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

var dporPrograms = flag.Int("dpor.programs", 300, "random programs on which partial order reduction is compared with the enumeration of all schedules")

// The instructions of a random program: on one of a few atomics, under a lock
// or beside it, on an entry of a map, or between threads.
const (
	opLoad = iota
	opStore
	opAdd
	opSwapIf // compare-and-swap of what was seen before
	opLocked
	opReadLocked
	opTryLock
	opMapLoad
	opMapStore
	opMapCount
	opSpawn
	opBoundary
	opSend
	opReceive
	opKinds
)

// script is the instructions of each thread: an operation and what it acts on.
type script [][][2]int

func randomScript(rng *rand.Rand) script {
	c := make(script, 2+rng.IntN(2))
	for i := range c {
		for range 1 + rng.IntN(7/len(c)) {
			c[i] = append(c[i], [2]int{rng.IntN(opKinds), rng.IntN(2)})
		}
	}
	return c
}

// machine is what the threads of a script share.
type machine struct {
	cells  [2]atomic.Int64
	locks  [2]sync.RWMutex
	plain  [2]int // under the locks
	m      sync.Map
	c      chan int
	traces [4]string // what each thread has seen; the last is of spawned ones
}

func (c script) program(end *string) sched.Program {
	s := &machine{c: make(chan int, 2)}
	var p sched.Program
	for thread := range c {
		p.Threads = append(p.Threads, func() {
			var seen int64
			for _, in := range c[thread] {
				s.traces[thread] += fmt.Sprint(s.step(thread, in, &seen), ";")
			}
		})
	}
	p.Final = func() {
		*end = fmt.Sprint(s.traces, s.cells[0].Load(), s.cells[1].Load(), s.plain, len(s.c))
	}
	return p
}

func (s *machine) step(thread int, in [2]int, seen *int64) any {
	v := &s.cells[in[1]]
	mu := &s.locks[in[1]]
	switch in[0] {
	case opLoad:
		*seen = v.Load()
		return *seen
	case opStore:
		v.Store(*seen + int64(thread) + 1)
	case opAdd:
		return v.Add(int64(thread) + 1)
	case opSwapIf:
		return v.CompareAndSwap(*seen, 7)
	case opLocked:
		mu.Lock()
		defer mu.Unlock()
		s.plain[in[1]] = s.plain[in[1]]*3 + thread
		return s.plain[in[1]]
	case opReadLocked:
		mu.RLock()
		defer mu.RUnlock()
		return s.plain[in[1]]
	case opTryLock:
		if !mu.TryLock() {
			return "busy"
		}
		defer mu.Unlock()
		s.plain[in[1]]++
		return s.plain[in[1]]
	case opMapLoad:
		got, _ := s.m.Load(in[1])
		return got
	case opMapStore:
		s.m.Store(in[1], thread)
	case opMapCount:
		n := 0
		s.m.Range(func(any, any) bool { n++; return true })
		return n
	case opSpawn:
		sched.Go(func() { v.Add(100) })
	case opBoundary:
		sched.Mark(sched.Boundary)
	case opSend:
		sched.Sender(s.c)(thread)
	case opReceive:
		return sched.Receive(s.c)
	}
	return ""
}

// ends counts how the executions of a script end.
func (c script) ends(t *testing.T, s sched.Strategy) (map[string]int, sched.Stats) {
	ends := map[string]int{}
	var end string
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, s,
		func() sched.Program { end = ""; return c.program(&end) },
		func(o *sched.Outcome) bool {
			switch o.Stuck {
			case sched.Halted:
			case sched.NotStuck:
				ends[end]++
			default:
				ends[o.Stuck.String()]++
			}
			return len(ends) < 1_000_000
		})
	require.NoError(t, err)
	require.True(t, stats.Exhausted)
	return ends, stats
}

// TestDPORAgainstEnumeration: partial order reduction ends as the enumeration
// of all schedules does, in no other way, and not with more executions; and
// those that it stands for are as many.
func TestDPORAgainstEnumeration(t *testing.T) {
	var all, run, ended float64
	counted, exact := 0, 0
	for i := range *dporPrograms {
		c := randomScript(rand.New(rand.NewPCG(3, uint64(i))))
		want, stats := c.ends(t, sched.LateCalls(sched.DepthFirst()))
		reduced := &sched.DPOR{}
		got, fewer := c.ends(t, reduced)
		for end := range want {
			require.Contains(t, got, end, "script %d: %v: %d schedules, %d executions", i, c, stats.Executions, fewer.Executions)
		}
		for end := range got {
			require.Contains(t, want, end, "script %d: %v", i, c)
		}
		if c.neverBlocks() {
			require.GreaterOrEqual(t, reduced.Stands, float64(stats.Executions), "script %d: %v", i, c)
			counted, exact = counted+1, exact+map[bool]int{true: 1}[reduced.Stands == float64(stats.Executions)]
		}
		all, run, ended = all+float64(stats.Executions), run+float64(fewer.Executions-reduced.Ended), ended+float64(reduced.Ended)
	}
	t.Logf("%d of %d scripts that never block: no order of steps is run twice", exact, counted)
	t.Logf("%.0f schedules, %.0f executions, and %.0f that were given up", all, run, ended)
	assert.Less(t, run+ended, all/2)
	assert.Greater(t, exact, counted*3/4)
}

// neverBlocks reports whether no thread of the script ever waits, so that every
// order of steps is a schedule.
func (c script) neverBlocks() bool {
	for _, thread := range c {
		for _, in := range thread {
			switch in[0] {
			case opLocked, opReadLocked, opTryLock, opSpawn, opSend, opReceive:
				return false
			}
		}
	}
	return true
}

// threeByThree has three threads with three operations of one step each, on
// one object or on one for each thread.
func threeByThree(apart bool) sched.Program {
	cells := make([]atomic.Int64, 3)
	var p sched.Program
	for thread := range 3 {
		cell := &cells[0]
		if apart {
			cell = &cells[thread]
		}
		p.Threads = append(p.Threads, func() {
			for i := range 3 {
				if i > 0 {
					sched.Mark(sched.Boundary)
				}
				cell.Add(1)
			}
		})
	}
	return p
}

// TestDPORThreeByThree: of the 9!/(3!3!3!) schedules of a 3x3 test all differ
// if each step is on the same object, and none if each thread has its own.
func TestDPORThreeByThree(t *testing.T) {
	for _, c := range []struct {
		apart      bool
		executions int
	}{{false, 1680}, {true, 1}} {
		reduced := &sched.DPOR{}
		stats, err := sched.Explore(context.Background(), t, sched.Options{}, reduced,
			func() sched.Program { return threeByThree(c.apart) }, func(*sched.Outcome) bool { return true })
		require.NoError(t, err)
		assert.Equal(t, c.executions, stats.Executions)
		assert.EqualValues(t, 1680, reduced.Stands)
		assert.Zero(t, reduced.Ended)
	}
}
