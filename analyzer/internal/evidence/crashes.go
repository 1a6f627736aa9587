package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What others remove is gone, and who goes on with it panics. What is in an object, or in a list, is
// something else: that it is nil takes somebody who puts a nil there, and not somebody who comes in
// between.
//
//	for _, s := range c.sessions() {
//		s.close() // if an element is nil, it is so for anybody
//	}

// panicsInside is why a panic may not be what others bring about: what is nil is a part of what was
// found.
func (e *Weigher) panicsInside(v *violation) string {
	end := v.x.Witness.Result
	if v.x.Category != absint.Crash || end.Label == register.Panicked {
		return ""
	}
	found, inside := v.foundItself(), false
	for _, blk := range v.x.Region.Blocks {
		if blk.Term.Kind != register.Branch || !slices.ContainsFunc(blk.Term.To, func(to int) bool { return v.panicsWith(to, end.Label) }) {
			continue
		}
		x, ok := comparedWithNil(v.x.Region, blk.Term.Cond)
		if !ok || found[x] {
			return ""
		}
		inside = true
	}
	return when(inside, "what is nil is a part of what it has found")
}

// panicsWith reports whether a block of the region does nothing but to panic with a label.
func (v *violation) panicsWith(block int, label string) bool {
	t := v.x.Region.Blocks[block].Term
	return t.Kind == register.Panic && t.Label == label
}

// comparedWithNil is what a condition compares with nil.
func comparedWithNil(p *register.Program, cond register.Operand) (register.Local, bool) {
	if cond.IsLit() || cond.IsNone() {
		return register.None, false
	}
	def := p.OnlyDef(cond.Local)
	if def == nil || def.Op != register.Pure || def.Name != "eq" {
		return register.None, false
	}
	for i, arg := range def.Args {
		if other := def.Args[1-i]; arg.IsLit() && arg.Lit == register.LitNil && !other.IsLit() {
			return other.Local, true
		}
	}
	return register.None, false
}

// foundItself are the values that a region has from its cells, and not from anything in those.
func (v *violation) foundItself() map[register.Local]bool {
	found := map[register.Local]bool{}
	for _, blk := range v.x.Region.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() && len(in.Dst) > 0 {
				found[in.Dst[0]] = true
			}
		}
	}
	delete(found, register.None)
	passOn(v.x.Region, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && in.Memory().Kind == register.NoMemory
	})
	return found
}
