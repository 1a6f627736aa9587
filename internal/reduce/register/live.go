package register

import (
	"math/bits"
	"slices"
)

// Uses calls f for each local that the instruction reads, in order.
//
// The map and key of a base operation's cell are not among them. They say
// which cell it is and are settled before the program runs; who cuts a region
// out of a function has to look at Cells as well.
func (in *Instr) Uses(f func(Local)) { EachLocal(in.Args, f) }

// Defs calls f for each local that the instruction assigns, in order.
func (in *Instr) Defs(f func(Local)) {
	for _, d := range in.Dst {
		if d != None {
			f(d)
		}
	}
}

// Uses calls f for each local that the terminator reads, in order.
func (t *Term) Uses(f func(Local)) {
	switch t.Kind {
	case Branch:
		EachLocal([]Operand{t.Cond}, f)
	case Return, Panic:
		EachLocal(t.Vals, f)
	}
}

func EachLocal(args []Operand, f func(Local)) {
	for _, a := range args {
		if a.Local != None {
			f(a.Local)
		}
	}
}

// Liveness knows which locals are live where: those whose value some path
// from there reads before it assigns them again. Like Uses it does not count
// the maps and keys of cells.
type Liveness struct {
	prog *Program
	in   []LocalSet // on entry to each block
	out  []LocalSet // on its exit, before the edges are taken
}

// Live computes the liveness of all locals of p. Later changes of p are not
// seen.
func Live(p *Program) *Liveness {
	n := len(p.Blocks)
	lv := &Liveness{prog: p, in: make([]LocalSet, n), out: make([]LocalSet, n)}
	for b := range p.Blocks {
		lv.in[b], lv.out[b] = NewLocalSet(len(p.Names)), NewLocalSet(len(p.Names))
	}
	// Backwards, most successors are known when a block's turn comes.
	for changed := true; changed; {
		changed = false
		for b := n - 1; b >= 0; b-- {
			for _, s := range p.Blocks[b].Term.To {
				lv.out[b].union(lv.in[s])
			}
			if lv.in[b].union(lv.before(b, 0)) {
				changed = true
			}
		}
	}
	return lv
}

// In lists the locals that are live before instruction instr of the block,
// ascending. The number of instructions stands for the terminator.
func (lv *Liveness) In(block, instr int) []Local { return lv.before(block, instr).list() }

// Has reports whether l is live before instruction instr of the block.
func (lv *Liveness) Has(l Local, block, instr int) bool { return lv.before(block, instr).Has(l) }

// before walks from the block's end back to just before instruction instr.
func (lv *Liveness) before(block, instr int) LocalSet {
	blk := lv.prog.Blocks[block]
	live := lv.out[block].clone()
	blk.Term.Uses(live.Add)
	for i := len(blk.Instrs) - 1; i >= instr; i-- {
		blk.Instrs[i].Defs(live.remove)
		blk.Instrs[i].Uses(live.Add)
	}
	return live
}

// localSet is a set of locals, one bit each.
type LocalSet []uint64

func NewLocalSet(n int) LocalSet { return make(LocalSet, (n+63)/64) }

func (s LocalSet) Add(l Local)      { s[l/64] |= 1 << (l % 64) }
func (s LocalSet) remove(l Local)   { s[l/64] &^= 1 << (l % 64) }
func (s LocalSet) Has(l Local) bool { return s[l/64]&(1<<(l%64)) != 0 }

func (s LocalSet) clone() LocalSet { return append(LocalSet(nil), s...) }

// union adds all of t and reports whether that changed s.
func (s LocalSet) union(t LocalSet) bool {
	changed := false
	for i, w := range t {
		changed = changed || w&^s[i] != 0
		s[i] |= w
	}
	return changed
}

// intersect keeps what t has as well and reports whether that changed s.
func (s LocalSet) intersect(t LocalSet) bool {
	changed := false
	for i, w := range t {
		changed = changed || s[i]&^w != 0
		s[i] &= w
	}
	return changed
}

func (s LocalSet) list() []Local {
	var out []Local
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			out = append(out, Local(i*64+bits.TrailingZeros64(w)))
		}
	}
	return out
}

// OnlyDef is the one instruction that assigns l; nil if there are more, or
// none.
func (p *Program) OnlyDef(l Local) *Instr {
	if slices.Contains(p.Params, l) {
		return nil
	}
	var def *Instr
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if slices.Contains(b.Instrs[i].Dst, l) {
				if def != nil {
					return nil
				}
				def = &b.Instrs[i]
			}
		}
	}
	return def
}

// DefCounts counts the assignments to each local; that of a parameter by the caller is
// one of them.
func DefCounts(p *Program) []int {
	counts := make([]int, len(p.Names))
	for _, l := range p.Params {
		counts[l]++
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(func(l Local) { counts[l]++ })
		}
	}
	return counts
}
