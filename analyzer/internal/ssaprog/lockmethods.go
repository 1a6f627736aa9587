package ssaprog

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/guards"
)

// lockMethods are the methods that take or give back their object, or a lock that it has for a key,
// in the order in which they are found.
type lockMethods struct {
	methods []*types.Func
	ops     map[*types.Func]guards.ObjectOp
}

func (l *lockMethods) add(fn *types.Func, op guards.ObjectOp) {
	if _, known := l.ops[fn]; !known {
		l.methods, l.ops[fn] = append(l.methods, fn), op
	}
}

// lockMethods are those of a package that others can call: of its types, and of its interfaces that one of
// these implements alone.
func (r *Resolver) lockMethods(funcs []*ssa.Function) lockMethods {
	own := lockMethods{ops: map[*types.Func]guards.ObjectOp{}}
	for _, fn := range funcs {
		op, ok := r.guarded.guards.Object(fn)
		if obj := exportedObject(fn); ok && obj != nil {
			own.add(obj, op)
		}
	}
	if len(own.methods) == 0 {
		return own
	}
	scope := r.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, isType := scope.Lookup(name).(*types.TypeName)
		if !isType || !types.IsInterface(obj.Type()) {
			continue
		}
		iface := obj.Type().Underlying().(*types.Interface)
		impl := soleBehind(scope, iface)
		if impl == nil {
			continue
		}
		for m := range iface.ExplicitMethods() {
			if op, ok := own.ops[methodOf(impl, m.Name())]; ok {
				own.add(m, op)
			}
		}
	}
	return own
}

// soleBehind is the only type of a package that has the methods of an interface, by their names, so that
// type parameters do not matter; nil if there is none, or several.
func soleBehind(scope *types.Scope, iface *types.Interface) (only *types.Named) {
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		t, ok := obj.Type().(*types.Named)
		if !ok || types.IsInterface(t) || iface.NumMethods() == 0 {
			continue
		}
		has := true
		for m := range iface.Methods() {
			has = has && methodOf(t, m.Name()) != nil
		}
		switch {
		case has && only != nil:
			return nil
		case has:
			only = t
		}
	}
	return only
}

// methodOf is the method of a type, or of a pointer to it, with a name; nil if there is none.
func methodOf(t *types.Named, name string) *types.Func {
	for m := range t.Methods() {
		if m.Name() == name {
			return m
		}
	}
	return nil
}
