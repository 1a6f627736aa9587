package ssaprog

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
)

// A function can hand out a literal for the time when its work is to be undone: it returns
// it, puts it into a field, or gives it to somebody who calls back.
//
//	func (r *Registry) Register(name string, c *Check) (unregister func()) {
//		...
//		return func() { ... delete(r.checks, name) }
//	}

// handsOut reports whether all that becomes of a literal is that it is handed out, to be called
// when the function is done or at any time. What is called in it, or in what it calls, is a
// part of it; what a goroutine or a timer gets is known by these.
func (ps *Programs) handsOut(literal *ssa.MakeClosure) bool {
	fn, ok := literal.Fn.(*ssa.Function)
	if !ok || fn.Parent() != literal.Parent() || !ps.Touches(fn) || ps.InPlainSight(fn) {
		return false
	}
	found := false
	for _, ref := range *literal.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			continue
		}
		if !ps.takes(ref, literal) {
			return false
		}
		found = true
	}
	return found
}

// takes reports whether an instruction hands a literal to somebody.
func (ps *Programs) takes(ref ssa.Instruction, literal *ssa.MakeClosure) bool {
	switch ref := ref.(type) {
	case *ssa.Return:
		return true
	case *ssa.Store:
		return ref.Val == ssa.Value(literal)
	case *ssa.ChangeType:
		return !slices.ContainsFunc(*ref.Referrers(), func(next ssa.Instruction) bool {
			_, isReturn := next.(*ssa.Return)
			_, isStore := next.(*ssa.Store)
			return !isReturn && !isStore
		})
	case *ssa.Call:
		kind := ps.Res.Call(ref.Parent(), ref).Kind
		return ref.Call.Value != ssa.Value(literal) && ps.Res.timed(ref) == nil && calls.Started(ref) == nil &&
			(kind == calls.Inline || kind == calls.Unknown)
	}
	return false
}
