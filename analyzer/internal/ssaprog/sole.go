package ssaprog

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// An interface of which the package has one implementation is taken for that: it is
// there for tests, or for what may come. Only interfaces that the package declares
// itself are looked at, and only methods that have a pointer as their receiver.

// sole is the method that a call through an interface goes to; nil if several types
// of the package implement the interface, or none.
func (r *Resolver) sole(call ssa.CallInstruction) *ssa.Function {
	c := call.Common()
	if !c.IsInvoke() || c.Method.Pkg() != r.pass.Pkg {
		return nil
	}
	named, ok := types.Unalias(c.Value.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() != r.pass.Pkg || named.TypeArgs().Len() > 0 {
		return nil
	}
	impl := r.implementation(named)
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

// implementation is the only pointer type of the package that implements an
// interface of its own.
func (r *Resolver) implementation(named *types.Named) types.Type {
	if t, ok := r.soles[named]; ok {
		return t
	}
	r.soles[named] = nil
	iface, ok := named.Underlying().(*types.Interface)
	if !ok || iface.NumMethods() == 0 {
		return nil
	}
	var found types.Type
	scope := r.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() {
			continue
		}
		t, ok := obj.Type().(*types.Named)
		if !ok || t.TypeParams().Len() > 0 || types.IsInterface(t) {
			continue
		}
		switch {
		case types.Implements(t, iface):
			return nil // by value
		case !types.Implements(types.NewPointer(t), iface):
		case found != nil:
			return nil
		default:
			found = types.NewPointer(t)
		}
	}
	r.soles[named] = found
	return found
}
