package reduce

import "slices"

// startValues gives locals that hold a literal whenever the region is entered that
// value there. They are assigned again inside, so that they are not known
// throughout: the counter of a loop that gives up after some rounds begins with the
// first of them, and not in the last one.
func (c *cutter) startValues(out *Program) {
	if c.start.Block == 0 || c.start.Instr > 0 || c.cut(c.start.Block) {
		return
	}
	known := copiesOnEntry(c.p)
	var at *copies
	for b, blk := range c.p.Blocks {
		if c.in[b] || known[b] == nil || !slices.Contains(blk.Term.To, c.start.Block) {
			continue
		}
		end := known[b].clone()
		for i := range blk.Instrs {
			end.step(&blk.Instrs[i])
		}
		if at == nil {
			at = end
		} else {
			at.meet(end)
		}
	}
	if at == nil {
		return
	}
	var start []Instr
	for l := range Local(len(c.p.Names)) {
		if v, ok := at.of[l]; ok && v.IsLit() {
			start = append(start, Instr{Op: Copy, Dst: []Local{l}, Args: []Operand{v}})
		}
	}
	out.Blocks[0].Instrs = append(start, out.Blocks[0].Instrs...)
}
