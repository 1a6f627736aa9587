package snapshot

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/search"
)

// All 900 histories of the paper are decided, well within five seconds, and a
// search that knows nothing of automata agrees.
func TestCorpus(t *testing.T) {
	var histories int
	var elapsed time.Duration
	Corpus(func(g Generator, h *Simple) {
		histories++
		require.NotNil(t, h)
		require.NoError(t, h.Validate())
		started := time.Now()
		v := h.Test()
		elapsed += time.Since(started)
		require.Equal(t, g.Broken, v != nil)
		if len(h.Actions) > 200 || testing.Short() {
			return
		}
		general, err := Convert(h.Record())
		require.NoError(t, err)
		r, err := general.search(t.Context(), search.Options{})
		require.NoError(t, err)
		require.Equal(t, g.Broken, r.Verdict == search.Violation, "%+v", h)
	})
	t.Logf("%d histories in %v", histories, elapsed)
	require.Equal(t, CorpusSize, histories)
	require.Less(t, elapsed, 5*time.Second)
}

// A generator gives the same history again, and what was recorded of it gives it
// back.
func TestGenerator(t *testing.T) {
	for seed := range uint64(50) {
		g := Generator{Processes: 2 + int(seed%6), Length: 100, Seed: seed, Broken: seed%2 == 0}
		h := g.Simple()
		require.Equal(t, h, g.Simple())
		require.Len(t, h.Actions, 100)
		general, err := Convert(h.Record())
		require.NoError(t, err)
		r, err := general.Check(t.Context(), search.Options{})
		require.NoError(t, err)
		require.Equal(t, ByAutomata, r.Method)
		require.Equal(t, g.Broken, r.Verdict == search.Violation)
	}
	require.Nil(t, Generator{Processes: 3, Length: 1, Broken: true}.Simple())
}

func BenchmarkTest(b *testing.B) {
	for _, processes := range []int{3, 20} {
		for length := 1_000; length <= 10_000_000; length *= 10 {
			h := Generator{Processes: processes, Length: length, Seed: 1}.Simple()
			b.Run(fmt.Sprintf("n=%d/length=%d", processes, length), func(b *testing.B) {
				for b.Loop() {
					if h.Test() != nil {
						b.Fatal("not linearizable")
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(length), "ns/action")
			})
		}
	}
}

// BenchmarkOrder decides histories whose values are all different.
func BenchmarkOrder(b *testing.B) {
	for length := 1_000; length <= 1_000_000; length *= 10 {
		h := distinctHistory(length)
		b.Run(fmt.Sprintf("operations=%d", length), func(b *testing.B) {
			for b.Loop() {
				r, err := h.Check(b.Context(), search.Options{})
				if err != nil || r.Method != ByOrder || r.Verdict != search.Linearizable {
					b.Fatal(r.Method, r.Verdict, err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(length), "ns/operation")
		})
	}
}

// distinctHistory has four threads that update a segment of their own each and
// scan all, one after the other but for an overlap of neighbours.
func distinctHistory(operations int) *History {
	const n = 4
	h := &History{Segments: make([]string, n), Threads: make([]string, n), Initial: make([]int32, n)}
	var array [n]int32
	for k := range operations {
		op := Operation{Thread: int32(k % n), Call: int64(10 * k), Return: int64(10*k + 15)}
		if k/n%2 == 0 {
			array[k%n] = int32(k + 1)
			op.Writes = []Cell{{int32(k % n), int32(k + 1)}}
		} else {
			for s, v := range array {
				op.Reads = append(op.Reads, Cell{int32(s), v})
			}
		}
		h.Operations = append(h.Operations, op)
	}
	return h
}

// Time grows with the length and not with its square: a history that is sixteen
// times as long takes nowhere near 256 times as long.
func TestLinearTime(t *testing.T) {
	lengths := [2]int{500_000, 8_000_000}
	var histories [2]*Simple
	for i, length := range lengths {
		histories[i] = Generator{Processes: 10, Length: length, Seed: 3}.Simple()
	}
	best := [2]time.Duration{time.Hour, time.Hour}
	for range 8 { // in turns, so that a busy machine slows both
		for i, h := range histories {
			started := time.Now()
			require.Nil(t, h.Test())
			best[i] = min(best[i], time.Since(started))
		}
	}
	t.Logf("%v, and sixteen times as long %v", best[0], best[1])
	require.Less(t, best[1], 100*best[0])
}
