package ownership

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
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
		if !ok || e.ps.InPlainSight(fn) || e.usesAfter(a, mc, 0) {
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
			if info := e.ps.Res.Call(ref.Parent(), ref); info.Kind == calls.Base && info.Base.Kind == calls.BaseLoad {
				return false
			}
			return ref.(ssa.Instruction) == at || ways.Follows(at, ref)
		}
		return false
	})
}
