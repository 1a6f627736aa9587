package ownership

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
)

// makes reports whether a call is of a function that is named like a constructor.
func makes(call *ssa.Call) bool {
	name := ""
	if fn := call.Call.StaticCallee(); fn != nil {
		name = fn.Name()
	} else if load, ok := call.Call.Value.(*ssa.UnOp); ok {
		switch variable := load.X.(type) {
		case *ssa.FieldAddr:
			name = ssaprog.AddressedField(variable).Name()
		case *ssa.Global:
			name = variable.Name()
		}
	}
	return ssaprog.HasAnyPrefix(strings.ToLower(name), []string{"new", "make", "create"})
}

// madeBy is the instruction that makes the object that v points to, or that it is a
// part of, for a call or a go statement in the same function; nil if it is not known to be
// made there.
func madeBy(v ssa.Value, start ssa.CallInstruction, depth int) ssa.Instruction {
	if depth > maxRoot {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Call:
		if v.Parent() == start.Parent() && makes(v) {
			return v
		}
	case *ssa.Extract:
		return madeBy(v.Tuple, start, depth+1)
	case *ssa.FreeVar:
		if b := bindingOf(v, start); b != nil {
			return madeBy(b, start, depth+1)
		}
	case *ssa.FieldAddr:
		if ssaprog.AddressedField(v).Embedded() {
			return madeBy(v.X, start, depth+1)
		}
	case *ssa.UnOp:
		return loadedFrom(v.X, start, depth+1)
	case *ssa.Alloc:
		if _, isPointer := v.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Pointer); v.Parent() == start.Parent() && !isPointer {
			return v
		}
	}
	return nil
}

// loadedFrom is madeBy for what is loaded from an address: a variable, or a field of
// an object made here. What a constructor has put into another object may be
// anybody's, unless it is embedded.
func loadedFrom(addr ssa.Value, start ssa.CallInstruction, depth int) ssa.Instruction {
	switch addr := addr.(type) {
	case *ssa.FreeVar:
		if b := bindingOf(addr, start); b != nil {
			return loadedFrom(b, start, depth+1)
		}
	case *ssa.Alloc:
		return storedIn(addr, func(at ssa.Value) bool { return at == ssa.Value(addr) }, start, depth)
	case *ssa.FieldAddr:
		if base, ok := addr.X.(*ssa.Alloc); ok {
			return fieldStoredIn(base, addr.Field, start, depth)
		}
		if ssaprog.AddressedField(addr).Embedded() {
			return madeBy(addr.X, start, depth+1)
		}
	}
	return nil
}

// fieldStoredIn is madeBy for what is stored in a field of a struct, there or in the
// composite literal that it is a copy of.
func fieldStoredIn(base *ssa.Alloc, field int, start ssa.CallInstruction, depth int) ssa.Instruction {
	for _, ref := range *base.Referrers() {
		if store, ok := ref.(*ssa.Store); ok && store.Addr == ssa.Value(base) {
			load, ok := store.Val.(*ssa.UnOp)
			if !ok {
				return nil
			}
			if base, ok = load.X.(*ssa.Alloc); !ok {
				return nil
			}
			break
		}
	}
	return storedIn(base, func(at ssa.Value) bool {
		fa, ok := at.(*ssa.FieldAddr)
		return ok && fa.X == ssa.Value(base) && fa.Field == field
	}, start, depth)
}

// storedIn is madeBy for the one value that is stored at an address in a variable.
func storedIn(base *ssa.Alloc, is func(ssa.Value) bool, start ssa.CallInstruction, depth int) ssa.Instruction {
	var made ssa.Instruction
	for _, b := range base.Parent().Blocks {
		for _, instr := range b.Instrs {
			store, ok := instr.(*ssa.Store)
			if !ok || !is(store.Addr) || ssaprog.IsNil(store.Val) {
				continue
			}
			m := madeBy(store.Val, start, depth+1)
			if m == nil || made != nil {
				return nil
			}
			made = m
		}
	}
	return made
}

// bindingOf is what a literal that is started in a goroutine captures.
func bindingOf(fv *ssa.FreeVar, start ssa.CallInstruction) ssa.Value {
	mc, ok := startedValue(start).(*ssa.MakeClosure)
	if !ok || mc.Fn != ssa.Value(fv.Parent()) {
		return nil
	}
	if i := slices.Index(fv.Parent().FreeVars, fv); i >= 0 && i < len(mc.Bindings) {
		return mc.Bindings[i]
	}
	return nil
}

// startedValue is the function that a goroutine begins with, or that is called.
func startedValue(start ssa.CallInstruction) ssa.Value {
	if f := calls.Beginning(start); f != nil {
		return f
	}
	return start.Common().Value
}
