package ssaprog

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An interface of which its package has one implementation is taken for that: it is
// there for tests, or for what may come. If it is another package's, this one must have
// none either, and the other one has said what the methods do. Only methods count that have
// a pointer as their receiver.

// sole is the method that a call through an interface goes to; nil if several types
// implement the interface, or none.
func (r *Resolver) sole(call ssa.CallInstruction) *ssa.Function {
	c := call.Common()
	if !c.IsInvoke() {
		return nil
	}
	impl := r.implementation(c.Value.Type(), c.Method)
	if impl == nil {
		return nil
	}
	prog := call.Parent().Prog
	sel := prog.MethodSets.MethodSet(impl).Lookup(c.Method.Pkg(), c.Method.Name())
	if sel == nil || len(sel.Index()) != 1 {
		return nil
	}
	fn := prog.FuncValue(sel.Obj().(*types.Func))
	if fn == nil || fn.Signature.Recv() == nil {
		return nil
	}
	if _, ok := fn.Signature.Recv().Type().(*types.Pointer); !ok {
		return nil
	}
	return fn
}

// LocalCallee is the function of this package that a call goes to, also through an interface with one implementation;
// nil if it is of another package, or not known.
func (r *Resolver) LocalCallee(call ssa.CallInstruction) *ssa.Function {
	if fn := call.Common().StaticCallee(); fn != nil {
		return r.Local(fn)
	}
	return r.Local(r.sole(call))
}

// soles are the only implementations of interfaces, as a package sees them; nil where there are none
// or several.
type soles struct {
	pkg   *types.Package
	known map[*types.Named]types.Type
}

func newSoles(pkg *types.Package) *soles { return &soles{pkg, map[*types.Named]types.Type{}} }

// implementation is the only pointer type that implements an interface which is declared in the package
// of its method, of those in that package and this one.
func (s *soles) implementation(t types.Type, method *types.Func) types.Type {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || method.Pkg() == nil || named.Obj().Pkg() != method.Pkg() || named.TypeArgs().Len() > 0 {
		return nil
	}
	of := named.Obj().Pkg()
	if of != s.pkg && IsStandard(of) {
		return nil
	}
	if t, ok := s.known[named]; ok {
		return t
	}
	s.known[named] = nil
	iface, ok := named.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	all, byPointer := implementations(s.pkg, iface)
	if of != s.pkg {
		more, pointers := implementations(of, iface)
		all, byPointer = append(all, more...), byPointer && pointers
	}
	if len(all) == 1 && byPointer {
		s.known[named] = all[0]
	}
	return s.known[named]
}

// implementations are the types of a package that implement an interface, and whether all of them
// do so by pointer.
func implementations(pkg *types.Package, iface *types.Interface) (all []types.Type, byPointer bool) {
	scope := pkg.Scope()
	byPointer = true
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		t, ok := obj.Type().(*types.Named)
		if !ok || t.TypeParams().Len() > 0 || types.IsInterface(t) {
			continue
		}
		if pointer := types.NewPointer(t); types.Implements(pointer, iface) {
			all = append(all, pointer)
			byPointer = byPointer && !types.Implements(t, iface)
		}
	}
	return all, byPointer
}
