package calls

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Captured is what a free variable of a closure stands for in the function around it;
// nil if v is none, or that is not known.
func Captured(v ssa.Value) ssa.Value {
	fv, ok := v.(*ssa.FreeVar)
	if !ok {
		return nil
	}
	mc := Creation(fv.Parent())
	i := slices.Index(fv.Parent().FreeVars, fv)
	if mc == nil || i < 0 || i >= len(mc.Bindings) {
		return nil
	}
	return mc.Bindings[i]
}

// Creation is the one place where a function literal becomes a closure; nil for
// other functions, and for a literal that is used in any other way.
func Creation(fn *ssa.Function) *ssa.MakeClosure {
	if fn.Parent() == nil || fn.Referrers() == nil {
		return nil
	}
	var only *ssa.MakeClosure
	for _, ref := range *fn.Referrers() {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok || mc.Fn != ssa.Value(fn) || only != nil {
			return nil
		}
		only = mc
	}
	return only
}
