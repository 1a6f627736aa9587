package snapshot

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/search"
)

// All 900 histories of the paper are decided, and a search that knows nothing of
// automata agrees.
func TestCorpus(t *testing.T) {
	var histories int
	Corpus(func(g Generator, h *Simple) {
		histories++
		require.NotNil(t, h)
		require.NoError(t, h.Validate())
		v := h.Test()
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
	require.Equal(t, CorpusSize, histories)
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
