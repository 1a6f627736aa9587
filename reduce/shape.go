package reduce

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Shapes that the SSA builder gives to what the source says.

// isPhi reports whether a block begins with a phi.
func isPhi(instrs []ssa.Instruction) bool {
	if len(instrs) == 0 {
		return false
	}
	_, ok := instrs[0].(*ssa.Phi)
	return ok
}

// onlyStoredTo is the value stored at addr, if that is all that is done there.
func onlyStoredTo(addr ssa.Value) ssa.Value {
	var val ssa.Value
	for _, ref := range *addr.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || val != nil || st.Val == addr {
			return nil
		}
		val = st.Val
	}
	return val
}

// variadicElems are the arguments that the SSA builder put in an array to
// pass them to a variadic function; false if a is no such array.
func variadicElems(a *ssa.Alloc) ([]ssa.Value, bool) {
	array, ok := pointee(a.Type()).Underlying().(*types.Array)
	if !ok || a.Comment != "varargs" {
		return nil, false
	}
	elems := make([]ssa.Value, array.Len())
	for _, ref := range *a.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Slice, *ssa.DebugRef:
		case *ssa.IndexAddr:
			c, isConst := ref.Index.(*ssa.Const)
			val := onlyStoredTo(ref)
			if !isConst || val == nil || c.Int64() >= int64(len(elems)) {
				return nil, false
			}
			elems[c.Int64()] = val
		default:
			return nil, false
		}
	}
	return elems, !slices.Contains(elems, nil)
}

// pointee is the type that t points to, or t itself.
func pointee(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
