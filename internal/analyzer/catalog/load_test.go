package catalog

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// stdImporter reads the standard library from source, each package once.
var stdImporter = sync.OnceValue(func() types.Importer {
	return importer.ForCompiler(token.NewFileSet(), "source", nil)
})

// checkSource type-checks one file that imports only the standard library.
func checkSource(t *testing.T, src string) (*types.Package, *types.Info) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "src.go", src, 0)
	require.NoError(t, err)
	info := &types.Info{
		Uses:       map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: stdImporter()}
	pkg, err := conf.Check("example.com/src", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	return pkg, info
}

// called returns the functions that are called by name in the source, under
// the name of the call: "m.Load", "atomic.AddInt32".
func called(info *types.Info) map[string]*types.Func {
	calls := map[string]*types.Func{}
	for id, obj := range info.Uses {
		if fn, ok := obj.(*types.Func); ok {
			calls[id.Name] = fn
		}
	}
	for sel := range info.Selections {
		if x, ok := sel.X.(*ast.Ident); ok {
			if fn, ok := info.Uses[sel.Sel].(*types.Func); ok {
				calls[x.Name+"."+sel.Sel.Name] = fn
			}
		}
	}
	return calls
}

func typeNamed(t *testing.T, pkg *types.Package, name string) types.Type {
	t.Helper()
	obj := pkg.Scope().Lookup(name)
	require.NotNil(t, obj, name)
	return obj.Type()
}

// fakeFunc makes a function, or a method if typ is not empty, of a package
// that need not exist.
func fakeFunc(path, typ, name string, params, results []*types.Var) *types.Func {
	pkg := types.NewPackage(path, "fake")
	var recv *types.Var
	if typ != "" {
		named := types.NewNamed(types.NewTypeName(0, pkg, typ, nil), types.NewStruct(nil, nil), nil)
		recv = types.NewParam(0, pkg, "r", types.NewPointer(named))
	}
	sig := types.NewSignatureType(recv, nil, nil, types.NewTuple(params...), types.NewTuple(results...), false)
	return types.NewFunc(0, pkg, name, sig)
}
