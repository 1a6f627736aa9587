package record_test

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/record"
)

// goroutines is how many record at once in the benchmarks.
const goroutines = 8

// inParallel measures an operation that each of the goroutines does again and
// again. Setup is called in each.
func inParallel(b *testing.B, setup func(goroutine int) func(i int)) {
	b.ReportAllocs()
	b.SetParallelism(max(1, goroutines/runtime.GOMAXPROCS(0)))
	var number atomic.Int64
	before := processorTime()
	defer func() {
		b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
	}()
	b.RunParallel(func(pb *testing.PB) {
		do := setup(int(number.Add(1)))
		for i := 0; pb.Next(); i++ {
			do(i)
		}
	})
}

// BenchmarkRecord is what recording a Load with an integer key and its result
// costs, beside a log under a mutex; checker/bench has what users of Porcupine do.
// The time is to be a number of seconds (-benchtime 0.3s): a number of operations
// has the goroutines share a counter.
func BenchmarkRecord(b *testing.B) {
	b.Run("recorder", func(b *testing.B) {
		h := record.New(io.Discard, record.Options{Kind: history.Map})
		defer h.Close()
		inParallel(b, func(int) func(int) {
			return func(i int) { h.Begin("Load", i).End(i, true) }
		})
	})
	b.Run("thread", func(b *testing.B) {
		h := record.New(io.Discard, record.Options{Kind: history.Map})
		defer h.Close()
		inParallel(b, func(g int) func(int) {
			t := h.Thread(strconv.Itoa(g))
			return func(i int) { t.Begin("Load", i).End(i, true) }
		})
	})
	b.Run("strings", func(b *testing.B) {
		h := record.New(io.Discard, record.Options{Kind: history.Map})
		defer h.Close()
		keys := []string{"a key", "another key", "a third"}
		inParallel(b, func(g int) func(int) {
			t := h.Thread(strconv.Itoa(g))
			return func(i int) { k := keys[i%3]; t.Begin("Load", k).End(k, true) }
		})
	})
	b.Run("mutex log", func(b *testing.B) {
		l := &mutexLog{w: io.Discard}
		inParallel(b, func(g int) func(int) {
			return func(i int) {
				l.print("%d call load %d\n", g, i)
				l.print("%d return %d %t\n", g, i, true)
			}
		})
	})
}

// A mutexLog is a file under a mutex that each event is printed to.
type mutexLog struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *mutexLog) print(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, "%d ", time.Now().UnixNano())
	fmt.Fprintf(l.w, format, args...)
}
