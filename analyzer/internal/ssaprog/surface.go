package ssaprog

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Surface are the types of a package that other packages can get hold of: the
// exported ones, and those that something exported leads to. The others' fields
// are out of reach, however they are written.
func Surface(pkg *types.Package) map[*types.TypeName]bool {
	s := &surfaceWalk{pkg: pkg, types: map[*types.TypeName]bool{}}
	for _, name := range pkg.Scope().Names() {
		switch obj := pkg.Scope().Lookup(name).(type) {
		case *types.TypeName:
			if obj.Exported() {
				s.visit(obj.Type())
			}
		case *types.Var, *types.Func:
			if obj.Exported() {
				s.visit(obj.Type())
			}
		}
	}
	return s.types
}

type surfaceWalk struct {
	pkg   *types.Package
	types map[*types.TypeName]bool
}

func (s *surfaceWalk) visit(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		s.named(t)
	case *types.Pointer:
		s.visit(t.Elem())
	case *types.Slice:
		s.visit(t.Elem())
	case *types.Array:
		s.visit(t.Elem())
	case *types.Chan:
		s.visit(t.Elem())
	case *types.Map:
		s.visit(t.Key())
		s.visit(t.Elem())
	case *types.Signature: // what a callback gets is out as well
		s.tuple(t.Params())
		s.tuple(t.Results())
	case *types.Struct:
		s.fields(t)
	case *types.Interface:
		for i := range t.NumMethods() {
			s.method(t.Method(i))
		}
	}
}

func (s *surfaceWalk) tuple(t *types.Tuple) {
	for i := range t.Len() {
		s.visit(t.At(i).Type())
	}
}

// fields visits those that have a name outside, and those that lend theirs.
func (s *surfaceWalk) fields(t *types.Struct) {
	for i := range t.NumFields() {
		if f := t.Field(i); f.Exported() || f.Embedded() {
			s.visit(f.Type())
		}
	}
}

func (s *surfaceWalk) method(m *types.Func) {
	if m.Exported() {
		s.visit(m.Type())
	}
}

func (s *surfaceWalk) named(t *types.Named) {
	for i := range t.TypeArgs().Len() {
		s.visit(t.TypeArgs().At(i))
	}
	obj := t.Origin().Obj()
	if obj.Pkg() != s.pkg || s.types[obj] {
		return
	}
	s.types[obj] = true
	s.visit(t.Origin().Underlying())
	for i := range t.Origin().NumMethods() {
		s.method(t.Origin().Method(i))
	}
}

// An exported method of a type that nobody outside can get hold of is not called
// from outside:
//
//	func (r *result) SetDone() { … } // "exported" for the looks of it
//
// Outside are also those who get an object as an interface, or through a type
// parameter: they may know its methods by their names.

// shown are the types of the package of which others can call the methods.
func (ps *Programs) shown() map[*types.TypeName]bool {
	if ps.visible != nil {
		return ps.visible
	}
	s := &surfaceWalk{pkg: ps.Pass.Pkg, types: Surface(ps.Pass.Pkg)}
	ps.visible = s.types
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				s.handedOut(instr)
			}
		}
	}
	if len(ps.Funcs) > 0 && ps.Funcs[0].Pkg != nil {
		if init := ps.Funcs[0].Pkg.Func("init"); init != nil {
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
func (ps *Programs) onlyHere(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil {
		return false
	}
	t := Named(recv.Type())
	return t != nil && t.Pkg() == ps.Pass.Pkg && !ps.shown()[t]
}
