package analyzer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// A local variable that a returned or started literal captures lives on in that
// literal, and nobody else can reach it: a memo in a closure. It is a map of
// the package then, as if it were a field of an object that the literal is the
// only method of.

// local starts from such a variable. What its function does before there is a
// literal that has it is setting up; what it does afterwards would be one more
// thread, which nothing else here knows of.
func (e *escapes) local(root string, a *ssa.Alloc) {
	e.follow(e.begin(root, a))
	if a.Referrers() == nil {
		return
	}
	for _, ref := range *a.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		fn, ok := mc.Fn.(*ssa.Function)
		if !ok || e.ps.inPlainSight(fn) || e.usesAfter(a, mc, 0) {
			e.leak(root, "the function that made it uses it as well")
		}
	}
}

// usesAfter reports whether what v leads to is used after the instruction at,
// other than to look.
func (e *escapes) usesAfter(v ssa.Value, at ssa.Instruction, depth int) bool {
	if depth > 4 {
		return true
	}
	return slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.FieldAddr, *ssa.IndexAddr:
			return e.usesAfter(ref.(ssa.Value), at, depth+1)
		case ssa.CallInstruction:
			if info := e.ps.res.Call(ref.Parent(), ref); info.Kind == reduce.CallBase && info.Base.Kind == reduce.BaseLoad {
				return false
			}
			return follows(at, ref)
		}
		return false
	})
}

// follows reports whether b can run after a, in one run of their function.
func follows(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		for _, in := range a.Block().Instrs {
			if in == a {
				return true
			}
			if in == b {
				break
			}
		}
	}
	return blockReaches(a.Block(), b.Block(), nil)
}

// blockReaches reports whether there is a way of at least one edge between two
// blocks that does not go through a third.
func blockReaches(from, to, avoid *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := slices.Clone(from.Succs)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b == avoid {
			continue
		}
		if seen[b] = true; b == to {
			return true
		}
		work = append(work, b.Succs...)
	}
	return false
}
