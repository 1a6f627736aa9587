package reduce

import "slices"

// pruneChecks drops the checks for nil of values that no cell ever held: what
// happens when the receiver is nil does not depend on the environment. And it
// drops those that come after a check of the same value. It is for programs
// without calls: an argument may come from a cell.
func pruneChecks(p *Program) {
	shared, tree, defs := fromCells(p), Dominators(p), defCounts(p)
	checks := map[Local][]int{}
	for _, b := range ReversePostorder(p) {
		blk := p.Blocks[b]
		l, ok := checked(p, blk)
		if !ok {
			continue
		}
		before := func(a int) bool { return defs[l] <= 1 && Dominates(tree, a, b) }
		if !shared.has(l) || slices.ContainsFunc(checks[l], before) {
			blk.Instrs = blk.Instrs[:len(blk.Instrs)-1]
			blk.Term = Term{Kind: Jump, To: blk.Term.To[1:], Pos: blk.Term.Pos}
			continue
		}
		checks[l] = append(checks[l], b)
	}
}

// checked is the local whose check for nil ends a block.
func checked(p *Program, blk *Block) (Local, bool) {
	n := len(blk.Instrs)
	if blk.Term.Kind != Branch || n == 0 || !isNilCrash(p.Blocks[blk.Term.To[0]]) {
		return None, false
	}
	cmp := &blk.Instrs[n-1]
	if cmp.Op != Pure || cmp.Name != "eq" || cmp.Args[1] != Lit(LitNil) || blk.Term.Cond != L(cmp.Dst[0]) {
		return None, false
	}
	l := cmp.Args[0].Local
	return l, l != None
}

// isNilCrash reports whether a block is the panic of a check for nil.
func isNilCrash(b *Block) bool {
	return len(b.Instrs) == 0 && b.Term.Kind == Panic && len(b.Term.Vals) == 0 && b.Term.Label != "panic"
}

// fromCells are the locals computed from the content of a cell.
func fromCells(p *Program) localSet {
	set := newLocalSet(len(p.Names))
	for changed := true; changed; {
		changed = false
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				hit := in.IsBase() || in.Op == Call
				if in.Op == Copy || in.Op == Pure {
					in.Uses(func(l Local) { hit = hit || set.has(l) })
				}
				if !hit {
					continue
				}
				in.Defs(func(l Local) {
					if !set.has(l) {
						set.add(l)
						changed = true
					}
				})
			}
		}
	}
	return set
}
