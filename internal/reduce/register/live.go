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
func (t *Term) Uses(f func(Local)) { EachLocal(t.Reads(), f) }

// Reads are the operands of the terminator.
func (t *Term) Reads() []Operand {
	switch t.Kind {
	case Branch:
		return []Operand{t.Cond}
	case Return, Panic:
		return t.Vals
	}
	return nil
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
	lv := &Liveness{prog: p, in: newLocalSets(n, len(p.Names)), out: newLocalSets(n, len(p.Names))}
	live := NewLocalSet(len(p.Names))
	// Backwards, most successors are known when a block's turn comes.
	for changed := true; changed; {
		changed = false
		for b := n - 1; b >= 0; b-- {
			for _, s := range p.Blocks[b].Term.To {
				lv.out[b].union(lv.in[s])
			}
			copy(live, lv.out[b])
			lv.goBack(live, b, 0)
			if lv.in[b].union(live) {
				changed = true
			}
		}
	}
	return lv
}

// liveOnEntry are those of some locals that are live at the start of each block, those
// that the cells of operations are made of among them. A local is in the sets under its
// number.
func liveOnEntry(p *Program, some *numbers) []LocalSet {
	live, kept := newLocalSets(len(p.Blocks), some.n), newLocalSets(len(p.Blocks), some.n)
	for b, blk := range p.Blocks {
		for w := range kept[b] {
			kept[b][w] = ^uint64(0)
		}
		add := func(l Local) {
			if at := some.of[l]; at >= 0 {
				live[b].Add(Local(at))
			}
		}
		blk.Term.Uses(add)
		for i := len(blk.Instrs) - 1; i >= 0; i-- {
			in := &blk.Instrs[i]
			for _, l := range in.Dst {
				if l != None && some.of[l] >= 0 {
					live[b].Remove(Local(some.of[l]))
					kept[b].Remove(Local(some.of[l]))
				}
			}
			in.Uses(add)
			if in.IsBase() {
				EachLocal([]Operand{p.Cells[in.Cell].Map, p.Cells[in.Cell].Key}, add)
			}
		}
	}
	order := ReversePostorder(p)
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order) {
			for _, s := range p.Blocks[b].Term.To {
				for w, after := range live[s] {
					if more := after & kept[b][w] &^ live[b][w]; more != 0 {
						live[b][w], changed = live[b][w]|more, true
					}
				}
			}
		}
	}
	return live
}

// numbers are some of the locals of a program, in the order in which they were added:
// a set of them for each block takes a tenth of what one of all locals does.
type numbers struct {
	of []int32 // of the others, -1
	n  int
}

func newNumbers(p *Program) *numbers {
	some := &numbers{of: make([]int32, len(p.Names))}
	for l := range some.of {
		some.of[l] = -1
	}
	return some
}

func (some *numbers) add(l Local) {
	if some.of[l] < 0 {
		some.of[l] = int32(some.n)
		some.n++
	}
}

// In lists the locals that are live before instruction instr of the block,
// ascending. The number of instructions stands for the terminator.
func (lv *Liveness) In(block, instr int) []Local { return lv.before(block, instr).list() }

// Has reports whether l is live before instruction instr of the block.
func (lv *Liveness) Has(l Local, block, instr int) bool { return lv.before(block, instr).Has(l) }

// before walks from the block's end back to just before instruction instr.
func (lv *Liveness) before(block, instr int) LocalSet {
	live := lv.out[block].clone()
	lv.goBack(live, block, instr)
	return live
}

// goBack turns what is live at the end of a block into what is before an instruction.
func (lv *Liveness) goBack(live LocalSet, block, instr int) {
	blk := lv.prog.Blocks[block]
	blk.Term.Uses(live.Add)
	for i := len(blk.Instrs) - 1; i >= instr; i-- {
		blk.Instrs[i].Defs(live.Remove)
		blk.Instrs[i].Uses(live.Add)
	}
}

// localSet is a set of locals, one bit each.
type LocalSet []uint64

func NewLocalSet(n int) LocalSet { return make(LocalSet, (n+63)/64) }

// newLocalSets makes several sets for n locals, next to each other.
func newLocalSets(sets, n int) []LocalSet {
	words := (n + 63) / 64
	all, out := make(LocalSet, sets*words), make([]LocalSet, sets)
	for i := range out {
		out[i] = all[i*words : (i+1)*words : (i+1)*words]
	}
	return out
}

func (s LocalSet) Add(l Local)      { s[l/64] |= 1 << (l % 64) }
func (s LocalSet) Remove(l Local)   { s[l/64] &^= 1 << (l % 64) }
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

// AsksForNil reports whether a program asks whether a local is nil.
func AsksForNil(p *Program, l Local) bool {
	return slices.ContainsFunc(p.Blocks, func(b *Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in Instr) bool {
			return in.Op == Pure && in.Name == "eq" && slices.Contains(in.Args, L(l)) && slices.Contains(in.Args, Lit(LitNil))
		})
	})
}

// AddCopies adds the locals that are copies of some on some path.
func AddCopies(p *Program, of LocalSet) {
	for changed := true; changed; {
		changed = false
		for _, b := range p.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if in.Op == Copy && in.Dst[0] != None && in.Args[0].Local != None && of.Has(in.Args[0].Local) && !of.Has(in.Dst[0]) {
					of.Add(in.Dst[0])
					changed = true
				}
			}
		}
	}
}

// FoundIn is what operations of a program find, and what is made of that.
func FoundIn(p *Program) LocalSet {
	found := NewLocalSet(len(p.Names))
	for grown := true; grown; {
		grown = false
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				follows := in.IsBase()
				in.Uses(func(l Local) { follows = follows || found.Has(l) })
				in.Defs(func(l Local) {
					if follows && !found.Has(l) {
						found.Add(l)
						grown = true
					}
				})
			}
		}
	}
	return found
}
