package judge

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two calls that draw by lot do not make the same, whatever they are given: a password, a number that is picked.

// storesDrawn reports whether a group of accesses stores something that is drawn by lot.
func storesDrawn(f *rivals.Function, g extension.Group) bool {
	return slices.ContainsFunc(g.Accesses, func(a *register.Access) bool {
		return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			val, ok := StoredOperand(&f.Prog.Blocks[op.Block].Instrs[op.Instr])
			return ok && IsDrawn(f.Prog, val)
		})
	})
}

// IsDrawn reports whether a value is made from one that is drawn by lot, or from memory that is filled so.
func IsDrawn(p *register.Program, op register.Operand) bool {
	if op.IsLit() || op.IsNone() {
		return false
	}
	parts := madeFrom(p, op)
	isPart := func(l register.Local) bool { return parts[l] }
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			switch {
			case !in.Drawn:
				return false
			case in.Op == register.Effect:
				return slices.ContainsFunc(in.Args, func(arg register.Operand) bool { return !arg.IsLit() && parts[arg.Local] })
			}
			return slices.ContainsFunc(in.Dst, isPart)
		})
	})
}

// madeFrom are a value and all that it is made from.
func madeFrom(p *register.Program, op register.Operand) map[register.Local]bool {
	parts := map[register.Local]bool{op.Local: true}
	for n := 0; n != len(parts); {
		n = len(parts)
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				if in.IsBase() || !slices.ContainsFunc(in.Dst, func(l register.Local) bool { return parts[l] }) {
					continue
				}
				for _, arg := range in.Args {
					parts[arg.Local] = parts[arg.Local] || !arg.IsLit() && !arg.IsNone()
				}
			}
		}
	}
	return parts
}
