package sched_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

func TestLostUpdate(t *testing.T) {
	var x atomic.Int64
	inc := func() { x.Store(x.Load() + 1) }
	finals := map[int64]int{}
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.DepthFirst(), func() sched.Program {
		return sched.Program{Setup: func() { x.Store(0) }, Threads: []func(){inc, inc}}
	}, func(o *sched.Outcome) bool {
		require.True(t, o.Complete())
		finals[x.Load()]++
		return true
	})
	require.NoError(t, err)
	require.True(t, stats.Exhausted)
	t.Log(stats, finals)
}

func TestDeadlock(t *testing.T) {
	var a, b *sync.Mutex
	stuck := map[sched.Stuck]int{}
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.DepthFirst(), func() sched.Program {
		a, b = new(sync.Mutex), new(sync.Mutex)
		two := func(a, b *sync.Mutex) func() {
			return func() { a.Lock(); defer a.Unlock(); b.Lock(); defer b.Unlock() }
		}
		return sched.Program{Threads: []func(){two(a, b), two(b, a)}}
	}, func(o *sched.Outcome) bool {
		stuck[o.Stuck]++
		return true
	})
	require.NoError(t, err)
	t.Log(stats, stuck)
}

func TestChannel(t *testing.T) {
	stuck := map[sched.Stuck]int{}
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.DepthFirst(), func() sched.Program {
		c := make(chan int)
		return sched.Program{Threads: []func(){
			func() { th := sched.Before(sched.Channel); c <- 1; th.After() },
			func() { th := sched.Before(sched.Channel); <-c; th.After() },
			func() { th := sched.Before(sched.Channel); <-c; th.After() },
		}}
	}, func(o *sched.Outcome) bool {
		stuck[o.Stuck]++
		return true
	})
	require.NoError(t, err)
	t.Log(stats, stuck)
}

func BenchmarkTwoOperations(b *testing.B) {
	testing.Benchmark(func(*testing.B) {})
}
