package ssaprog

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Constant reports whether a field of this package's own holds what its object was made
// with, always. What another package could assign is not known.
func (r *Resolver) Constant(field *types.Var) bool {
	f := field.Origin()
	return f.Pkg() == r.pass.Pkg && !f.Exported() && !r.Sums.assigned[f] && !r.Sums.later[f]
}

// assignedWhole notes the fields of a struct that is assigned as a whole.
func (s *summaries) assignedWhole(st *ssa.Store) {
	u, ok := st.Val.Type().Underlying().(*types.Struct)
	if !ok || atBirth(st.Addr, st) {
		return
	}
	for f := range u.Fields() {
		s.later[f.Origin()] = true
	}
}

// fieldAtBirth reports whether all that is done with the address of a field is a store
// before its object can be anywhere else.
func fieldAtBirth(addr *ssa.FieldAddr) bool {
	for _, ref := range *addr.Referrers() {
		st, ok := ref.(*ssa.Store)
		if !ok || st.Addr != addr || !atBirth(addr.X, st) {
			return false
		}
	}
	return true
}

// atBirth reports whether a store to an object, or to a field of it, comes before the
// object can be anywhere else: in the block that makes it, while only its fields are used.
// A variable to which nothing points is no object.
func atBirth(object ssa.Value, st *ssa.Store) bool {
	made, ok := object.(*ssa.Alloc)
	if !ok || made.Heap && made.Block() != st.Block() {
		return false
	}
	if !made.Heap {
		return true
	}
	instrs := made.Block().Instrs
	parts := []ssa.Value{made}
	isPart := func(v ssa.Value) bool { return slices.Contains(parts, v) }
	for _, instr := range instrs[slices.Index(instrs, ssa.Instruction(made))+1:] {
		switch instr := instr.(type) {
		case *ssa.FieldAddr:
			if isPart(instr.X) {
				parts = append(parts, instr)
			}
			continue
		case *ssa.Store:
			if instr == st {
				return !isPart(st.Val)
			}
			if instr.Addr != made && !isPart(instr.Val) {
				continue
			}
		case *ssa.DebugRef:
			continue
		}
		if slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return isPart(*op) }) {
			return false
		}
	}
	return false
}
