package monitor

import (
	"container/heap"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mapatom/mapatom/checker/history"
)

// A load is a kind of history to measure monitors with, made by twenty
// threads that insert and twenty that remove or peek.
type load struct {
	name   string
	fill   int // percentage of the operations for which only insertions run at first
	peeks  int // percentage of peeks among the operations that do not insert
	spread bool
}

var loads = []load{
	{name: "mixed"},
	{name: "peeks", fill: 1, peeks: 30},
	{name: "fill", fill: 50},
	{name: "spread", spread: true}, // values far from each other
}

// log runs the threads; each step of one is a call, an effect or a return.
func (w load) log(kind history.Kind, n int) *history.Log {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	l := &history.Log{Kind: kind}
	held := &holder{kind: kind}
	const threads = 40
	var open [threads]int
	var applied [threads]bool
	values := r.Perm(n)
	for now := int64(1); ; now++ {
		t := r.IntN(threads)
		if l.Len() < n*w.fill/100 {
			t %= threads / 2
		}
		row := open[t] - 1
		switch {
		case row < 0 && l.Len() >= n:
			if open == [threads]int{} {
				return l
			}
		case row < 0:
			m, value := history.Insert, int64(values[l.Len()])
			if kind != history.PriorityQueue {
				value = int64(l.Len())
			}
			if w.spread {
				value *= 1e9
			}
			if t >= threads/2 {
				m = history.Remove
				if r.IntN(100) < w.peeks {
					m = history.Peek
				}
			}
			appendRow(l, m, value, now, history.Pending)
			open[t], applied[t] = l.Len(), false
		case !applied[t]:
			held.apply(l, row)
			applied[t] = true
		default:
			l.Return[row], open[t] = now, 0
		}
	}
}

// A holder is a fast queue, stack or priority queue.
type holder struct {
	kind history.Kind
	held []int64
}

func (h *holder) Len() int           { return len(h.held) }
func (h *holder) Less(i, j int) bool { return h.held[i] > h.held[j] }
func (h *holder) Swap(i, j int)      { h.held[i], h.held[j] = h.held[j], h.held[i] }
func (h *holder) Push(v any)         { h.held = append(h.held, v.(int64)) }
func (h *holder) Pop() any {
	v := h.held[len(h.held)-1]
	h.held = h.held[:len(h.held)-1]
	return v
}

func (h *holder) apply(l *history.Log, row int) {
	m := l.Method[row]
	switch {
	case m == history.Insert && h.kind == history.PriorityQueue:
		heap.Push(h, l.Value[row])
	case m == history.Insert:
		h.held = append(h.held, l.Value[row])
	case len(h.held) == 0:
		l.Method[row]++
		l.Value[row] = history.Absent
	case m == history.Peek && h.kind == history.Stack:
		l.Value[row] = h.held[len(h.held)-1]
	case m == history.Peek:
		l.Value[row] = h.held[0]
	case h.kind == history.PriorityQueue:
		l.Value[row] = heap.Pop(h).(int64)
	case h.kind == history.Stack:
		l.Value[row] = h.Pop().(int64)
	default:
		l.Value[row] = h.held[0]
		h.held = h.held[1:]
	}
}

// BenchmarkContainers measures the monitors with and without the ranking of
// the events.
func BenchmarkContainers(b *testing.B) {
	for _, kind := range []history.Kind{history.Queue, history.Stack, history.PriorityQueue} {
		for _, w := range loads {
			for _, n := range []int{100_000, 1_000_000} {
				b.Run(fmt.Sprintf("%s/%s/n=%d", kind, w.name, n), func(b *testing.B) {
					l := w.log(kind, n)
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
				l := w.log(kind, 20_000)
				a := monitored(l, true)
				if !a.ok {
					t.Fatalf("not linearizable: %s %v", a.reason, a.core)
				}
				replayLarge(t, l, a.order)
				spoilLarge(l)
				a = monitored(l, true)
				if a.ok {
					t.Fatal("linearizable with two results exchanged")
				}
				part := rowsOf(l, a.core)
				t.Logf("core of %d rows", part.Len())
				if monitored(part, true).ok {
					t.Fatalf("core is linearizable:\n%s", show(part))
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
				l := w.log(kind, 10_000)
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
				replayLarge(t, l, a.order)
				spoilLarge(l)
				if a := monitored(l, true); a.ok || a.reason != "" {
					t.Fatalf("linearizable with two results exchanged, or %s", a.reason)
				}
			})
		}
	}
}

// replayLarge checks an order without taking quadratic time.
func replayLarge(t *testing.T, l *history.Log, order []int32) {
	h := &holder{kind: l.Kind}
	latest := int64(0)
	for _, row := range order {
		if l.Return[row] < latest {
			t.Fatalf("row %d behind one that is called after it", row)
		}
		latest = max(latest, l.Call[row])
		again := rowsOf(l, []int32{row})
		if l.Return[row] == history.Pending && l.Method[row] == history.Remove {
			h.apply(again, 0)
			continue
		}
		if m := again.Method[0]; m == history.RemoveEmpty || m == history.PeekEmpty {
			again.Method[0]--
		}
		h.apply(again, 0)
		if again.Value[0] != l.Value[row] {
			t.Fatalf("row %d has %d instead of %d", row, l.Value[row], again.Value[0])
		}
	}
	left := 0
	for row, end := range l.Return {
		if end == history.Pending && !slices.Contains(order, int32(row)) {
			left++
		}
	}
	sorted := slices.Clone(order)
	slices.Sort(sorted)
	if sorted = slices.Compact(sorted); len(sorted) != len(order) || len(order)+left != l.Len() {
		t.Fatalf("%d rows, and %d left out, of %d", len(order), left, l.Len())
	}
}

// spoilLarge exchanges the results of two removals that are far apart.
func spoilLarge(l *history.Log) {
	i := l.Len()/2 + slices.Index(l.Method[l.Len()/2:], history.Remove)
	j := i + 1000 + slices.Index(l.Method[i+1000:], history.Remove)
	l.Value[i], l.Value[j] = l.Value[j], l.Value[i]
}
