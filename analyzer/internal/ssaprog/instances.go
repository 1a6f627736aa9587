package ssaprog

import (
	"go/ast"
	"go/types"
	"slices"
)

// What a generic container holds is what the package makes of it: whether that has a state of
// its own is asked of each type that it is instantiated with. What other packages make of it is
// not known.

// instances are the types that type parameters of a package are instantiated with in it.
type instances struct {
	info *types.Info
	// params are the generic types and functions that type parameters are of, with their places; those of
	// a method are those of its type.
	params map[*types.TypeParam]param
	// args are the lists of type arguments of each.
	args map[types.Object][]*types.TypeList
}

type param struct {
	of    types.Object
	index int
}

func findInstances(info *types.Info) *instances {
	in := &instances{info: info, params: map[*types.TypeParam]param{}, args: map[types.Object][]*types.TypeList{}}
	for _, obj := range info.Defs {
		switch obj := obj.(type) {
		case *types.TypeName:
			if n, ok := obj.Type().(*types.Named); ok && !obj.IsAlias() {
				in.add(n.TypeParams(), obj)
			}
		case *types.Func:
			sig := obj.Signature()
			in.add(sig.TypeParams(), obj)
			if sig.Recv() != nil && Named(sig.Recv().Type()) != nil {
				in.add(sig.RecvTypeParams(), Named(sig.Recv().Type()))
			}
		}
	}
	for id, inst := range info.Instances {
		in.note(id, inst)
	}
	return in
}

func (in *instances) add(list *types.TypeParamList, of types.Object) {
	for i := range list.Len() {
		in.params[list.At(i)] = param{of, i}
	}
}

func (in *instances) note(id *ast.Ident, inst types.Instance) {
	if of := in.info.Uses[id]; of != nil {
		in.args[of] = append(in.args[of], inst.TypeArgs)
	}
}

// of are the types that t is in the package: itself, unless it is a type parameter.
func (in *instances) of(t types.Type) []types.Type {
	var out []types.Type
	seen := map[*types.TypeParam]bool{}
	var find func(t types.Type)
	find = func(t types.Type) {
		tp, ok := types.Unalias(t).(*types.TypeParam)
		if !ok {
			out = append(out, t)
			return
		}
		if seen[tp] {
			return
		}
		seen[tp] = true
		p := in.params[tp]
		for _, args := range in.args[p.of] {
			if p.index < args.Len() {
				find(args.At(p.index))
			}
		}
	}
	find(t)
	return out
}

// some reports whether a predicate holds for one of the types that t is in the package.
func (r *Resolver) some(t types.Type, is func(types.Type) bool) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
		return is(t)
	}
	return slices.ContainsFunc(r.instancesOf(t), is)
}

// instancesOf are the types that a type parameter is in the package; none of any other type.
func (r *Resolver) instancesOf(t types.Type) []types.Type {
	if _, ok := types.Unalias(t).(*types.TypeParam); !ok {
		return nil
	}
	if r.instances == nil {
		r.instances = findInstances(r.pass.TypesInfo)
	}
	return r.instances.of(t)
}
