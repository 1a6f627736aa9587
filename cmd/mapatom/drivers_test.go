package main

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/objectpath"

	"github.com/mapatom/mapatom/analyzer"
)

// TestPackageByPackage: a driver that sees one package at a time, with the types of
// its imports from export data and their facts as bytes, has the findings that
// mapatom has alone. nogo and gopls are such drivers, and give a pass less than go
// vet does: no way to read files, no module, no facts of the standard library.
func TestPackageByPackage(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tour"), os.DirFS("../../testdata/tour")))
	t.Chdir(dir)
	writeFile(t, "go.mod", "module example.com/drivers\n\ngo 1.26\n")
	writeFile(t, "lib/lib.go", libSource)
	writeFile(t, "user/user.go", userSource)

	d := &unitDriver{t: t, dir: dir, exports: map[string]string{}, facts: map[string][]byte{}}
	var found []string
	for _, p := range d.load("./...") {
		found = append(found, d.analyse(p)...)
	}
	slices.Sort(found)
	alone := strings.Split(strings.TrimSpace(lines(t, "./...")), "\n")
	slices.Sort(alone)
	assert.Equal(t, alone, found)
	assert.Greater(t, len(found), 10)
	all := strings.Join(found, "\n")
	assert.Contains(t, all, "user/user.go:9:3", "which takes a fact about a function of lib")
	assert.Contains(t, all, "user/user.go:16:2", "which takes a fact about a map of lib")
}

const libSource = `package lib

import "sync"

// Own is a map of its own.
type Own struct{ m map[string]int }

//mapatom:base Load
func (o *Own) Get(k string) (int, bool) { v, ok := o.m[k]; return v, ok }

//mapatom:base Store
func (o *Own) Set(k string, v int) { o.m[k] = v }

type Table struct{ m sync.Map }

func (t *Table) Find(k string) (any, bool) { return t.m.Load(k) }

func (t *Table) Put(k string, v any) { t.m.Store(k, v) }
`

const userSource = `package user

import "example.com/drivers/lib"

func First(t *lib.Table, k string) any {
	v, ok := t.Find(k)
	if !ok {
		v = new(int)
		t.Put(k, v)
	}
	return v
}

func Next(o *lib.Own, k string) {
	v, _ := o.Get(k)
	o.Set(k, v+1)
}
`

// unitDriver analyses packages, each after those that it imports.
type unitDriver struct {
	t       *testing.T
	dir     string
	exports map[string]string // files of export data, by package
	facts   map[string][]byte // of packages that have been analysed
}

// load lists the packages, imported ones first, and builds export data.
func (d *unitDriver) load(pattern string) []*packages.Package {
	const mode = packages.NeedName | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
		packages.NeedExportFile | packages.NeedTypesSizes
	roots, err := packages.Load(&packages.Config{Mode: mode, Dir: d.dir}, pattern)
	require.NoError(d.t, err)
	var order []*packages.Package
	packages.Visit(roots, nil, func(p *packages.Package) {
		d.exports[p.PkgPath] = p.ExportFile
		if slices.Contains(roots, p) {
			order = append(order, p)
		}
	})
	return order
}

// analyse is what a build system does for a package.
func (d *unitDriver) analyse(p *packages.Package) []string {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.CompiledGoFiles {
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(d.t, err)
		files = append(files, file)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Scopes: map[ast.Node]*types.Scope{}, Instances: map[*ast.Ident]types.Instance{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", d.open), Sizes: p.TypesSizes}
	pkg, err := conf.Check(p.PkgPath, fset, files, info)
	require.NoError(d.t, err)

	u := &unit{d: d, own: newFactSet(), imported: map[string]factSet{}, results: map[*analysis.Analyzer]any{}}
	u.pass = analysis.Pass{
		Fset: fset, Files: files, Pkg: pkg, TypesInfo: info, TypesSizes: p.TypesSizes,
		ImportObjectFact: u.importObjectFact, ExportObjectFact: u.exportObjectFact,
		ImportPackageFact: u.importPackageFact, ExportPackageFact: u.exportPackageFact, AllPackageFacts: u.allPackageFacts,
	}
	u.run(analyzer.New(analyzer.Options{}))
	d.facts[p.PkgPath] = u.own.encode(d.t)
	return u.found
}

// open opens the export data of a package.
func (d *unitDriver) open(path string) (io.ReadCloser, error) {
	file, ok := d.exports[path]
	if !ok {
		return nil, fmt.Errorf("no export data of %s", path)
	}
	return os.Open(file)
}

// unit is one package being analysed.
type unit struct {
	d        *unitDriver
	pass     analysis.Pass
	own      factSet
	imported map[string]factSet
	results  map[*analysis.Analyzer]any
	found    []string
}

// run runs an analyzer after those that it requires.
func (u *unit) run(a *analysis.Analyzer) {
	for _, required := range a.Requires {
		if _, done := u.results[required]; !done {
			u.run(required)
		}
	}
	for _, f := range a.FactTypes {
		gob.Register(f)
	}
	pass := u.pass
	pass.Analyzer, pass.ResultOf = a, u.results
	pass.Report = func(diag analysis.Diagnostic) {
		posn := pass.Fset.Position(diag.Pos).String()
		u.found = append(u.found, strings.TrimPrefix(posn, u.d.dir+"/")+": "+diag.Message)
	}
	var err error
	u.results[a], err = a.Run(&pass)
	require.NoError(u.d.t, err)
}

// A factSet has the facts of a package, by object and type. The package itself has
// the path "".
type factSet map[factKey]analysis.Fact

type factKey struct {
	object objectpath.Path
	kind   reflect.Type
}

func newFactSet() factSet { return factSet{} }

// savedFact is a fact in a file.
type savedFact struct {
	Object objectpath.Path
	Fact   analysis.Fact
}

func (s factSet) encode(t *testing.T) []byte {
	var all []savedFact
	for k, f := range s {
		all = append(all, savedFact{k.object, f})
	}
	slices.SortFunc(all, func(x, y savedFact) int { return cmp.Compare(x.Object, y.Object) })
	var out bytes.Buffer
	require.NoError(t, gob.NewEncoder(&out).Encode(all))
	return out.Bytes()
}

// of has the facts of a package; there are none of the standard library.
func (u *unit) of(pkg *types.Package) factSet {
	if pkg == u.pass.Pkg {
		return u.own
	}
	if set, ok := u.imported[pkg.Path()]; ok {
		return set
	}
	set := newFactSet()
	u.imported[pkg.Path()] = set
	if data := u.d.facts[pkg.Path()]; data != nil {
		var all []savedFact
		require.NoError(u.d.t, gob.NewDecoder(bytes.NewReader(data)).Decode(&all))
		for _, f := range all {
			set[factKey{f.Object, reflect.TypeOf(f.Fact)}] = f.Fact
		}
	}
	return set
}

func (u *unit) find(pkg *types.Package, object objectpath.Path, f analysis.Fact) bool {
	have, ok := u.of(pkg)[factKey{object, reflect.TypeOf(f)}]
	if ok {
		reflect.ValueOf(f).Elem().Set(reflect.ValueOf(have).Elem())
	}
	return ok
}

func (u *unit) importObjectFact(obj types.Object, f analysis.Fact) bool {
	path, err := objectpath.For(obj)
	return err == nil && obj.Pkg() != nil && u.find(obj.Pkg(), path, f)
}

func (u *unit) exportObjectFact(obj types.Object, f analysis.Fact) {
	if path, err := objectpath.For(obj); err == nil { // no other package can name the rest
		u.own[factKey{path, reflect.TypeOf(f)}] = f
	}
}

func (u *unit) importPackageFact(pkg *types.Package, f analysis.Fact) bool { return u.find(pkg, "", f) }

func (u *unit) exportPackageFact(f analysis.Fact) { u.own[factKey{"", reflect.TypeOf(f)}] = f }

// allPackageFacts has those of the packages that this one imports, directly or not.
func (u *unit) allPackageFacts() []analysis.PackageFact {
	var all []analysis.PackageFact
	seen := map[*types.Package]bool{}
	var visit func(pkg *types.Package)
	visit = func(pkg *types.Package) {
		if seen[pkg] {
			return
		}
		seen[pkg] = true
		for k, f := range u.of(pkg) {
			if k.object == "" {
				all = append(all, analysis.PackageFact{Package: pkg, Fact: f})
			}
		}
		for _, imported := range pkg.Imports() {
			visit(imported)
		}
	}
	visit(u.pass.Pkg)
	return all
}
