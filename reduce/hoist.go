package reduce

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// maxHoist bounds the instructions taken into a region from before it.
const maxHoist = 40

// hoist copies into the entry of the region what its values are made of before it
// begins: allocations that p makes in one place, and pure functions that lead to what
// the region uses. So a spare that is built early is an identity of this call, and
// what was asked of an argument before is known to be about that argument. Keys stay
// parameters; of a map, what it was reached from.
func (c *cutter) hoist(out *register.Program) *hoister {
	h := &hoister{
		c: c, defs: c.whole.defs(), cyclic: make([]bool, len(c.p.Blocks)), after: map[int][]bool{},
		done: register.NewLocalSet(len(out.Names)), defined: register.NewLocalSet(len(out.Names)),
	}
	for _, l := range c.whole.loops() {
		for _, b := range l.Blocks {
			h.cyclic[b] = true
		}
	}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(h.defined.Add)
		}
	}
	for _, cell := range out.Cells {
		register.EachLocal([]register.Operand{cell.Key}, h.done.Add)
	}
	for _, cell := range out.Cells {
		h.bring(cell.Map)
		register.EachLocal([]register.Operand{cell.Map}, h.done.Add)
	}
	for _, b := range out.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Uses(func(l register.Local) { h.bring(register.L(l)) })
		}
		b.Term.Uses(func(l register.Local) { h.bring(register.L(l)) })
	}
	out.Blocks[0].Instrs = append(h.instrs, out.Blocks[0].Instrs...)
	h.instrs = nil
	return h
}

type hoister struct {
	c    *cutter
	defs *definitions
	// cyclic are the blocks of loops.
	cyclic []bool
	// after are, of a block, those that can come after it, see settled.
	after   map[int][]bool
	done    register.LocalSet
	defined register.LocalSet
	instrs  []register.Instr
}

// bring copies the definition of o, after those of its operands.
func (h *hoister) bring(o register.Operand) {
	l := o.Local
	if l == register.None || h.defined.Has(l) || h.done.Has(l) || len(h.instrs) > maxHoist {
		return
	}
	h.done.Add(l)
	def := h.defs.in[l]
	if def == nil || h.defs.count[l] > 1 || def.Op != register.Fresh && def.Op != register.Pure && def.Op != register.Copy || !h.current(l, def) {
		return
	}
	for _, a := range def.Args {
		h.bring(a)
	}
	in := *def
	in.Dst, in.Args = slices.Clone(def.Dst), slices.Clone(def.Args)
	for _, d := range in.Dst {
		if d != register.None && d != l && (h.defined.Has(d) || h.done.Has(d)) {
			return // another result of it is already there
		}
	}
	in.Defs(h.done.Add)
	h.instrs = append(h.instrs, in)
}

// current reports whether the definition of l, computed where the region begins, gives
// what it gave where it stands: no operand is assigned in between. If it stands on
// every way to the region, it comes after the last assignment to each; if it is in no
// loop, it is computed once.
func (h *hoister) current(l register.Local, def *register.Instr) bool {
	at := h.defs.block[l]
	for _, a := range def.Args {
		if a.Local != register.None && h.defs.count[a.Local] > 1 && !h.settled(a.Local, at) {
			return false
		}
	}
	return register.Dominates(h.c.tree, at, h.c.start.Block) || !h.cyclic[at]
}

// settled reports whether a local that several blocks assign is not assigned any more from
// block b on: what two ways give that have met.
func (h *hoister) settled(l register.Local, b int) bool {
	after := h.after[b]
	if after == nil {
		after = make([]bool, len(h.c.p.Blocks))
		after[b] = true
		for work := []int{b}; len(work) > 0; {
			from := work[len(work)-1]
			work = work[:len(work)-1]
			for _, to := range h.c.p.Blocks[from].Term.To {
				if !after[to] {
					after[to] = true
					work = append(work, to)
				}
			}
		}
		h.after[b] = after
	}
	return !slices.ContainsFunc(h.defs.several[l], func(at int) bool { return after[at] })
}

// startValues gives locals that hold a literal whenever the region is entered that
// value there, or that of a parameter of the region. They are assigned again inside, so that
// they are not known throughout: the counter of a loop that gives up after some rounds begins
// with the first of them, and not in the last one; a variable that a closure has is what the
// function was given until it is assigned.
func (c *cutter) startValues(out *register.Program) {
	defined, keys := register.DefCounts(out), register.NewLocalSet(len(out.Names))
	for _, l := range out.Params {
		defined[l]--
	}
	for _, cell := range out.Cells {
		register.EachLocal([]register.Operand{cell.Key, cell.Map}, keys.Add)
	}
	known := c.knownAtStart()
	var start []register.Instr
	for _, l := range slices.Sorted(maps.Keys(known)) {
		if is := known[l]; is.IsLit() || defined[is.Local] == 0 && !keys.Has(l) && c.whole.defs().count[is.Local] <= 1 {
			start = append(start, register.Instr{Op: register.Copy, Dst: []register.Local{l}, Args: []register.Operand{is}})
		}
	}
	out.Blocks[0].Instrs = append(start, out.Blocks[0].Instrs...)
}

// knownAtStart is what locals hold whenever the region is entered, as far as they are
// copies.
func (c *cutter) knownAtStart() map[register.Local]register.Operand {
	known := c.whole.copies()
	if c.start.Block == 0 || c.start.Instr > 0 || c.cut(c.start.Block) {
		if known[c.start.Block] == nil {
			return nil
		}
		return known[c.start.Block].Before(c.p, c.start)
	}
	var at map[register.Local]register.Operand
	for b, blk := range c.p.Blocks {
		if c.in[b] || known[b] == nil || !slices.Contains(blk.Term.To, c.start.Block) {
			continue
		}
		end := known[b].Before(c.p, register.Ref{Block: b, Instr: len(blk.Instrs)})
		if at == nil {
			at = end
		}
		maps.DeleteFunc(at, func(l register.Local, v register.Operand) bool { return end[l] != v })
	}
	return at
}
