package reduce

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

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
