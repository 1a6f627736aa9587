package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two ways out of a region that are too long for a tail may still go on with the same code, each
// with its own value: a method that was inlined twice is one place, wherever it was called.
//
//	if v, ok := m.Load(k); ok {
//		return v.(*picker).pick(list)
//	}
//	v, loaded := m.LoadOrStore(k, mine)
//	if loaded {
//		return v.(*picker).pick(list)
//	}

// maxAlike bounds the blocks that are compared.
const maxAlike = 200

// alike are two ways on as far as they have been compared.
type alike struct {
	*cutter
	defined []bool
	// to is the local of the second way for one of the first, and from the other way round.
	to, from map[register.Local]register.Local
	// met are the blocks that were compared, each with its own.
	met map[int]int
}

// follows are the locals of the way on from b that stand for some of the way on from a, if
// both do the same with them.
func (c *cutter) follows(a, b int, vals []register.Operand, defined []bool) ([]register.Operand, bool) {
	w := &alike{cutter: c, defined: defined, to: map[register.Local]register.Local{}, from: map[register.Local]register.Local{}, met: map[int]int{}}
	if c.open[a].Depth != c.open[b].Depth || !w.given(a) || !w.given(b) || !w.blocks(a, b) {
		return nil, false
	}
	var out []register.Operand
	for _, v := range vals {
		l, ok := w.to[v.Local]
		if !ok {
			return nil, false
		}
		out = append(out, register.L(l))
	}
	return out, true
}

// given pairs what a way on uses that was there before the region: it is the same on both.
func (w *alike) given(b int) bool {
	return !slices.ContainsFunc(w.whole.live().In(b, 0), func(l register.Local) bool { return !w.defined[l] && !w.pair(l, l) })
}

// blocks compares what follows from the beginning of two blocks.
func (w *alike) blocks(a, b int) bool {
	if other, known := w.met[a]; known {
		return other == b
	}
	if len(w.met) >= maxAlike {
		return false
	}
	w.met[a] = b
	if a == b {
		return w.same(a)
	}
	if w.in[a] || w.in[b] || w.cut(a) || w.cut(b) {
		return false
	}
	x, y := w.p.Blocks[a], w.p.Blocks[b]
	if len(x.Instrs) != len(y.Instrs) {
		return false
	}
	for i := range x.Instrs {
		if !w.instrs(&x.Instrs[i], &y.Instrs[i]) {
			return false
		}
	}
	return w.terms(&x.Term, &y.Term)
}

// same reports whether both ways come to a block with the same values.
func (w *alike) same(b int) bool {
	for _, l := range w.whole.live().In(b, 0) {
		if !w.pair(l, l) {
			return false
		}
	}
	return true
}

func (w *alike) instrs(x, y *register.Instr) bool {
	if x.Op != y.Op || x.Called != y.Called || x.Part != y.Part || x.Type != y.Type || x.Site() != y.Site() || len(x.Args) != len(y.Args) || len(x.Dst) != len(y.Dst) {
		return false
	}
	if x.IsBase() && !w.cells(x.Cell, y.Cell) {
		return false
	}
	for i := range x.Dst {
		if !w.pair(x.Dst[i], y.Dst[i]) {
			return false
		}
	}
	return w.operands(x.Args, y.Args)
}

// cells compares two cells, which have no operation of the region.
func (w *alike) cells(a, b int) bool {
	x, y := w.p.Cells[a], w.p.Cells[b]
	same := w.operands([]register.Operand{x.Map, x.Key}, []register.Operand{y.Map, y.Key})
	x.Map, x.Key, x.Label = y.Map, y.Key, y.Label
	return x == y && same && (a == b || !slices.Contains(w.cutter.cells, a) && !slices.Contains(w.cutter.cells, b))
}

func (w *alike) terms(x, y *register.Term) bool {
	if x.Kind != y.Kind || x.Label != y.Label || len(x.Vals) != len(y.Vals) || len(x.To) != len(y.To) {
		return false
	}
	if !w.operands(x.Vals, y.Vals) || x.Kind == register.Branch && !w.operands([]register.Operand{x.Cond}, []register.Operand{y.Cond}) {
		return false
	}
	for i := range x.To {
		if !w.blocks(x.To[i], y.To[i]) {
			return false
		}
	}
	return true
}

func (w *alike) operands(x, y []register.Operand) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i].Local == register.None || y[i].Local == register.None {
			if x[i] != y[i] {
				return false
			}
		} else if !w.pair(x[i].Local, y[i].Local) {
			return false
		}
	}
	return true
}

// pair notes that one local stands for another one.
func (w *alike) pair(a, b register.Local) bool {
	if a == register.None || b == register.None {
		return a == b
	}
	to, known := w.to[a]
	from, back := w.from[b]
	if known || back {
		return known && back && to == b && from == a
	}
	if w.defined[a] != w.defined[b] || w.p.TypeOf(a) != w.p.TypeOf(b) {
		return false
	}
	w.to[a], w.from[b] = b, a
	return true
}
