package passtest

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
)

// testFacts keeps the facts of all packages of one test, as bytes: what does
// not survive gob does not get to the importing package.
type testFacts struct {
	Objects  map[types.Object]map[reflect.Type][]byte
	packages map[*types.Package]map[reflect.Type][]byte
}

func EncodeFact(t testing.TB, f analysis.Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gob.NewEncoder(&b).Encode(f))
	return b.Bytes()
}

// A World type-checks packages one after the other, each of which can
// import the ones before.
type World struct {
	T     testing.TB
	Fset  *token.FileSet
	Pkgs  map[string]*types.Package
	Facts testFacts
}

func New(t testing.TB) *World {
	return &World{
		T: t, Fset: token.NewFileSet(), Pkgs: map[string]*types.Package{},
		Facts: testFacts{map[types.Object]map[reflect.Type][]byte{}, map[*types.Package]map[reflect.Type][]byte{}},
	}
}

// standardImporter reads export data once for all tests.
var standardImporter = sync.OnceValue(importer.Default)

// Import implements types.Importer.
func (w *World) Import(path string) (*types.Package, error) {
	if p := w.Pkgs[path]; p != nil {
		return p, nil
	}
	return standardImporter().Import(path)
}

// Pass type-checks a package and makes a pass over it.
func (w *World) Pass(path string, srcs ...string) *analysis.Pass {
	w.T.Helper()
	var files []*ast.File
	for i, src := range srcs {
		name := fmt.Sprintf("%s%d.go", path[strings.LastIndexByte(path, '/')+1:], i)
		file, err := parser.ParseFile(w.Fset, name, src, parser.SkipObjectResolution)
		require.NoError(w.T, err)
		files = append(files, file)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	var typeErrors []types.Error
	conf := types.Config{Importer: w, Error: func(err error) { typeErrors = append(typeErrors, err.(types.Error)) }}
	pkg, _ := conf.Check(path, w.Fset, files, info)
	w.Pkgs[path] = pkg
	return &analysis.Pass{
		Fset: w.Fset, Files: files, Pkg: pkg, TypesInfo: info, TypeErrors: typeErrors,
		ImportObjectFact: func(obj types.Object, f analysis.Fact) bool {
			return ImportFact(w.T, w.Facts.Objects[obj], f)
		},
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool {
			return ImportFact(w.T, w.Facts.packages[p], f)
		},
		ExportObjectFact: func(obj types.Object, f analysis.Fact) {
			require.Equal(w.T, pkg, obj.Pkg(), "a fact about an object of another package")
			exportFact(w.T, w.Facts.Objects, obj, f)
		},
		ExportPackageFact: func(f analysis.Fact) { exportFact(w.T, w.Facts.packages, pkg, f) },
	}
}

func ImportFact(t testing.TB, have map[reflect.Type][]byte, f analysis.Fact) bool {
	b, ok := have[reflect.TypeOf(f)]
	if ok {
		require.NoError(t, gob.NewDecoder(bytes.NewReader(b)).Decode(f))
	}
	return ok
}

func exportFact[K comparable](t testing.TB, facts map[K]map[reflect.Type][]byte, k K, f analysis.Fact) {
	if facts[k] == nil {
		facts[k] = map[reflect.Type][]byte{}
	}
	facts[k][reflect.TypeOf(f)] = EncodeFact(t, f)
}
