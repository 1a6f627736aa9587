package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Who has found an entry can claim it, before he does anything to it: one of two
// compare-and-swaps on a state of the entry fails.
//
//	v, ok := m.apps.Load(name)
//	if !ok || !v.(*app).state.CompareAndSwap(loaded, gone) { return errBusy }
//	m.apps.Delete(name)
//
// While it is there nobody else removes it, and so nobody puts a newer one there.

// claimed is why a violation is not shown that removes an entry after a claim of that.
func (e *Weigher) claimed(f *violation) string {
	if f.x.Several || f.x.Category != absint.StaleDelete {
		return ""
	}
	removes := func(a *register.Access) bool {
		return a.Writes && !putsEntry(f.Prog, a)
	}
	for _, a := range f.g.Accesses {
		if removes(a) && slices.ContainsFunc(f.g.Accesses, func(b *register.Access) bool { return f.claimsBetween(b, a) }) {
			return "one of two who found it has claimed it by a compare-and-swap"
		}
	}
	return ""
}

// claimsBetween reports whether a compare-and-swap on what one access has found decides
// whether another one happens.
func (f *violation) claimsBetween(found, removes *register.Access) bool {
	values := map[register.Local]bool{}
	for _, l := range found.Outcome {
		values[l] = true
	}
	delete(values, register.None)
	closeOver(f.Prog, values)
	tree := register.Dominators(f.Prog)
	for b, blk := range f.Prog.Blocks {
		if b == removes.Start.Block || !register.Dominates(tree, b, removes.Start.Block) || !returnsWithout(f.Prog, b, removes.Start.Block) {
			continue
		}
		for i := range blk.Instrs {
			if f.swapsOn(&blk.Instrs[i], values) && goesBy(blk, blk.Instrs[i].Pos) {
				return true
			}
		}
	}
	return false
}

// swapsOn reports whether an instruction is a compare-and-swap on a part of one of some
// values, which is another cell, or one that is not followed.
func (f *violation) swapsOn(in *register.Instr, values map[register.Local]bool) bool {
	switch in.Op {
	case register.CAS:
		return values[f.Prog.Cells[in.Cell].Map.Local]
	case register.Effect:
		return in.Effect().Name == register.OperationEffect(register.CAS) && uses(in, values)
	}
	return false
}

// goesBy reports whether a block ends in a branch that goes by the result of the call at a
// place.
func goesBy(blk *register.Block, pos register.Pos) bool {
	results := map[register.Local]bool{}
	for i := range blk.Instrs {
		switch in := &blk.Instrs[i]; {
		case (in.Op == register.Unknown || in.Op == register.CAS) && in.Pos == pos, in.Op == register.Pure && uses(in, results):
			in.Defs(func(l register.Local) { results[l] = true })
		}
	}
	delete(results, register.None)
	return blk.Term.Kind == register.Branch && results[blk.Term.Cond.Local]
}
