package guards

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// A map that is a variable of a function, and that its literals use under a lock which is a
// variable as well, is memory like a field:
//
//	var mu sync.Mutex
//	seen := map[string]bool{}
//	for _, u := range urls {
//		g.Go(func() error {
//			mu.Lock()
//			seen[u] = true
//			mu.Unlock()
//			...
//
// Each call of the function makes both of them, so that they belong together as two fields of
// one object do. What the function does itself is construction, as with any object that it makes.

// shared is the class of the memory that a map is which literals share, given by the address of its
// variable in one of them or around them; nil if it is none, or somebody else may have the map.
func (in *inference) shared(addr ssa.Value) *types.Var {
	a := variableOf(addr)
	if a == nil || !isMap(pointee(a)) || !slices.ContainsFunc(*a.Referrers(), isCapture) || !onlySeen(a) {
		return nil
	}
	made, ok := onlyStore(a).(*ssa.MakeMap)
	if !ok || slices.ContainsFunc(*made.Referrers(), func(ref ssa.Instruction) bool { return !keepsTo(ref, made, a) }) {
		return nil
	}
	return in.variableAt(a)
}

// keepsTo reports whether an instruction fills a map that is new, or puts it into its variable.
func keepsTo(ref ssa.Instruction, made *ssa.MakeMap, a *ssa.Alloc) bool {
	switch ref := ref.(type) {
	case *ssa.DebugRef:
		return true
	case *ssa.MapUpdate:
		return ref.Map == made && ref.Value != made
	case *ssa.Store:
		return ref.Addr == a
	}
	return false
}

// onlySeen reports whether all literals that have a variable are made at one place each.
func onlySeen(addr ssa.Value) bool {
	return !slices.ContainsFunc(*addr.Referrers(), func(ref ssa.Instruction) bool {
		mc, ok := ref.(*ssa.MakeClosure)
		if !ok {
			return false
		}
		fn := mc.Fn.(*ssa.Function)
		return fn.Parent() == nil || onlyClosure(fn) != mc || !onlySeen(fn.FreeVars[slices.Index(mc.Bindings, addr)])
	})
}

// variableAt declares a variable of a function.
func (in *inference) variableAt(a *ssa.Alloc) *types.Var {
	v, ok := in.locals[a]
	if !ok {
		v = types.NewVar(a.Pos(), a.Parent().Pkg.Pkg, a.Comment, pointee(a))
		in.locals[a] = v
	}
	return v
}

func isCapture(ref ssa.Instruction) bool {
	_, ok := ref.(*ssa.MakeClosure)
	return ok
}

// variableOf is the variable that has an address, in the function of the variable or in a literal that
// is made at one place; nil if that is not known.
func variableOf(addr ssa.Value) *ssa.Alloc {
	for {
		fv, ok := addr.(*ssa.FreeVar)
		if !ok {
			break
		}
		if fv.Parent().Parent() == nil {
			return nil // the receiver of a method value
		}
		mc := onlyClosure(fv.Parent())
		if mc == nil {
			return nil
		}
		addr = mc.Bindings[slices.Index(fv.Parent().FreeVars, fv)]
	}
	a, _ := addr.(*ssa.Alloc)
	if a == nil || !a.Heap || a.Parent().Pkg == nil || !a.Pos().IsValid() {
		return nil
	}
	return a
}

// entriesOf is the map of which an instruction is about the entries; nil if it is about none.
func entriesOf(instr ssa.Instruction) ssa.Value {
	switch instr := instr.(type) {
	case *ssa.MapUpdate:
		return instr.Map
	case *ssa.Lookup:
		return instr.X
	case *ssa.Range:
		return instr.X
	case *ssa.Call: // delete, clear or len
		return instr.Call.Args[0]
	}
	return nil
}

// guardsAlways reports whether a lock that is a variable is the same one for a memory that is a variable,
// for as long as there is that: a map before a loop, and a lock in it, are one map and many locks.
func guardsAlways(mu *ssa.Alloc, mem ssa.Value) bool {
	m, ok := mem.(*ssa.Alloc)
	if !ok || m.Parent() != mu.Parent() {
		return false
	}
	return m.Block() == mu.Block() || mu.Block().Dominates(m.Block()) || m.Block().Dominates(mu.Block()) && !ways.Loops(mu.Block())
}

// outlived reports whether a map that is a variable is only handed on when all who have got it have
// been waited for: nobody changes it then who holds the lock.
func outlived(load *ssa.UnOp) bool {
	a, ok := load.X.(*ssa.Alloc)
	if !ok {
		return false
	}
	waits := func(instr ssa.Instruction) bool {
		call, ok := instr.(*ssa.Call)
		return ok && calls.IsWait(&call.Call) && ways.Before(call, load)
	}
	waited := false
	for _, b := range a.Parent().Blocks {
		waited = waited || slices.ContainsFunc(b.Instrs, waits)
	}
	return waited && !slices.ContainsFunc(*a.Referrers(), func(ref ssa.Instruction) bool { return isCapture(ref) && ways.Follows(load, ref) })
}
