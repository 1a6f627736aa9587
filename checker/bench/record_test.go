package main

import (
	"fmt"
	"io"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/record"
)

// BenchmarkRecord is what eight goroutines pay for writing down a Load and its
// result: with package record, in a text under a mutex, and as users of Porcupine
// do, who collect its operations or its events under a lock. The time is to be a
// number of seconds (-benchtime 0.3s): a number of operations has the goroutines
// share a counter.
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
	b.Run("porcupine operations", func(b *testing.B) {
		var l collected[porcupine.Operation]
		inParallel(b, func(g int) func(int) {
			return func(i int) {
				call := time.Now().UnixNano()
				l.add(porcupine.Operation{ClientId: g, Input: load{"load", i}, Call: call, Output: loaded{i, true}, Return: time.Now().UnixNano()})
			}
		})
	})
	b.Run("porcupine events", func(b *testing.B) {
		var l collected[porcupine.Event]
		var next atomic.Int64
		inParallel(b, func(g int) func(int) {
			return func(i int) {
				id := int(next.Add(1))
				l.add(porcupine.Event{ClientId: g, Kind: porcupine.CallEvent, Value: load{"load", i}, Id: id})
				l.add(porcupine.Event{ClientId: g, Kind: porcupine.ReturnEvent, Value: loaded{i, true}, Id: id})
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

type load struct {
	op  string
	key int
}

type loaded struct {
	value int
	ok    bool
}

// collected is a slice under a lock. It begins anew before it gets large, as if it
// had been checked.
type collected[T any] struct {
	mu  sync.Mutex
	all []T
}

func (l *collected[T]) add(x T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.all) == 1<<16 {
		l.all = l.all[:0]
	}
	l.all = append(l.all, x)
}

// inParallel measures an operation that each of eight goroutines does again and
// again.
func inParallel(b *testing.B, setup func(goroutine int) func(i int)) {
	b.ReportAllocs()
	b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
	var number atomic.Int64
	before := clock()
	defer func() { b.ReportMetric(float64(clock()-before)/float64(b.N), "cpu-ns/op") }()
	b.RunParallel(func(pb *testing.PB) {
		do := setup(int(number.Add(1)))
		for i := 0; pb.Next(); i++ {
			do(i)
		}
	})
}
