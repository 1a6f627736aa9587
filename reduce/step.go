package reduce

import "slices"

// Step turns a region into what others can tell of it when it runs in one
// piece: what it does to its cells, and what it was shown there. Its exits
// become one, which returns what each operation gave where that was used.
// Its effects, its results, and the branches that choose between these are
// gone. p is changed in place, and has to be in region form.
func Step(p *Program) error {
	dropEffects(p)
	shown := keepShown(p)
	exit := len(p.Blocks)
	for _, blk := range p.Blocks {
		if len(blk.Term.To) == 0 {
			blk.Term = Term{Kind: Jump, To: []int{exit}, Pos: blk.Term.Pos}
		}
	}
	p.Blocks = append(p.Blocks, &Block{Term: Term{Kind: Return, Vals: shown}})
	s := &slicer{p: p, flow: NewFlow(p)}
	s.collapse()
	finish(p, parameters)
	return Check(p)
}

func dropEffects(p *Program) {
	for _, blk := range p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in Instr) bool { return in.Op == Effect })
	}
}

// keepShown saves the results of each operation that are in use in a local of
// their own, and returns these. What was not shown, because the way did not
// lead there, is LitUnseen.
func keepShown(p *Program) []Operand {
	var shown []Operand
	var initial []Instr
	for _, blk := range p.Blocks {
		var out []Instr
		for _, in := range blk.Instrs {
			out = append(out, in)
			if !in.IsBase() {
				continue
			}
			in.Defs(func(l Local) {
				saw := p.NewLocal("shown")
				shown = append(shown, L(saw))
				initial = append(initial, Instr{Op: Copy, Dst: []Local{saw}, Args: []Operand{Lit(LitUnseen)}})
				out = append(out, Instr{Op: Copy, Dst: []Local{saw}, Args: []Operand{L(l)}, Pos: in.Pos})
			})
		}
		blk.Instrs = out
	}
	entry := p.Blocks[0]
	if len(Preds(p)[0]) > 0 {
		// The entry is the head of a loop: move it, so that what was shown
		// in an earlier round is not forgotten.
		p.Blocks = append(p.Blocks, entry)
		for _, blk := range p.Blocks {
			for i, to := range blk.Term.To {
				if to == 0 {
					blk.Term.To[i] = len(p.Blocks) - 1
				}
			}
		}
		entry = &Block{Term: Term{Kind: Jump, To: []int{len(p.Blocks) - 1}}}
		p.Blocks[0] = entry
	}
	entry.Instrs = append(initial, entry.Instrs...)
	return shown
}
