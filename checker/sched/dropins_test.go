package sched_test

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// TestSameNames: the drop-ins export what the originals export, with the same
// signatures, so that any package that compiles with the ones compiles with
// the others.
func TestSameNames(t *testing.T) {
	const here = "github.com/mapatom/mapatom/checker/sched/"
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps},
		"sync", "sync/atomic", here+"sync", here+"atomic")
	require.NoError(t, err)
	byPath := map[string]*types.Package{}
	for _, p := range pkgs {
		require.Empty(t, p.Errors)
		byPath[p.PkgPath] = p.Types
	}
	assert.Equal(t, exported(byPath["sync"]), exported(byPath[here+"sync"]))
	assert.Equal(t, exported(byPath["sync/atomic"]), exported(byPath[here+"atomic"]))
}

// exported are the names of a package and of the methods of its types, with
// their types.
func exported(p *types.Package) map[string]string {
	names := map[string]string{}
	byName := func(p *types.Package) string { return p.Name() }
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		tn, isType := o.(*types.TypeName)
		if !isType {
			names[name] = types.TypeString(unnamed(o.Type()), byName)
			continue
		}
		names[name] = "type"
		methods := types.NewMethodSet(types.NewPointer(tn.Type()))
		for m := range methods.Methods() {
			if m.Obj().Exported() {
				names[name+"."+m.Obj().Name()] = types.TypeString(unnamed(m.Type()), byName)
			}
		}
	}
	return names
}

// unnamed is a type, of a function without the names of its parameters.
func unnamed(t types.Type) types.Type {
	sig, ok := t.(*types.Signature)
	if !ok || sig.TypeParams().Len() > 0 {
		return t
	}
	tuple := func(from *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range from.Variables() {
			vars = append(vars, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, tuple(sig.Params()), tuple(sig.Results()), sig.Variadic())
}
