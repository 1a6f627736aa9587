package calls

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// A nil pointer in an interface is not nil there, and is nil again for who takes it out:
//
//	m.Store(k, (*T)(nil)); …; x, _ := v.(*T); return x
//
// gives the same as if there were no entry. To ask of every pointer that comes out of a
// cell whether it is that one costs twice the ways, and hardly any package puts one there.
// So it is asked where a package does so, or where a function asks itself.

// PutsNil calls found with each pointer type of which fn may give a nil to a call in an
// interface, if that is a call that ofCell says is about a cell.
func PutsNil(fn *ssa.Function, ofCell func(ssa.CallInstruction) bool, found func(types.Type)) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.MakeInterface:
				if isPointer(v.X.Type()) && NilHere(v.X, b) && slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
					call, ok := ref.(ssa.CallInstruction)
					return ok && ofCell(call)
				}) {
					found(v.X.Type())
				}
			case ssa.CallInstruction:
				if ofCell(v) {
					genericNils(v, found)
				}
			}
		}
	}
}

// genericNils is PutsNil for the arguments that a generic function takes for its type
// parameters: it may put them anywhere.
func genericNils(call ssa.CallInstruction, found func(types.Type)) {
	fn, vs := Callee(call)
	if fn == nil {
		return
	}
	g := GenericSignature(fn)
	for i, v := range vs {
		if g.Param(i) && isPointer(v.Type()) && NilHere(v, call.Block()) {
			found(v.Type())
		}
	}
}

// AsksForNil reports whether fn compares a pointer of a type that it has taken out of an
// interface, or has from a generic function that may have done that, or puts one into an
// interface of which it asks whether it is nil, and does not only do so where it is not.
func AsksForNil(fn *ssa.Function, t types.Type) bool {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.TypeAssert:
				if types.Identical(v.AssertedType, t) && compared(v, 0) {
					return true
				}
			case *ssa.MakeInterface:
				if types.Identical(v.X.Type(), t) && ComparedWithNil(v.X) && !foundNil(v.X, false, b) {
					return true
				}
			case *ssa.Call:
				if genericAsked(v, t) {
					return true
				}
			}
		}
	}
	return false
}

// compared reports whether result i of what may have several is compared, or kept in a variable whose value is.
func compared(v ssa.Value, i int) bool { return resultComparedWithNil(v, i) || keptAndCompared(v, i) }

// keptAndCompared reports whether result i of what may have several is kept in a variable that is compared, as
// one is that a closure captures.
func keptAndCompared(v ssa.Value, i int) bool {
	return v.Referrers() != nil && slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.Extract:
			return ref.Index == i && keptAndCompared(ref, 0)
		case *ssa.Store:
			return ref.Val == v && variableCompared(ref.Addr)
		}
		return false
	})
}

// variableCompared reports whether what a variable holds is compared, here or in a closure that captures it.
func variableCompared(addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
	default:
		return false
	}
	return addr.Referrers() != nil && slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		switch ref := ref.(type) {
		case *ssa.UnOp:
			return ref.Op == token.MUL && ComparedWithNil(ref)
		case *ssa.MakeClosure:
			fn, _ := ref.Fn.(*ssa.Function)
			i := slices.Index(ref.Bindings, addr)
			return fn != nil && i >= 0 && i < len(fn.FreeVars) && variableCompared(fn.FreeVars[i])
		}
		return false
	})
}

// genericAsked is AsksForNil for the results of a call.
func genericAsked(call *ssa.Call, t types.Type) bool {
	fn, _ := Callee(call)
	if fn == nil {
		return false
	}
	g := GenericSignature(fn)
	for i := range fn.Signature.Results().Len() {
		if g.Result(i) && types.Identical(fn.Signature.Results().At(i).Type(), t) && compared(call, i) {
			return true
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func isTypeParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// NilHere reports whether v is nil, or is so on some way, and nobody asks before it is put
// anywhere: who asks does not put a nil there, unless it is where the answer was that it is one.
func NilHere(v ssa.Value, at *ssa.BasicBlock) bool {
	if foundNil(v, true, at) || answered(v, false, at) {
		return true
	}
	switch v := v.(type) {
	case *ssa.Const:
		return v.IsNil()
	case *ssa.Phi:
		return !ComparedWithNil(v) && slices.ContainsFunc(v.Edges, isNil)
	case *ssa.Extract:
		return v.Index == 0 && !ComparedWithNil(v) && mayFindNothing(v, at)
	case *ssa.Call:
		return outOfEmpty(v)
	case *ssa.UnOp:
		return v.Op == token.MUL && !variableAsked(v.X) && givenNil(v.X)
	}
	return false
}

// outOfEmpty reports whether v is a pointer out of an atomic, which begins as nil, and nobody asks whether it
// still is. Where the package puts something in when it makes the object that the atomic is a part of, it is not.
func outOfEmpty(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	return ok && isPointer(v.Type()) && !ComparedWithNil(v) && ofAtomic(call) && len(call.Call.Args) > 0 && !filledAtBirth(call.Parent(), call.Call.Args[0])
}

// filledAtBirth reports whether a function of the package of fn puts something in the field of a new object, or
// an initialization in the variable, that an address is.
func filledAtBirth(fn *ssa.Function, addr ssa.Value) bool {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if fn.Pkg == nil {
		return false
	}
	for _, m := range fn.Pkg.Members {
		if maker, ok := m.(*ssa.Function); ok && fills(maker, addr) {
			return true
		}
	}
	return false
}

// fills is filledAtBirth for one function.
func fills(maker *ssa.Function, addr ssa.Value) bool {
	return slices.ContainsFunc(maker.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || !ofAtomic(call) {
				return false
			}
			args := call.Common().Args
			return len(args) > 1 && !isNil(args[1]) && isBornAs(maker, args[0], addr)
		})
	})
}

// isBornAs reports whether an address in a function is the same variable as another one before anybody else comes,
// or the same field of an object that the function has made.
func isBornAs(maker *ssa.Function, addr, other ssa.Value) bool {
	field, isField := addr.(*ssa.FieldAddr)
	of, areFields := other.(*ssa.FieldAddr)
	if !isField || !areFields {
		return addr == other && strings.HasPrefix(maker.Name(), "init")
	}
	_, made := field.X.(*ssa.Alloc)
	return made && field.Field == of.Field && types.Identical(field.X.Type(), of.X.Type())
}

// foundNil reports whether a block is only come to if v was compared with nil, and is that, or is not.
func foundNil(v ssa.Value, is bool, at *ssa.BasicBlock) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		cmp, ok := ref.(*ssa.BinOp)
		if !ok || cmp.Op != token.EQL && cmp.Op != token.NEQ || !isNil(cmp.X) && !isNil(cmp.Y) {
			continue
		}
		if onlyIf(cmp, cmp.Op == token.EQL == is, at) {
			return true
		}
	}
	return false
}

// onlyIf reports whether a block is only come to from a branch where the answer to a question was so.
func onlyIf(question ssa.Value, answer bool, at *ssa.BasicBlock) bool {
	return slices.ContainsFunc(*question.Referrers(), func(user ssa.Instruction) bool {
		branch, ok := user.(*ssa.If)
		if !ok {
			return false
		}
		to := branch.Block().Succs[0]
		if !answer {
			to = branch.Block().Succs[1]
		}
		return len(to.Preds) == 1 && to.Dominates(at)
	})
}

// answered reports whether a block is only come to if the answer beside v, whether anything was found, was so.
func answered(v ssa.Value, answer bool, at *ssa.BasicBlock) bool {
	from, ok := v.(*ssa.Extract)
	if !ok || from.Index != 0 || from.Tuple.Type().(*types.Tuple).Len() != 2 {
		return false
	}
	return slices.ContainsFunc(*from.Tuple.Referrers(), func(ref ssa.Instruction) bool {
		found, ok := ref.(*ssa.Extract)
		return ok && found.Index == 1 && types.Identical(found.Type(), types.Typ[types.Bool]) && onlyIf(found, answer, at)
	})
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// mayFindNothing reports whether v, which an assertion gives or a generic function finds, is taken where the
// answer whether there is anything is not known to be yes.
func mayFindNothing(v *ssa.Extract, at *ssa.BasicBlock) bool {
	if call, ok := v.Tuple.(*ssa.Call); ok {
		if fn, _ := Callee(call); fn == nil || !GenericSignature(fn).Result(v.Index) {
			return false
		}
	} else if _, ok := v.Tuple.(*ssa.TypeAssert); !ok {
		return false
	}
	return !answered(v, true, at)
}

// MayBeNil reports whether the function itself gives a reference the value nil on
// some way, or asks whether it is nil. What else comes from elsewhere is taken not to be
// nil, as is all that is put in a map.
func MayBeNil(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi:
		for _, e := range v.Edges {
			if c, ok := e.(*ssa.Const); ok && c.Value == nil || ComparedWithNil(e) {
				return true
			}
		}
	case *ssa.UnOp:
		if v.Op == token.MUL && (variableAsked(v.X) || givenNil(v.X)) {
			return true
		}
	case *ssa.Extract:
		switch from := v.Tuple.(type) {
		case *ssa.TypeAssert:
			return true // what an assertion gives that fails
		case *ssa.Call:
			fn, _ := Callee(from)
			return fn != nil && GenericSignature(fn).Result(v.Index) || ComparedWithNil(v)
		}
	}
	return ComparedWithNil(v)
}

// variableAsked reports whether somebody asks whether a variable is nil, here or where
// a closure captured it.
func variableAsked(addr ssa.Value) bool {
	if addr.Referrers() == nil {
		return false
	}
	for _, ref := range *addr.Referrers() {
		if load, ok := ref.(*ssa.UnOp); ok && load.Op == token.MUL && ComparedWithNil(load) {
			return true
		}
	}
	outer := Captured(addr)
	return outer != nil && variableAsked(outer)
}

// givenNil reports whether a variable that a closure captures is given what may be nil, as what was found
// in a map where there may have been nothing.
func givenNil(addr ssa.Value) bool {
	for outer := Captured(addr); outer != nil; outer = Captured(addr) {
		addr = outer
	}
	if _, ok := addr.(*ssa.Alloc); !ok || addr.Referrers() == nil {
		return false
	}
	return slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		store, ok := ref.(*ssa.Store)
		if !ok || store.Addr != addr {
			return false
		}
		found, ok := store.Val.(*ssa.Extract)
		return ok && MayBeNil(found)
	})
}

// ComparedWithNil reports whether the value of an assertion is.
func ComparedWithNil(v ssa.Value) bool { return resultComparedWithNil(v, 0) }

// resultComparedWithNil reports whether result i of what may have several is compared.
func resultComparedWithNil(v ssa.Value, i int) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Extract:
			if ref.Index == i && ComparedWithNil(ref) {
				return true
			}
		case *ssa.BinOp:
			if ref.Op == token.EQL || ref.Op == token.NEQ {
				return true
			}
		}
	}
	return false
}

// NilMatters reports whether it does that result i of what may have several is nil, which
// comes out of an interface: it is compared, here or by an atomic that is given it.
func NilMatters(v ssa.Value, i int) bool {
	return compared(v, i) || givenToAtomic(v, i)
}

func givenToAtomic(v ssa.Value, i int) bool {
	if v.Referrers() == nil {
		return false
	}
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Extract:
			if ref.Index == i && givenToAtomic(ref, 0) {
				return true
			}
		case ssa.CallInstruction:
			if ofAtomic(ref) {
				return true
			}
		}
	}
	return false
}

// ofAtomic reports whether a call is an operation of an atomic.
func ofAtomic(call ssa.CallInstruction) bool {
	fn, _ := Callee(call)
	if fn != nil && fn.Origin() != nil {
		fn = fn.Origin()
	}
	return fn != nil && fn.Object() != nil && fn.Object().Pkg() != nil && fn.Object().Pkg().Path() == "sync/atomic"
}

// Generic is the signature that the origin of an instance has. What is of the type of a
// type parameter there is in an interface wherever the function puts it in a map, and a
// nil pointer is not nil in one.
type Generic struct{ *types.Signature }

// GenericSignature is that of fn's origin; it has nothing where fn is no instance.
func GenericSignature(fn *ssa.Function) Generic {
	if o := fn.Origin(); o != nil && o != fn {
		return Generic{o.Signature}
	}
	return Generic{new(types.Signature)}
}

// Param reports whether argument i, the receiver being the first, is a type parameter.
func (g Generic) Param(i int) bool {
	if g.Recv() != nil {
		i--
	}
	return i >= 0 && i < g.Params().Len() && isTypeParam(g.Params().At(i).Type())
}

// Result reports whether result i is a type parameter.
func (g Generic) Result(i int) bool {
	return i < g.Results().Len() && isTypeParam(g.Results().At(i).Type())
}
