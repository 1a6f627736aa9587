package snapshot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
)

// intervals are the operations for the oracle.
func (h *History) intervals() []interval {
	var ops []interval
	for i := range h.Operations {
		op := &h.Operations[i]
		iv := interval{call: int(op.Call), ret: int(op.Return), take: func(array []int64) bool {
			for _, c := range op.Reads {
				if array[c.Segment] != int64(c.Value) {
					return false
				}
			}
			for _, c := range op.Writes {
				array[c.Segment] = int64(c.Value)
			}
			return true
		}}
		if op.Pending() {
			iv.ret = math.MaxInt
		}
		ops = append(ops, iv)
	}
	return ops
}

func (h *History) linearizable() bool {
	array := make([]int64, len(h.Segments))
	for s, v := range h.Initial {
		array[s] = int64(v)
	}
	return bruteForce(h.intervals(), array)
}

// A maker makes random histories.
type maker struct {
	*rand.Rand
	singleWriter bool // thread t writes segment t only
	distinct     bool // no value twice
	swaps        bool // operations that read and write
	whole        bool // scans read everything
}

// history runs an atomic object, and then perhaps changes some results.
func (m maker) history() *History {
	threads, segments := 2+m.IntN(3), 1+m.IntN(3)
	if m.singleWriter {
		segments = threads
	}
	h := &History{Segments: make([]string, segments), Threads: make([]string, threads), Initial: make([]int32, segments)}
	array := make([]int32, segments)
	open, step := make([]int, threads), make([]int, threads)
	last := int32(0)
	for now := range 6 + m.IntN(16) {
		t := m.IntN(threads)
		switch step[t] {
		case 0:
			op := Operation{Thread: int32(t), Call: int64(now), Return: history.Pending}
			m.fill(&op, t, segments, &last)
			open[t] = len(h.Operations)
			h.Operations = append(h.Operations, op)
		case 1:
			op := &h.Operations[open[t]]
			for k := range op.Reads {
				op.Reads[k].Value = array[op.Reads[k].Segment]
			}
			for _, c := range op.Writes {
				array[c.Segment] = c.Value
			}
		case 2:
			h.Operations[open[t]].Return = int64(now)
		}
		step[t] = (step[t] + 1) % 3
	}
	if m.IntN(3) > 0 {
		m.spoil(h, last)
	}
	return h
}

// fill chooses what an operation does.
func (m maker) fill(op *Operation, t, segments int, last *int32) {
	segment := int32(m.IntN(segments))
	if m.singleWriter {
		segment = int32(t)
	}
	if m.IntN(2) == 0 {
		*last++
		v := *last
		if !m.distinct {
			v = int32(m.IntN(2))
		}
		op.Writes = []Cell{{segment, v}}
		if m.swaps && m.IntN(2) == 0 {
			op.Reads = []Cell{{segment, 0}}
		}
		return
	}
	for s := range segments {
		if m.whole || m.IntN(2) == 0 {
			op.Reads = append(op.Reads, Cell{Segment: int32(s)})
		}
	}
}

// spoil changes results to values that occur.
func (m maker) spoil(h *History, last int32) {
	for range 2 + m.IntN(6) {
		if len(h.Operations) == 0 {
			return
		}
		op := &h.Operations[m.IntN(len(h.Operations))]
		if op.Pending() || len(op.Reads) == 0 {
			continue
		}
		c := &op.Reads[m.IntN(len(op.Reads))]
		values := []int32{0}
		for i := range h.Operations {
			for _, w := range h.Operations[i].Writes {
				if w.Segment == c.Segment {
					values = append(values, w.Value)
				}
			}
		}
		c.Value = values[m.IntN(len(values))]
		if m.IntN(20) == 0 {
			c.Value = last + 1
		}
	}
}

// The verdict agrees with brute force whichever method gives it, an order
// replays, and a core is wrong by itself.
func TestCheckAgainstBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	methods := map[Method][3]int{}
	properties := map[Property]int{}
	for round := range rounds(t, 200_000) {
		m := maker{r, r.IntN(2) == 0, r.IntN(4) > 0, r.IntN(3) == 0, r.IntN(2) == 0}
		h := m.history()
		got, err := h.Check(t.Context(), search.Options{})
		require.NoError(t, err)
		want := search.Violation
		if h.linearizable() {
			want = search.Linearizable
		}
		require.Equal(t, want, got.Verdict, "round %d, by %s: %+v", round, got.Method, h)
		count := methods[got.Method]
		count[got.Verdict]++
		methods[got.Method] = count
		switch {
		case got.Verdict == search.Violation:
			properties[got.Property]++
			require.False(t, h.core(got.Core, got.Method).linearizable(), "round %d, by %s: core %v of %+v", round, got.Method, got.Core, h)
		case got.Method == ByOrder:
			require.True(t, h.replays(got.Order), "round %d: order %v of %+v", round, got.Order, h)
		}
	}
	t.Logf("unknown, linearizable and not: %v; properties: %v", methods, properties)
	for _, count := range methods {
		require.Greater(t, min(count[1], count[2])*16, count[1]+count[2], "both verdicts are well represented")
	}
	require.Len(t, properties, 8, "all properties but uniqueness")
}

// core is the history of some operations alone. A value that none of them wrote
// is not held against them, unless nobody did: the order of all is known.
func (h *History) core(core []int32, by Method) *History {
	known := map[Cell]bool{}
	for s, v := range h.Initial {
		known[Cell{int32(s), v}] = true
	}
	elsewhere := map[Cell]bool{}
	for i := range h.Operations {
		for _, c := range h.Operations[i].Writes {
			if slices.Contains(core, int32(i)) {
				known[c] = true
			} else {
				elsewhere[c] = true
			}
		}
	}
	some := *h
	some.Operations = nil
	for _, i := range core {
		op := h.Operations[i]
		op.Reads = slices.DeleteFunc(slices.Clone(op.Reads), func(c Cell) bool { return by == ByOrder && !known[c] && elsewhere[c] })
		some.Operations = append(some.Operations, op)
	}
	return &some
}

// replays reports whether an order is a linearization.
func (h *History) replays(order []int32) bool {
	ops := h.intervals()
	array := make([]int64, len(h.Segments))
	done := make([]bool, len(ops))
	latest := -1
	for _, i := range order {
		if ops[i].ret < latest || done[i] || !ops[i].take(array) {
			return false
		}
		latest, done[i] = max(latest, ops[i].call), true
	}
	for i := range ops {
		if !done[i] && ops[i].ret != math.MaxInt {
			return false
		}
	}
	return true
}
