package analyzer

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An exported method of a type that nobody outside can get hold of is not called
// from outside:
//
//	func (r *result) SetDone() { … } // "exported" for the looks of it
//
// Outside are also those who get an object as an interface, or through a type
// parameter: they may know its methods by their names.

// shown are the types of the package of which others can call the methods.
func (ps *programs) shown() map[*types.TypeName]bool {
	if ps.visible != nil {
		return ps.visible
	}
	s := &surfaceWalk{pkg: ps.pass.Pkg, types: surface(ps.pass.Pkg)}
	ps.visible = s.types
	for _, fn := range ps.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.handedOut(instr)
			}
		}
	}
	if len(ps.funcs) > 0 && ps.funcs[0].Pkg != nil {
		if init := ps.funcs[0].Pkg.Func("init"); init != nil {
			for _, b := range init.Blocks {
				for _, instr := range b.Instrs {
					s.handedOut(instr)
				}
			}
		}
	}
	return ps.visible
}

// handedOut visits what an instruction makes an interface of, or calls another
// package's generic function for.
func (s *surfaceWalk) handedOut(instr ssa.Instruction) {
	if mi, ok := instr.(*ssa.MakeInterface); ok {
		s.visit(mi.X.Type())
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return
	}
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Origin() == nil || fn.Origin().Pkg == nil || isAtomicPackage(fn.Origin().Pkg.Pkg) {
		return
	}
	for _, t := range fn.TypeArgs() {
		s.visit(t)
	}
}

// isAtomicPackage reports whether the package only keeps what it is given.
func isAtomicPackage(p *types.Package) bool {
	return p.Path() == "sync/atomic" || p.Path() == "sync"
}

// onlyHere reports whether fn is a method of a type that is not shown.
func (ps *programs) onlyHere(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	t := named(recv.Type())
	return t != nil && t.Pkg() == ps.pass.Pkg && !ps.shown()[t]
}
