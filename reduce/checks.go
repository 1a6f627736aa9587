package reduce

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// pruneChecks drops the checks for nil of values that no cell ever held: what
// happens when the receiver is nil does not depend on the environment. And it
// drops those that come after a check of the same value. It is for programs
// without calls: an argument may come from a cell.
func pruneChecks(p *register.Program) (pruned bool) {
	shared, tree, defs := fromCells(p), register.Dominators(p), register.DefCounts(p)
	checks := map[register.Local][]int{}
	for _, b := range register.ReversePostorder(p) {
		blk := p.Blocks[b]
		l, ok := checked(p, blk)
		if !ok {
			continue
		}
		before := func(a int) bool { return defs[l] <= 1 && register.Dominates(tree, a, b) }
		if !shared.Has(l) || slices.ContainsFunc(checks[l], before) {
			pruned = true
			blk.Instrs = blk.Instrs[:len(blk.Instrs)-1]
			blk.Term = register.Term{Kind: register.Jump, To: blk.Term.To[1:], Pos: blk.Term.Pos}
			continue
		}
		checks[l] = append(checks[l], b)
	}
	return pruned
}

// checked is the local whose check for nil ends a block.
func checked(p *register.Program, blk *register.Block) (register.Local, bool) {
	n := len(blk.Instrs)
	if blk.Term.Kind != register.Branch || n == 0 || !isNilCrash(p.Blocks[blk.Term.To[0]]) {
		return register.None, false
	}
	cmp := &blk.Instrs[n-1]
	if cmp.Op != register.Pure || cmp.Name != "eq" || cmp.Args[1] != register.Lit(register.LitNil) || blk.Term.Cond != register.L(cmp.Dst[0]) {
		return register.None, false
	}
	l := cmp.Args[0].Local
	return l, l != register.None
}

// isNilCrash reports whether a block is the panic of a check for nil.
func isNilCrash(b *register.Block) bool {
	return len(b.Instrs) == 0 && b.Term.Kind == register.Panic && len(b.Term.Vals) == 0 && b.Term.Label != register.Panicked
}

// isClosure reports whether an instruction makes a function value, which is not nil
// whatever it captures.
func isClosure(in *register.Instr) bool { return strings.HasPrefix(in.Name, register.Closure) }

// fromCells are the locals computed from the content of a cell.
func fromCells(p *register.Program) register.LocalSet {
	set := register.NewLocalSet(len(p.Names))
	for changed := true; changed; {
		changed = false
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				hit := in.IsBase() || in.Op == register.Call
				if in.Op == register.Copy || in.Op == register.Pure && !isClosure(in) {
					in.Uses(func(l register.Local) { hit = hit || set.Has(l) })
				}
				if !hit {
					continue
				}
				in.Defs(func(l register.Local) {
					if !set.Has(l) {
						set.Add(l)
						changed = true
					}
				})
			}
		}
	}
	return set
}
