package ssaprog

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
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

// Numbers that are only counted, and told to those who read a log or a page, are no state that anybody goes by:
//
//	r.hits.Add(1)
//	fmt.Fprintf(w, "%s: %d hits\n", name, r.hits.Load())

// onlyCounted reports whether a field is a number of the package's own that is told, and that nobody goes by. What is read of
// it is written as a text, or makes the next number there.
func (s *summaries) onlyCounted(field *types.Var) bool {
	f := field.Origin()
	if f.Exported() || f.Pkg() != s.res.pass.Pkg || !isCounter(f.Type()) {
		return false
	}
	if s.goneBy == nil {
		s.goneBy, s.told = map[types.Object]bool{}, map[types.Object]bool{}
		for _, fn := range s.funcs {
			s.findGoneBy(fn)
		}
	}
	return s.told[f] && !s.goneBy[f]
}

// isCounter reports whether a type is that of a number, or of an atomic with one in it.
func isCounter(t types.Type) bool {
	if n, ok := types.Unalias(t).(*types.Named); ok && hasState(n) {
		name := n.Obj().Name()
		return strings.HasPrefix(name, "Int") || strings.HasPrefix(name, "Uint")
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// findGoneBy notes the fields that a function goes by.
func (s *summaries) findGoneBy(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.FieldAddr:
				f := FieldOf(instr.X.Type(), instr.Field)
				c := counted{s.res, f, map[ssa.Value]bool{}, s.told}
				if isCounter(f.Type()) && !c.at(instr) {
					s.goneBy[f] = true
				}
			case *ssa.Field:
				f := FieldOf(instr.X.Type(), instr.Field)
				c := counted{s.res, f, map[ssa.Value]bool{}, s.told}
				if isCounter(f.Type()) && !c.is(instr) {
					s.goneBy[f] = true
				}
			}
		}
	}
}

// counted follows what is read of a field.
type counted struct {
	res   *Resolver
	field types.Object
	seen  map[ssa.Value]bool
	// shown has the fields of which something is told.
	shown map[types.Object]bool
}

// at reports whether nothing is done at an address of the field but to count there, and to read what is only told.
func (c counted) at(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.DebugRef:
			return false
		case *ssa.Store:
			return ref.Addr != addr
		case *ssa.UnOp:
			return !c.is(ref)
		case *ssa.Call:
			fn := ref.Call.StaticCallee()
			if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync/atomic" || len(ref.Call.Args) == 0 || ref.Call.Args[0] != addr {
				return true
			}
			counts := HasAnyPrefix(fn.Name(), []string{"Add", "Store", "Load"})
			return !counts || !c.is(ref)
		}
		return true
	})
}

// is reports whether a number is only told, or makes the next one.
func (c counted) is(v ssa.Value) bool {
	if c.seen[v] {
		return true
	}
	c.seen[v] = true
	return v.Referrers() == nil || !slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool { return !c.tells(ref, v) })
}

// tells reports whether an instruction does no more with a number than to tell it, or to make the next one.
func (c counted) tells(ref ssa.Instruction, v ssa.Value) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.Convert, *ssa.ChangeType, *ssa.Phi, *ssa.MakeInterface:
		return c.is(ref.(ssa.Value))
	case *ssa.BinOp:
		return c.is(ref)
	case *ssa.If:
		return c.onlyCounts(ref)
	case *ssa.Store:
		if addr, ok := ref.Addr.(*ssa.FieldAddr); ok {
			return FieldOf(addr.X.Type(), addr.Field) == c.field
		}
		place, ok := ref.Addr.(*ssa.IndexAddr) // of the arguments of a call
		return ok && c.isToldIn(place.X)
	case *ssa.Call:
		return c.told(ref)
	}
	return false
}

// isToldIn reports whether an array is one of the arguments of a call that tells them.
func (c counted) isToldIn(array ssa.Value) bool {
	alloc, ok := array.(*ssa.Alloc)
	return ok && !slices.ContainsFunc(*alloc.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.IndexAddr, *ssa.DebugRef:
			return false
		case *ssa.Slice:
			return slices.ContainsFunc(*ref.Referrers(), func(use ssa.Instruction) bool {
				call, ok := use.(*ssa.Call)
				return !ok || !c.told(call)
			})
		}
		return true
	})
}

// told reports whether a call writes what it is given as a text, into a log for example, or only computes with it what
// is told in turn.
func (c counted) told(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil {
		return false
	}
	obj, _ := fn.Object().(*types.Func)
	path := fn.Pkg.Pkg.Path()
	switch {
	case path == "sync/atomic":
		return len(call.Call.Args) > 0 && c.isField(call.Call.Args[0])
	case path == "fmt" || path == "strconv" || obj != nil && c.res.Classify(obj) == catalog.Quiet:
		c.shown[c.field] = true
		return true
	}
	return obj != nil && c.res.Classify(obj) == catalog.Pure && c.is(call)
}

// isField reports whether a value is an address of the field.
func (c counted) isField(v ssa.Value) bool {
	addr, ok := v.(*ssa.FieldAddr)
	return ok && FieldOf(addr.X.Type(), addr.Field) == c.field
}

// onlyCounts reports whether a branch decides nothing but whether the field is assigned:
//
//	if d > r.worst.Load() { r.worst.Store(d) }
func (c counted) onlyCounts(br *ssa.If) bool {
	yes, no := br.Block().Succs[0], br.Block().Succs[1]
	if len(yes.Preds) != 1 || len(yes.Succs) != 1 || yes.Succs[0] != no {
		return false
	}
	return !slices.ContainsFunc(yes.Instrs, func(instr ssa.Instruction) bool {
		switch instr := instr.(type) {
		case *ssa.FieldAddr, *ssa.UnOp, *ssa.BinOp, *ssa.Convert, *ssa.ChangeType, *ssa.Jump, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return !c.isField(instr.Addr)
		case *ssa.Call:
			return !c.told(instr)
		}
		return true
	})
}
