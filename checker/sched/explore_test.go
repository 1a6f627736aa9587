package sched_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// explore runs the threads that make returns under every schedule of a
// strategy, and reports each end.
func explore(t *testing.T, opts sched.Options, s sched.Strategy, make func() []func(), report func(*sched.Outcome)) sched.Stats {
	t.Helper()
	stats, err := sched.Explore(context.Background(), t, opts, s,
		func() sched.Program { return sched.Program{Threads: make()} },
		func(o *sched.Outcome) bool { report(o); return true })
	require.NoError(t, err)
	require.True(t, stats.Exhausted)
	return stats
}

// stuckness counts in how many ways executions are stuck.
func stuckness(t *testing.T, opts sched.Options, s sched.Strategy, make func() []func()) map[sched.Stuck]int {
	t.Helper()
	ways := map[sched.Stuck]int{}
	explore(t, opts, s, make, func(o *sched.Outcome) {
		ways[o.Stuck]++
		require.Equal(t, o.Stuck == sched.NotStuck, o.Complete())
		require.Equal(t, o.Stuck == sched.NotStuck, o.Err() == nil)
	})
	return ways
}

// TestDeadlock: two locks taken in two orders.
func TestDeadlock(t *testing.T) {
	ways := stuckness(t, sched.Options{}, sched.DepthFirst(), func() []func() {
		a, b := new(sync.Mutex), new(sync.Mutex)
		both := func(a, b *sync.Mutex) func() {
			return func() { a.Lock(); defer a.Unlock(); b.Lock(); defer b.Unlock() }
		}
		return []func(){both(a, b), both(b, a)}
	})
	assert.Positive(t, ways[sched.Deadlock])
	assert.Positive(t, ways[sched.NotStuck])
	assert.Len(t, ways, 2)
}

// TestDeadlockTellsWho: the result says who waits for what.
func TestDeadlockTellsWho(t *testing.T) {
	explore(t, sched.Options{Positions: true}, sched.DepthFirst(), func() []func() {
		mu := new(sync.Mutex)
		return []func(){func() { mu.Lock(); mu.Lock() }}
	}, func(o *sched.Outcome) {
		assert.Equal(t, sched.Deadlock, o.Stuck)
		assert.Equal(t, sched.Blocked, o.Threads[0].State)
		assert.Equal(t, sched.Lock, o.Threads[0].Op.Kind)
		assert.Contains(t, o.Threads[0].Op.File, "explore_test.go")
		assert.EqualError(t, o.Err(), "deadlock after 2 steps")
	})
}

// TestLivelock: a loop that waits for what nobody does is not a slow one, nor
// one that changes something without end.
func TestLivelock(t *testing.T) {
	spin := func() []func() {
		x := new(atomic.Bool)
		return []func(){func() {
			for !x.Load() {
			}
		}}
	}
	assert.Equal(t, map[sched.Stuck]int{sched.Livelock: 1}, stuckness(t, sched.Options{}, sched.DepthFirst(), spin))

	count := func() []func() {
		x := new(atomic.Int64)
		return []func(){func() {
			for x.Add(1) > 0 {
			}
		}}
	}
	assert.Equal(t, map[sched.Stuck]int{sched.Divergence: 1}, stuckness(t, sched.Options{MaxSteps: 500}, sched.DepthFirst(), count))
}

// TestFairness: a thread that spins, yields or sleeps until another is done
// ends under every strategy.
func TestFairness(t *testing.T) {
	for name, pause := range map[string]func(){
		"spin": func() {}, "yield": func() { sched.Mark(sched.Yield) },
		"sleep": func() { sched.Sleeper(time.Sleep)(time.Second) },
	} {
		for _, s := range []sched.Strategy{sched.Bounded(0), sched.Random(1, 200), sched.PCT(1, 200, 3)} {
			ways := stuckness(t, sched.Options{}, s, func() []func() {
				x := new(atomic.Bool)
				return []func(){
					func() {
						for !x.Load() {
							pause()
						}
					},
					func() { x.Store(true) },
				}
			})
			assert.Len(t, ways, 1, name)
			assert.Positive(t, ways[sched.NotStuck], name)
		}
	}
}

// TestSlowIsNotStuck: time is virtual, or the test would take hours.
func TestSlowIsNotStuck(t *testing.T) {
	ways := stuckness(t, sched.Options{}, sched.DepthFirst(), func() []func() {
		done := make(chan bool)
		return []func(){
			func() { time.Sleep(time.Hour); close(done) },
			func() { <-done },
		}
	})
	assert.Equal(t, []sched.Stuck{sched.NotStuck}, keys(ways))
}

func keys(ways map[sched.Stuck]int) []sched.Stuck {
	var all []sched.Stuck
	for way := range ways {
		all = append(all, way)
	}
	slices.Sort(all)
	return all
}

// TestChannels: whether channels are announced or only the bubble sees them,
// the executions end the same.
func TestChannels(t *testing.T) {
	for name, send := range map[string]func(chan int){
		"announced": func(c chan int) { sched.Sender(c)(1) },
		"plain":     func(c chan int) { c <- 1 },
	} {
		ways := stuckness(t, sched.Options{}, sched.DepthFirst(), func() []func() {
			c := make(chan int)
			return []func(){func() { send(c) }, func() { sched.Receive(c) }, func() { sched.Receive(c) }}
		})
		assert.Equal(t, []sched.Stuck{sched.Deadlock}, keys(ways), name)
		ways = stuckness(t, sched.Options{}, sched.DepthFirst(), func() []func() {
			c := make(chan int)
			return []func(){func() { send(c) }, func() { sched.Receive(c) }}
		})
		assert.Equal(t, []sched.Stuck{sched.NotStuck}, keys(ways), name)
	}
}

// TestEndings: a panic and a Goexit are results, and the others go on.
func TestEndings(t *testing.T) {
	explore(t, sched.Options{}, sched.DepthFirst(), func() []func() {
		x := new(atomic.Int64)
		return []func(){
			func() { x.Add(1); panic("no") },
			func() { x.Add(1); runtime.Goexit() },
			func() { x.Add(1) },
		}
	}, func(o *sched.Outcome) {
		assert.Equal(t, sched.Panicked, o.Threads[0].State)
		assert.Equal(t, "no", o.Threads[0].Panic)
		assert.Contains(t, o.Threads[0].Stack, "explore_test.go")
		assert.Equal(t, sched.Exited, o.Threads[1].State)
		assert.Equal(t, sched.Done, o.Threads[2].State)
		assert.EqualError(t, o.Err(), "thread A panicked: no")
	})
}

// TestSpawned: goroutines that the code starts are threads, and all
// interleavings with them are run.
func TestSpawned(t *testing.T) {
	last := map[int64]int{}
	explore(t, sched.Options{}, sched.DepthFirst(), func() []func() {
		x, done := new(atomic.Int64), new(sync.WaitGroup)
		done.Add(2)
		return []func(){func() {
			for i := range 2 {
				sched.Go(func() { defer done.Done(); x.Store(int64(i)) })
			}
			done.Wait()
			last[x.Load()]++
		}}
	}, func(o *sched.Outcome) {
		assert.True(t, o.Complete())
		assert.Len(t, o.Spawned, 2)
	})
	assert.Positive(t, last[0])
	assert.Positive(t, last[1])
}

// TestAbrupt: what threads have started goes on when they have returned, unless the
// program ends abruptly.
func TestAbrupt(t *testing.T) {
	for _, abrupt := range []bool{false, true} {
		var n atomic.Int64
		seen := int64(0)
		_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Random(1, 1), func() sched.Program {
			return sched.Program{
				Abrupt:  abrupt,
				Threads: []func(){func() { sched.Go(func() { n.Add(1) }) }},
				Final:   func() { seen = n.Load() },
			}
		}, func(*sched.Outcome) bool { return true })
		require.NoError(t, err)
		require.Equal(t, !abrupt, seen == 1)
	}
}

// TestSetupAndFinal run alone, before and after.
func TestSetupAndFinal(t *testing.T) {
	var x *atomic.Int64
	_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.DepthFirst(), func() sched.Program {
		return sched.Program{
			Setup:   func() { x = new(atomic.Int64); x.Store(5) },
			Threads: []func(){func() { x.Add(1) }, func() { x.Add(1) }},
			Final:   func() { assert.Equal(t, int64(7), x.Load()) },
		}
	}, func(o *sched.Outcome) bool {
		assert.Equal(t, sched.Done, o.Setup.State)
		return assert.Equal(t, sched.Done, o.Final.State)
	})
	require.NoError(t, err)
}

// TestLimits: the context and report end an exploration.
func TestLimits(t *testing.T) {
	program := func() sched.Program {
		x := new(atomic.Int64)
		add := func() { x.Add(1) }
		return sched.Program{Threads: []func(){add, add}}
	}
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Random(1, 100), program, func(*sched.Outcome) bool { return false })
	require.NoError(t, err)
	assert.Equal(t, 1, stats.Executions)
	assert.False(t, stats.Exhausted)

	ctx, cancel := context.WithCancelCause(context.Background())
	n := 0
	stats, err = sched.Explore(ctx, t, sched.Options{}, sched.Random(1, 100), program, func(*sched.Outcome) bool {
		if n++; n == 10 {
			cancel(errors.New("enough"))
		}
		return true
	})
	require.NoError(t, err)
	assert.Equal(t, 10, stats.Executions)
	assert.False(t, stats.Exhausted)
}
