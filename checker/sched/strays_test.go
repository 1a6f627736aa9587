package sched_test

import (
	"context"
	"runtime"
	original "sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/sched"
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
