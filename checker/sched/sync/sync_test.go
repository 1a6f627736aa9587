package sync_test

import (
	"context"
	"fmt"
	original "sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/checker/sched"
	"github.com/mapatom/mapatom/checker/sched/atomic"
	"github.com/mapatom/mapatom/checker/sched/sync"
)

// TestSizes: a struct with a drop-in is laid out as one with the original.
func TestSizes(t *testing.T) {
	require.Equal(t, unsafe.Sizeof(original.Mutex{}), unsafe.Sizeof(sync.Mutex{}))
	require.Equal(t, unsafe.Sizeof(original.RWMutex{}), unsafe.Sizeof(sync.RWMutex{}))
	require.Equal(t, unsafe.Sizeof(original.WaitGroup{}), unsafe.Sizeof(sync.WaitGroup{}))
	require.Equal(t, unsafe.Sizeof(original.Once{}), unsafe.Sizeof(sync.Once{}))
}

// every runs the threads under all schedules with up to two preemptions.
func every(t *testing.T, make func() []func(), report func(*sched.Outcome)) {
	t.Helper()
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Bounded(2),
		func() sched.Program { return sched.Program{Threads: make()} },
		func(o *sched.Outcome) bool { report(o); return true })
	require.NoError(t, err)
	require.Greater(t, stats.Executions, 1)
}

// TestNothing: who locks or waits for what is not there panics, as with the originals,
// and the others go on.
func TestNothing(t *testing.T) {
	var mu *sync.Mutex
	var rw *sync.RWMutex
	var group *sync.WaitGroup
	for name, wait := range map[string]func(){"Lock": mu.Lock, "write": rw.Lock, "read": rw.RLock, "Wait": group.Wait} {
		t.Run(name, func(t *testing.T) {
			var count atomic.Int64
			every(t, func() []func() { return []func(){wait, func() { count.Add(1); count.Add(1) }} }, func(o *sched.Outcome) {
				assert.Equal(t, sched.Panicked, o.Threads[0].State)
				assert.Contains(t, fmt.Sprint(o.Threads[0].Panic), "nil pointer dereference")
				assert.Equal(t, sched.Done, o.Threads[1].State)
			})
		})
	}
}

// TestExclusion: a writer is alone, readers are not.
func TestExclusion(t *testing.T) {
	together := 0
	every(t, func() []func() {
		var mu sync.RWMutex
		var readers, writers atomic.Int64
		write := func() {
			mu.Lock()
			assert.Equal(t, int64(1), writers.Add(1))
			assert.Zero(t, readers.Load())
			writers.Add(-1)
			mu.Unlock()
		}
		read := func() {
			mu.RLock()
			together = max(together, int(readers.Add(1)))
			assert.Zero(t, writers.Load())
			readers.Add(-1)
			mu.RUnlock()
		}
		return []func(){write, read, read}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
	assert.Equal(t, 2, together)
}

// TestTryLock fails exactly where the lock is held.
func TestTryLock(t *testing.T) {
	ends := map[string]int{}
	every(t, func() []func() {
		var mu sync.Mutex
		var n atomic.Int64
		try := func() {
			if !mu.TryLock() {
				ends["failed"]++
				return
			}
			assert.Equal(t, int64(1), n.Add(1))
			n.Add(-1)
			mu.Unlock()
			ends["held"]++
		}
		return []func(){try, try}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
	assert.Positive(t, ends["failed"])
	assert.Greater(t, ends["held"], ends["failed"])
}

// TestOnce: the function runs once, and nobody returns before it has.
func TestOnce(t *testing.T) {
	every(t, func() []func() {
		var once sync.Once
		var began, ended atomic.Int64
		do := func() {
			once.Do(func() { began.Add(1); ended.Add(1) })
			assert.Equal(t, int64(1), began.Load())
			assert.Equal(t, int64(1), ended.Load())
		}
		return []func(){do, do, do}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
}

// TestOnceValuePanics: a panic is the same for all callers.
func TestOnceValuePanics(t *testing.T) {
	every(t, func() []func() {
		value := sync.OnceValue(func() int { panic("no value") })
		get := func() { assert.PanicsWithValue(t, "no value", func() { value() }) }
		return []func(){get, get}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
}

func TestWaitGroup(t *testing.T) {
	every(t, func() []func() {
		var done sync.WaitGroup
		var n atomic.Int64
		return []func(){func() {
			for range 2 {
				done.Go(func() { n.Add(1) })
			}
			done.Wait()
			assert.Equal(t, int64(2), n.Load())
		}, func() {}}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
}

// TestCond: a buffer of one place; nothing is lost and nobody waits for ever.
// With Signal in the place of Broadcast and a lock that is not held while
// looking, somebody does.
func TestCond(t *testing.T) {
	for careful, want := range map[bool]bool{true: false, false: true} {
		stuck := false
		every(t, func() []func() {
			var mu sync.Mutex
			full := sync.NewCond(&mu)
			var item atomic.Int64
			return []func(){func() {
				if careful {
					mu.Lock()
					defer mu.Unlock()
				}
				item.Store(1)
				full.Signal()
			}, func() {
				mu.Lock()
				defer mu.Unlock()
				for item.Load() == 0 {
					full.Wait()
				}
			}}
		}, func(o *sched.Outcome) { stuck = stuck || o.Stuck == sched.Deadlock })
		assert.Equal(t, want, stuck, "careful: %t", careful)
	}
}

// TestPool gives back what was put, or makes something new.
func TestPool(t *testing.T) {
	made := map[int]int{}
	every(t, func() []func() {
		n := 0
		pool := sync.Pool{New: func() any { n++; return new(int) }}
		var holders atomic.Int64
		use := func() {
			p := pool.Get().(*int)
			*p++
			assert.Equal(t, 1, *p, "nobody else has it")
			holders.Add(1)
			*p--
			pool.Put(p)
		}
		return []func(){use, use, func() { made[n]++ }}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
	assert.Positive(t, made[1])
	assert.Positive(t, made[2])
}

// TestMisuse: what the originals panic at, the drop-ins do.
func TestMisuse(t *testing.T) {
	assert.Panics(t, func() { new(sync.WaitGroup).Done() })
	every(t, func() []func() {
		return []func(){
			func() { assert.Panics(t, func() { new(sync.WaitGroup).Done() }) },
			func() { assert.Panics(t, func() { new(atomic.Value).Store(nil) }) },
		}
	}, func(o *sched.Outcome) { require.NoError(t, o.Err()) })
}

// TestMap compares Map with the original, under control and not.
func TestMap(t *testing.T) {
	type call struct{ op, key, value, old int }
	gen := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) call {
		n := rapid.IntRange(0, 2)
		return call{rapid.IntRange(0, 9).Draw(t, "op"), n.Draw(t, "key"), n.Draw(t, "value"), n.Draw(t, "old")}
	}), 0, 30)
	type mapLike interface {
		Load(any) (any, bool)
		Store(any, any)
		LoadOrStore(any, any) (any, bool)
		LoadAndDelete(any) (any, bool)
		Delete(any)
		Swap(any, any) (any, bool)
		CompareAndSwap(any, any, any) bool
		CompareAndDelete(any, any) bool
		Range(func(any, any) bool)
		Clear()
	}
	do := func(m mapLike, calls []call) string {
		var seen []any
		both := func(v any, ok bool) { seen = append(seen, v, ok) }
		for _, c := range calls {
			switch c.op {
			case 0:
				both(m.Load(c.key))
			case 1:
				m.Store(c.key, c.value)
			case 2:
				both(m.LoadOrStore(c.key, c.value))
			case 3:
				both(m.LoadAndDelete(c.key))
			case 4:
				m.Delete(c.key)
			case 5:
				both(m.Swap(c.key, c.value))
			case 6:
				seen = append(seen, m.CompareAndSwap(c.key, c.old, c.value))
			case 7:
				seen = append(seen, m.CompareAndDelete(c.key, c.old))
			case 8:
				all := map[any]any{}
				m.Range(func(k, v any) bool { all[k] = v; return true })
				seen = append(seen, all)
			case 9:
				m.Clear()
			}
		}
		return fmt.Sprint(seen...)
	}
	for i := range 200 {
		calls := gen.Example(i)
		want := do(new(original.Map), calls)
		require.Equal(t, want, do(new(sync.Map), calls), "%v", calls)
		_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Replay(nil), func() sched.Program {
			return sched.Program{Threads: []func(){func() { require.Equal(t, want, do(new(sync.Map), calls), "%v", calls) }}}
		}, func(o *sched.Outcome) bool { return assert.NoError(t, o.Err()) })
		require.NoError(t, err)
	}
}
