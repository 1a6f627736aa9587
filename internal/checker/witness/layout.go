package witness

import (
	"cmp"
	"slices"
)

// layout is where everything in a picture is, in lanes and in steps of time:
// what both drawings have in common. How long a thing took does not show, only
// what came before what.
type layout struct {
	picture *Picture
	lanes   []string // a thread with operations that overlap has several
	nodes   []node   // each operation, followed by what is inside it
	tops    []int    // index in nodes of each operation of the picture
	steps   []step
}

// node is an operation or an inner operation.
type node struct {
	op    *Operation
	top   int // index of the operation in the picture, also of an inner one
	depth int // 0 for operations, 1 for the inner ones of these, and so on
	lane  int
	inner bool // it has inner operations
	core  bool
	order int // place in the linearization, from 1; 0 if it has none
	// call, point and ret are indices of steps. The point is where an
	// operation of the linearization takes effect, else -1.
	call, point, ret int
}

// A step is one moment of the picture.
type step struct {
	kind stepKind
	node int
}

type stepKind uint8

const (
	stepCall stepKind = iota
	stepPoint
	stepReturn
)

// newLayout arranges a picture.
func newLayout(p *Picture) *layout {
	l := &layout{picture: p}
	for i := range p.Operations {
		l.tops = append(l.tops, len(l.nodes))
		l.add(&p.Operations[i], i, 0)
	}
	for n, i := range p.Linearization {
		l.nodes[l.tops[i]].order = n + 1
	}
	for _, i := range p.Core {
		l.nodes[l.tops[i]].core = true
	}
	l.steps = l.inTime()
	l.points()
	l.number()
	l.assignLanes()
	return l
}

// add adds an operation, then what is inside it.
func (l *layout) add(op *Operation, top, depth int) {
	l.nodes = append(l.nodes, node{op: op, top: top, depth: depth, inner: len(op.Inner) > 0, point: -1})
	for i := range op.Inner {
		l.add(&op.Inner[i], top, depth+1)
	}
}

// inTime are calls and returns as they happened. Of those at one instant
// calls come first, since operations that share an instant are concurrent,
// and an outer operation encloses its inner ones.
func (l *layout) inTime() []step {
	steps := make([]step, 0, 2*len(l.nodes))
	for i := range l.nodes {
		steps = append(steps, step{stepCall, i}, step{stepReturn, i})
	}
	slices.SortStableFunc(steps, func(x, y step) int {
		depth := cmp.Compare(l.nodes[x.node].depth, l.nodes[y.node].depth)
		if x.kind == stepReturn {
			depth = -depth
		}
		return cmp.Or(cmp.Compare(l.instant(x), l.instant(y)), cmp.Compare(x.kind, y.kind), depth)
	})
	return steps
}

func (l *layout) instant(s step) int64 {
	if s.kind == stepCall {
		return l.nodes[s.node].op.Call
	}
	return int64(l.nodes[s.node].op.Return)
}

// points puts a step for each operation of the linearization as early as the
// calls and the order allow.
func (l *layout) points() {
	if len(l.picture.Linearization) == 0 {
		return
	}
	l.number()
	after := make([][]int, len(l.steps))
	at := 0
	for _, i := range l.picture.Linearization {
		n := &l.nodes[l.tops[i]]
		// The second bound only matters where the order is not one in time.
		at = min(max(at, n.call), n.ret-1)
		after[at] = append(after[at], l.tops[i])
	}
	var steps []step
	for k, s := range l.steps {
		steps = append(steps, s)
		for _, i := range after[k] {
			steps = append(steps, step{stepPoint, i})
		}
	}
	l.steps = steps
}

// number tells the nodes where their steps are.
func (l *layout) number() {
	for k, s := range l.steps {
		n := &l.nodes[s.node]
		switch s.kind {
		case stepCall:
			n.call = k
		case stepPoint:
			n.point = k
		default:
			n.ret = k
		}
	}
}

// assignLanes gives each thread a lane, and another one wherever operations
// of it overlap.
func (l *layout) assignLanes() {
	type lane struct {
		nodes []int
		free  int // the step after which it is free
	}
	threads := map[string][]*lane{}
	for _, s := range l.steps {
		n := &l.nodes[s.node]
		if s.kind != stepCall || n.depth > 0 {
			continue
		}
		ls := threads[n.op.Thread]
		i := slices.IndexFunc(ls, func(x *lane) bool { return x.free < n.call })
		if i < 0 {
			i = len(ls)
			ls = append(ls, &lane{})
			threads[n.op.Thread] = ls
		}
		ls[i].nodes, ls[i].free = append(ls[i].nodes, s.node), n.ret
	}
	for _, t := range l.picture.lanes() {
		for _, x := range threads[t] {
			for _, i := range x.nodes {
				l.nodes[i].lane = len(l.lanes)
			}
			l.lanes = append(l.lanes, t)
		}
		if len(threads[t]) == 0 {
			l.lanes = append(l.lanes, t)
		}
	}
	for i := range l.nodes {
		if l.nodes[i].depth > 0 {
			l.nodes[i].lane = l.nodes[i-1].lane
		}
	}
}
