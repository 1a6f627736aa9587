package analyzer

import "go/types"

// surface are the types of a package that other packages can get hold of: the
// exported ones, and those that something exported leads to. The others' fields
// are out of reach, however they are written.
func surface(pkg *types.Package) map[*types.TypeName]bool {
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
