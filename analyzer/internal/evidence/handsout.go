package evidence

import (
	"go/types"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// handsOut reports whether the values that a group finds in its cell, or stores
// there, go anywhere: as a result, as an argument, or into other memory. If all
// that is done with them is to look at what they point to, and that is a value, it
// does not matter which one of two equal ones a goroutine has:
//
//	if h := b.hash.Load(); h != nil {
//		return *h
//	}
func (f *violation) handsOut() bool {
	held := map[register.Local]bool{}
	own := map[register.Ref]bool{}
	for _, a := range f.g.Accesses {
		for _, op := range a.Ops {
			own[op] = true
			in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
			if len(in.Dst) > 0 {
				held[in.Dst[0]] = true
			}
			for _, arg := range in.Args {
				held[f.N.Source(arg).Local] = true
			}
		}
	}
	delete(held, register.None)
	return f.goesOut(held, own)
}

// goesOut follows values through copies and choices; base operations that are
// own are no way out.
func (f *violation) goesOut(held map[register.Local]bool, own map[register.Ref]bool) bool {
	uses := func(visit func(func(register.Local))) (found bool) {
		visit(func(l register.Local) { found = found || held[l] })
		return found
	}
	for n := -1; n != len(held); {
		n = len(held)
		for b, blk := range f.Prog.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				switch {
				case own[register.Ref{Block: b, Instr: k}] || !uses(in.Uses):
				case in.Op == register.Copy, in.Op == register.Pure && in.Name == "choose":
					in.Defs(func(l register.Local) { held[l] = true })
				case in.Op != register.Pure || !onlyLooks(in.Name):
					return true
				}
			}
			if uses(blk.Term.Uses) && blk.Term.Kind != register.Branch {
				return true
			}
		}
	}
	return false
}

// onlyLooks reports whether a pure instruction says something about a pointer, or
// loads all that it points to.
func onlyLooks(name string) bool {
	return name == "eq" || name == "not" || ssaprog.HasAnyPrefix(name, []string{"load:", "is:"})
}

// storesMutable reports whether some value that the extension stores has
// state that its users change, and users get to see.
func (e *Weigher) storesMutable(f *violation) bool {
	for _, op := range f.x.Operations {
		t := e.judge.Source.Stored(op)
		if t == nil || !e.ps.Res.MutableValue(t) {
			continue
		}
		p, isPointer := types.Unalias(t).Underlying().(*types.Pointer)
		if !isPointer || e.ps.Res.MutableValue(p.Elem()) || f.handsOut() {
			return true
		}
	}
	return false
}
