package analyzer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// startedOnce reports whether fn runs in one goroutine of the whole program: a
// single go statement starts it, in a function that is called once.
//
//	var ticker struct{ once sync.Once; … }
//
//	func start() { ticker.once.Do(func() { go loop() }) }
//
// Then it does not matter which objects it gets hold of.
func (ps *programs) startedOnce(fn *ssa.Function) bool {
	starts := ps.refs.started[fn]
	if len(starts) != 1 || ps.exported(fn) || ps.escapes(fn) || len(ps.callers(fn)) > 0 {
		return false
	}
	at := starts[0].Block()
	return !blockReaches(at, at, nil) && ps.runsOnce(starts[0].Parent())
}

// runsOnce reports whether a literal is only ever run by the Do of a sync.Once that
// there is one of: it is, or is a part of, a package variable that nobody assigns.
func (ps *programs) runsOnce(lit *ssa.Function) bool {
	values := literalValues(lit)
	if len(values) != 1 || values[0].Referrers() == nil {
		return false
	}
	runs := 0
	for _, ref := range *values[0].Referrers() {
		call, ok := ref.(ssa.CallInstruction)
		if !ok {
			if _, ok := ref.(*ssa.DebugRef); ok {
				continue
			}
			return false
		}
		_, args := reduce.Callee(call)
		t := targetOf(call)
		if t.obj == nil || t.obj.FullName() != "(*sync.Once).Do" || len(args) != 2 || args[1] != values[0] || !ps.onlyOne(args[0]) {
			return false
		}
		runs++
	}
	return runs == 1
}

// onlyOne reports whether an address is that of a package variable, or a part of it
// that no pointer leads to, that is unexported and never assigned as a whole.
func (ps *programs) onlyOne(addr ssa.Value) bool {
	g, ok := wholeOf(addr).(*ssa.Global)
	if !ok || g.Object() == nil || g.Object().Exported() {
		return false
	}
	for _, fn := range ps.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if store, ok := instr.(*ssa.Store); ok && withinVariable(store, g) {
					return false
				}
			}
		}
	}
	return true
}

// withinVariable reports whether something stores a struct in a variable, or in a
// part of it: a sync.Once may be among what it overwrites.
func withinVariable(store *ssa.Store, g *ssa.Global) bool {
	_, isStruct := store.Val.Type().Underlying().(*types.Struct)
	return wholeOf(store.Addr) == ssa.Value(g) && isStruct
}

// wholeOf is the address of the variable that an address is that of a field of.
func wholeOf(addr ssa.Value) ssa.Value {
	for {
		fa, ok := addr.(*ssa.FieldAddr)
		if !ok {
			return addr
		}
		addr = fa.X
	}
}
