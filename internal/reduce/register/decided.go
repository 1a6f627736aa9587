package register

// A function that says on each way what it found, and a caller that asks:
//
//	if !f() { … } // f: if a { return false }; …; return true
//
// become, when f is inlined, blocks that assign a literal and jump to one that
// branches on it. Each of them knows the way: without that, what follows the last
// operation would seem to go both ways.

// goDecided lets blocks jump to where the branch leads that they jump to, if what
// it asks is a literal that they assign. It reports whether anything changed.
func GoDecided(p *Program) bool {
	changed := false
	for b, blk := range p.Blocks {
		if blk.Term.Kind != Jump {
			continue
		}
		to := blk.Term.To[0]
		next := p.Blocks[to]
		if to == b || len(next.Instrs) > 0 || next.Term.Kind != Branch || next.Term.Cond.IsLit() {
			continue
		}
		switch lastAssigned(blk, next.Term.Cond.Local) {
		case Lit(LitTrue):
			blk.Term.To, changed = []int{next.Term.To[0]}, true
		case Lit(LitFalse):
			blk.Term.To, changed = []int{next.Term.To[1]}, true
		}
	}
	return changed
}

// lastAssigned is the operand of the copy that assigns l last in a block;
// NoOperand if it is assigned in another way, or not at all.
func lastAssigned(blk *Block, l Local) Operand {
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := &blk.Instrs[i]
		assigns := false
		in.Defs(func(d Local) { assigns = assigns || d == l })
		switch {
		case assigns && in.Op == Copy:
			return in.Args[0]
		case assigns:
			return NoOperand
		}
	}
	return NoOperand
}
