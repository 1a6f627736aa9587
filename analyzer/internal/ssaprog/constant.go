package ssaprog

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Constant reports whether a field of this package's own holds what its object was made
// with, always. What another package could assign is not known.
func (r *Resolver) Constant(field *types.Var) bool { return !field.Exported() && r.AtBirth(field) }

// AtBirth reports whether this package assigns a field of its own only where it makes the
// object.
func (r *Resolver) AtBirth(field *types.Var) bool {
	f := field.Origin()
	return f.Pkg() == r.pass.Pkg && !r.Sums.assigned[f] && !r.Sums.later[f]
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

// PutsNil reports whether a nil of a pointer type is put in an interface that a cell may
// hold.
func (r *Resolver) PutsNil(t types.Type) bool {
	return slices.ContainsFunc(r.nils, func(o types.Type) bool { return types.Identical(o, t) })
}

func (r *Resolver) noteNil(t types.Type) {
	if !r.PutsNil(t) {
		r.nils = append(r.nils, t)
	}
}

// mayStore reports whether a call is an operation, or of a function here that may make one.
func (r *Resolver) mayStore(call ssa.CallInstruction) bool {
	t := targetOf(call)
	if t.obj == nil {
		return false
	}
	if _, ok := r.Cat.Lookup(t.obj); ok {
		return true
	}
	_, ok := r.shaped(t)
	return ok || r.Local(t.fn) != nil
}
