package sched_test

import (
	"context"
	"runtime"
	original "sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// TestStrangerBesideHolder has a goroutine that nobody told the scheduler of
// take its first step while a thread has the token: it is a thread of its own,
// and not taken for the other.
func TestStrangerBesideHolder(t *testing.T) {
	strangers := 0
	_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Random(1, 200), func() sched.Program {
		var mu sync.Mutex
		var there original.Bool
		n := 0
		return sched.Program{Threads: []func(){func() {
			go func() {
				there.Store(true)
				mu.Lock()
				n++
				mu.Unlock()
			}()
			for !there.Load() {
				runtime.Gosched()
			}
			for range 100 { // it comes to its step
				runtime.Gosched()
			}
			mu.Lock()
			n++
			mu.Unlock()
		}}}
	}, func(o *sched.Outcome) bool {
		require.NoError(t, o.Err())
		require.True(t, o.Complete())
		strangers += len(o.Spawned)
		return true
	})
	require.NoError(t, err)
	require.Positive(t, strangers)
}

// TestTimersOfTheExecution: a timer that has not fired when an execution is over
// does so in no other; and what it starts is told of as its thread's.
func TestTimersOfTheExecution(t *testing.T) {
	steps := map[int]int{}
	var fired, executions int
	opts := sched.Options{OnStep: func(origin int, op sched.Op, _, _ any) {
		if op.Kind == sched.Yield {
			steps[origin]++
		}
	}}
	_, err := sched.Explore(t.Context(), t, opts, sched.Random(1, 100), func() sched.Program {
		executions++
		number := executions
		return sched.Program{Threads: []func(){
			func() { sched.Mark(sched.Boundary) },
			func() {
				sched.Later(time.AfterFunc)(time.Second, func() {
					sched.Go(func() { sched.Mark(sched.Yield) })
					fired++
					require.Equal(t, executions, number)
				})
				sched.Mark(sched.Boundary)
			},
		}}
	}, func(o *sched.Outcome) bool {
		require.NoError(t, o.Err())
		return true
	})
	require.NoError(t, err)
	require.Positive(t, fired)
	require.Less(t, fired, executions)
	require.Zero(t, steps[0])
	require.Positive(t, steps[1])
}

// TestLeftBehind has threads that start something which waits for ever, as a client has a goroutine that looks after its
// connections: the exploration comes to its end.
func TestLeftBehind(t *testing.T) {
	ends := 0
	stats := explore(t, sched.Options{}, sched.DepthFirst(), func() []func() {
		var n atomic.Int32
		thread := func() {
			tick := time.NewTicker(time.Hour)
			go func() {
				for range tick.C {
					runtime.Gosched()
				}
			}()
			n.Add(1)
		}
		return []func(){thread, thread}
	}, func(*sched.Outcome) { ends++ })
	assert.Positive(t, ends)
	assert.EqualValues(t, ends, stats.Executions)
}
