package monitor

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/certificate"
	"github.com/mapatom/mapatom/internal/checker/workload"
)

// loads are kinds of histories to measure monitors with.
var loads = []struct {
	name string
	workload.Threads
}{
	{"mixed", workload.Threads{}},
	{"peeks", workload.Threads{Fill: 1, Peeks: 3}},
	{"fill", workload.Threads{Fill: 50}},
	{"spread", workload.Threads{Spread: true}},
}

// loaded makes the history of a load.
func loaded(w workload.Threads, kind history.Kind, n int) *history.Log {
	w.Kind, w.Operations, w.Seed = kind, n, 7
	return w.Log()
}

// BenchmarkContainers measures the monitors with and without the ranking of
// the events.
func BenchmarkContainers(b *testing.B) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		for _, w := range loads {
			for _, n := range []int{100_000, 1_000_000} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", kind, w.name, n), func(b *testing.B) {
					l := loaded(w.Threads, kind, n)
					b.ReportAllocs()
					for b.Loop() {
						if a := monitored(l, false); !a.ok {
							b.Fatal(a.reason, len(a.core))
						}
					}
					b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "operations/s")
				})
			}
		}
	}
}

// TestLargeHistories replays the linearizations of large histories, and finds
// what is wrong after two results were exchanged.
func TestLargeHistories(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		for _, w := range loads {
			t.Run(kind.String()+"/"+w.name, func(t *testing.T) {
				l := loaded(w.Threads, kind, 20_000)
				a := monitored(l, true)
				if !a.ok {
					t.Fatalf("not linearizable: %s %v", a.reason, a.core)
				}
				require.NoError(t, certificate.Validate(l, a.order))
				spoilLarge(l)
				a = monitored(l, true)
				if a.ok {
					t.Fatal("linearizable with two results exchanged")
				}
				part := l.Select(a.core)
				t.Logf("core of %d rows", part.Len())
				if monitored(part, true).ok {
					t.Fatalf("core is linearizable:\n%s", workload.Describe(part))
				}
			})
		}
	}
}

// TestPendingRemovals checks that it is found out what removals took that did
// not return, in the middle of a large history.
func TestPendingRemovals(t *testing.T) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		for _, w := range loads {
			t.Run(kind.String()+"/"+w.name, func(t *testing.T) {
				l := loaded(w.Threads, kind, 10_000)
				for row, lost := l.Len()/2, 0; lost < 20; row++ {
					if l.Method[row] == history.Remove {
						l.Return[row], l.Value[row] = history.Pending, history.Unknowable
						lost, row = lost+1, row+200
					}
				}
				a := monitored(l, true)
				if !a.ok {
					t.Fatalf("not linearizable: %s %v", a.reason, a.core)
				}
				require.NoError(t, certificate.Validate(l, a.order))
				spoilLarge(l)
				if a := monitored(l, true); a.ok || a.reason != "" {
					t.Fatalf("linearizable with two results exchanged, or %s", a.reason)
				}
			})
		}
	}
}

// spoilLarge exchanges the results of two removals that are far apart.
func spoilLarge(l *history.Log) {
	i := l.Len()/2 + slices.Index(l.Method[l.Len()/2:], history.Remove)
	j := i + 1000 + slices.Index(l.Method[i+1000:], history.Remove)
	l.Value[i], l.Value[j] = l.Value[j], l.Value[i]
}
