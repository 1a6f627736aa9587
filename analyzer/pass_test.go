package analyzer

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/catalog"
	"github.com/mapatom/mapatom/reduce"
)

// testFacts keeps the facts of all packages of one test, as bytes: what does
// not survive gob does not get to the importing package.
type testFacts struct {
	objects  map[types.Object]map[reflect.Type][]byte
	packages map[*types.Package]map[reflect.Type][]byte
}

func encodeFact(t testing.TB, f analysis.Fact) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, gob.NewEncoder(&b).Encode(f))
	return b.Bytes()
}

// A testWorld type-checks packages one after the other, each of which can
// import the ones before.
type testWorld struct {
	t     testing.TB
	fset  *token.FileSet
	pkgs  map[string]*types.Package
	facts testFacts
}

func newWorld(t testing.TB) *testWorld {
	return &testWorld{
		t: t, fset: token.NewFileSet(), pkgs: map[string]*types.Package{},
		facts: testFacts{map[types.Object]map[reflect.Type][]byte{}, map[*types.Package]map[reflect.Type][]byte{}},
	}
}

// standardImporter reads export data once for all tests.
var standardImporter = sync.OnceValue(importer.Default)

// Import implements types.Importer.
func (w *testWorld) Import(path string) (*types.Package, error) {
	if p := w.pkgs[path]; p != nil {
		return p, nil
	}
	return standardImporter().Import(path)
}

// pass type-checks a package and makes a pass over it.
func (w *testWorld) pass(path string, srcs ...string) *analysis.Pass {
	w.t.Helper()
	var files []*ast.File
	for i, src := range srcs {
		name := fmt.Sprintf("%s%d.go", path[strings.LastIndexByte(path, '/')+1:], i)
		file, err := parser.ParseFile(w.fset, name, src, parser.SkipObjectResolution)
		require.NoError(w.t, err)
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
	pkg, _ := conf.Check(path, w.fset, files, info)
	w.pkgs[path] = pkg
	return &analysis.Pass{
		Fset: w.fset, Files: files, Pkg: pkg, TypesInfo: info, TypeErrors: typeErrors,
		ImportObjectFact: func(obj types.Object, f analysis.Fact) bool {
			return importFact(w.t, w.facts.objects[obj], f)
		},
		ImportPackageFact: func(p *types.Package, f analysis.Fact) bool {
			return importFact(w.t, w.facts.packages[p], f)
		},
		ExportObjectFact: func(obj types.Object, f analysis.Fact) {
			require.Equal(w.t, pkg, obj.Pkg(), "a fact about an object of another package")
			exportFact(w.t, w.facts.objects, obj, f)
		},
		ExportPackageFact: func(f analysis.Fact) { exportFact(w.t, w.facts.packages, pkg, f) },
	}
}

func importFact(t testing.TB, have map[reflect.Type][]byte, f analysis.Fact) bool {
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
	facts[k][reflect.TypeOf(f)] = encodeFact(t, f)
}

// load analyses a package and exports its facts.
func (w *testWorld) load(path string, srcs ...string) *programs {
	w.t.Helper()
	pass := w.pass(path, srcs...)
	require.Empty(w.t, pass.TypeErrors)
	_, funcs, err := buildSSA(pass)
	require.NoError(w.t, err)
	ps := lowerAll(pass, catalog.Default(), funcs)
	ps.exportFacts()
	require.Empty(w.t, ps.errs)
	return ps
}

// loadTestdata analyses a package of testdata/src, after those of testdata/src
// that it imports.
func (w *testWorld) loadTestdata(path string) *programs {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata/src", path, "*.go"))
	require.NoError(w.t, err)
	var srcs []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(w.t, err)
		srcs = append(srcs, string(src))
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		require.NoError(w.t, err)
		for _, spec := range file.Imports {
			imp := strings.Trim(spec.Path.Value, `"`)
			if _, err := os.Stat(filepath.Join("testdata/src", imp)); err == nil && w.pkgs[imp] == nil {
				w.loadTestdata(imp)
			}
		}
	}
	return w.load(path, srcs...)
}

// function finds a function by its name in go doc.
func (ps *programs) function(t testing.TB, name string) *ssa.Function {
	t.Helper()
	for _, fn := range ps.funcs {
		if funcDocName(fn) == name {
			return fn
		}
	}
	require.Fail(t, "no function "+name)
	return nil
}

// text is a function's program after inlining, without positions.
func (ps *programs) text(t testing.TB, name string) string {
	t.Helper()
	p := ps.inlined(ps.function(t, name))
	require.NotNil(t, p, name)
	require.NoError(t, reduce.Check(p))
	q := clone(p)
	relocate(q, "")
	return q.String()
}

// baseOps lists the operations of a function's program: the word of each, its
// cell, and what the source calls it.
func (ps *programs) baseOps(t testing.TB, name string) []string {
	t.Helper()
	p := ps.inlined(ps.function(t, name))
	require.NotNil(t, p, name)
	var ops []string
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() {
				ops = append(ops, baseWord(in)+" "+p.Cells[in.Cell].Label+" "+ps.res.opName(in.Pos).Name)
			}
		}
	}
	return ops
}

func noObjectFact(types.Object, analysis.Fact) bool    { return false }
func noPackageFact(*types.Package, analysis.Fact) bool { return false }
