package snapshot

import (
	"cmp"
	"slices"

	"github.com/mapatom/mapatom/checker/search"
)

// initially stands for the writer of the values that the segments have at
// first.
const initially = int32(-1)

// An ordering is a history of which it is known what each operation reads from
// and in which order each segment was written.
type ordering struct {
	*History
	// taken are the operations that took effect: those that returned, and
	// those that were read from. reader has, for one that did not return, an
	// operation that took effect and read from it.
	taken  []bool
	reader map[int32]int32
	// writes has the writers of each segment, in order.
	writes [][]int32
	// place is where an operation stands among the writers of a segment.
	place []map[int32]int32
	// writer finds who wrote a value.
	writer []map[int32]int32
}

// order finds out what was read from what, and in which order the segments were
// written, or why that cannot be known.
func (h *History) order() (*ordering, *Ambiguity) {
	g := &ordering{History: h, taken: make([]bool, len(h.Operations)), reader: map[int32]int32{}}
	n := len(h.Segments)
	g.writes, g.place, g.writer = make([][]int32, n), make([]map[int32]int32, n), make([]map[int32]int32, n)
	twice := g.collect()
	if why := g.readers(twice); why != nil {
		return nil, why
	}
	for i := range g.Operations {
		for _, c := range g.Operations[i].Writes {
			if g.taken[i] {
				g.writes[c.Segment] = append(g.writes[c.Segment], int32(i))
			}
		}
	}
	for s := range g.writes {
		if why := g.inTime(s); why != nil {
			return nil, why
		}
	}
	return g, nil
}

// A clash is a value of a segment that was written more than once.
type clash struct {
	cell          Cell
	first, second int32
}

func (c clash) ambiguity() *Ambiguity {
	if c.first == initially {
		return &Ambiguity{[2]int32{c.second, c.second}, "it writes what the segment had at first, and that was read"}
	}
	return &Ambiguity{[2]int32{c.first, c.second}, "they write the same value to the same segment, and it was read"}
}

// collect finds who wrote each value, and the values that were written twice,
// which do no harm if nobody reads them.
func (g *ordering) collect() map[Cell]clash {
	twice := map[Cell]clash{}
	for s := range g.writer {
		g.writer[s] = map[int32]int32{g.Initial[s]: initially}
	}
	for i := range g.Operations {
		for _, c := range g.Operations[i].Writes {
			if first, ok := g.writer[c.Segment][c.Value]; ok {
				if _, known := twice[c]; !known {
					twice[c] = clash{c, first, int32(i)}
				}
				continue
			}
			g.writer[c.Segment][c.Value] = int32(i)
		}
	}
	return twice
}

// readers marks the operations that took effect: those that returned, and those
// that such a one reads from.
func (g *ordering) readers(twice map[Cell]clash) *Ambiguity {
	var work []int32
	take := func(i int32) {
		g.taken[i] = true
		work = append(work, i)
	}
	for i := range g.Operations {
		if !g.Operations[i].Pending() {
			take(int32(i))
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range g.Operations[i].Reads {
			if two, ok := twice[c]; ok {
				return two.ambiguity()
			}
			if w, ok := g.writer[c.Segment][c.Value]; ok && w != initially && !g.taken[w] {
				take(w)
				g.reader[w] = i
			}
		}
	}
	return nil
}

// inTime puts the writers of a segment in order, which they have in time if no
// two of them overlap.
func (g *ordering) inTime(s int) *Ambiguity {
	all := g.writes[s]
	slices.SortFunc(all, func(a, b int32) int {
		x, y := &g.Operations[a], &g.Operations[b]
		return cmp.Or(cmp.Compare(x.Call, y.Call), cmp.Compare(x.Return, y.Return), cmp.Compare(a, b))
	})
	g.place[s] = make(map[int32]int32, len(all))
	for k, i := range all {
		if k > 0 && g.Operations[all[k-1]].Return >= g.Operations[i].Call {
			return &Ambiguity{[2]int32{all[k-1], i}, "they write the same segment at the same time"}
		}
		g.place[s][i] = int32(k)
	}
	return nil
}

// A graph has an arc from what comes first to what comes later. Its nodes are
// the operations, and behind them instants, which stand for the order in time:
// an operation that returned comes before the next instant, and that before
// all that was called later.
type graph struct {
	arcs [][]int32
	in   []int32
}

func (g *graph) node() int32 {
	g.arcs, g.in = append(g.arcs, nil), append(g.in, 0)
	return int32(len(g.arcs) - 1)
}

func (g *graph) arc(from, to int32) {
	g.arcs[from] = append(g.arcs[from], to)
	g.in[to]++
}

// decide looks for a topological order, and gives that or a shortest cycle. A
// value that nobody wrote decides it at once.
func (g *ordering) decide() Result {
	r := Result{Verdict: search.Violation, Method: ByOrder}
	for i := range g.Operations {
		for _, c := range g.Operations[i].Reads {
			if w, ok := g.writer[c.Segment][c.Value]; g.taken[i] && (!ok || w == int32(i)) {
				r.Property, r.Core = Integrity, []int32{int32(i)}
				return r
			}
		}
	}
	arcs := g.graph()
	order, left := arcs.topological(len(g.Operations))
	if left == nil {
		r.Verdict, r.Order = search.Linearizable, slices.DeleteFunc(order, func(i int32) bool { return !g.taken[i] })
		return r
	}
	r.Property, r.Core = g.explain(arcs, left)
	return r
}

// graph makes the graph: the order in time, and around each read of a value the
// update that wrote it and the one that overwrote it.
func (g *ordering) graph() *graph {
	a := &graph{}
	for range g.Operations {
		a.node()
	}
	last, fresh := a.node(), true // the latest instant, and whether nothing was called since
	for _, m := range g.moments() {
		switch {
		case !g.taken[m.op]:
		case !m.returns:
			a.arc(last, m.op)
			fresh = false
		default:
			if !fresh {
				next := a.node()
				a.arc(last, next)
				last, fresh = next, true
			}
			a.arc(m.op, last)
		}
	}
	for i := range g.Operations {
		if g.taken[i] {
			g.around(a, int32(i))
		}
	}
	return a
}

// around adds the arcs of the reads of an operation.
func (g *ordering) around(a *graph, i int32) {
	for _, c := range g.Operations[i].Reads {
		w, next := g.writer[c.Segment][c.Value], int32(0)
		if w != initially {
			next = g.place[c.Segment][w] + 1
			a.arc(w, i)
		}
		if writes := g.writes[c.Segment]; int(next) < len(writes) && writes[next] != i {
			a.arc(i, writes[next])
		}
	}
}

// topological gives the operations, nodes below the number, in an order that
// respects all arcs, or, if there is none, which nodes are left: those behind a
// cycle, and in one.
func (a *graph) topological(operations int) (order []int32, left []bool) {
	in := slices.Clone(a.in)
	var ready []int32
	for n := range in {
		if in[n] == 0 {
			ready = append(ready, int32(n))
		}
	}
	for k := 0; k < len(ready); k++ {
		n := ready[k]
		if int(n) < operations {
			order = append(order, n)
		}
		for _, to := range a.arcs[n] {
			if in[to]--; in[to] == 0 {
				ready = append(ready, to)
			}
		}
	}
	if len(ready) == len(in) {
		return order, nil
	}
	left = make([]bool, len(in))
	for n := range in {
		left[n] = in[n] > 0
	}
	return nil, left
}
