package reduce

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// startValues gives locals that hold a literal whenever the region is entered that
// value there. They are assigned again inside, so that they are not known
// throughout: the counter of a loop that gives up after some rounds begins with the
// first of them, and not in the last one.
func (c *cutter) startValues(out *register.Program) {
	if c.start.Block == 0 || c.start.Instr > 0 || c.cut(c.start.Block) {
		return
	}
	known := c.whole.copies()
	var at map[register.Local]register.Operand
	for b, blk := range c.p.Blocks {
		if c.in[b] || known[b] == nil || !slices.Contains(blk.Term.To, c.start.Block) {
			continue
		}
		end := known[b].After(c.p, b).Literals()
		if at == nil {
			at = end
		}
		maps.DeleteFunc(at, func(l register.Local, v register.Operand) bool { return end[l] != v })
	}
	var start []register.Instr
	for _, l := range slices.Sorted(maps.Keys(at)) {
		start = append(start, register.Instr{Op: register.Copy, Dst: []register.Local{l}, Args: []register.Operand{at[l]}})
	}
	out.Blocks[0].Instrs = append(start, out.Blocks[0].Instrs...)
}
