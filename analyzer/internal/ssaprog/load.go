package ssaprog

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"sort"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// Touches reports whether the package can contain a base operation: whether
// it names an operation of the catalog, a method of a type that has sync.Map's
// shape, or a function of another package that is known to touch a cell.
//
// Most packages do not, and building SSA costs about as much as type checking.
// So this looks at what the type checker recorded and stops at the first find.
// Whoever takes a lock may guard memory with it.
func Touches(pass *analysis.Pass, cat *catalog.Catalog) bool {
	t := &toucher{
		pass: pass, cat: cat, known: map[*types.Package]bool{},
		tables: map[string]bool{}, shapes: map[selected]bool{}, soles: newSoles(pass.Pkg),
	}
	for _, path := range cat.Packages() {
		t.tables[path] = true
	}
	for _, sel := range pass.TypesInfo.Selections {
		fn, ok := sel.Obj().(*types.Func)
		if ok && (t.function(fn) || t.isShapeOp(sel.Recv(), fn) || t.locks(fn) || t.behind(sel.Recv(), fn)) {
			return true
		}
	}
	if t.sendsTokens() {
		return true
	}
	if !t.importsFunctions() {
		return false
	}
	for _, obj := range pass.TypesInfo.Uses {
		if fn, ok := obj.(*types.Func); ok && t.function(fn) {
			return true
		}
	}
	return false
}

// toucher remembers which packages are worth a look at their functions, and
// which methods are no operations by their shape.
type toucher struct {
	pass   *analysis.Pass
	cat    *catalog.Catalog
	tables map[string]bool
	known  map[*types.Package]bool
	shapes map[selected]bool
	soles  *soles
}

// selected is a method of a type.
type selected struct {
	recv types.Type
	fn   *types.Func
}

// isShapeOp reports whether fn, selected from a value of type recv, is an
// operation by its shape. To find that out takes the method set of recv.
func (t *toucher) isShapeOp(recv types.Type, fn *types.Func) bool {
	if p, ok := recv.(*types.Pointer); ok {
		recv = p.Elem()
	}
	key := selected{recv, fn}
	is, seen := t.shapes[key]
	if !seen {
		_, is = catalog.LookupShape(recv, fn)
		t.shapes[key] = is
	}
	return is
}

// function reports whether a call of fn touches a cell.
func (t *toucher) function(fn *types.Func) bool {
	if !t.interesting(fn.Pkg()) {
		return false
	}
	if op, ok := t.cat.Lookup(fn); ok {
		return op.Kind != catalog.Plain
	}
	var fact programFact
	return t.pass.ImportObjectFact(fn.Origin(), &fact) && !fact.Minor
}

// behind reports whether a method of another package's interface touches a cell in the only
// implementation that there is.
func (t *toucher) behind(recv types.Type, fn *types.Func) bool {
	if fn.Pkg() == t.pass.Pkg || !types.IsInterface(recv) || !t.interesting(fn.Pkg()) {
		return false
	}
	impl := t.soles.implementation(recv, fn)
	if impl == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(impl, false, fn.Pkg(), fn.Name())
	method, ok := obj.(*types.Func)
	return ok && t.function(method)
}

// locks reports whether a call of fn takes a lock: then it can guard memory.
func (t *toucher) locks(fn *types.Func) bool {
	if !t.interesting(fn.Pkg()) {
		return false
	}
	return t.cat.Classify(fn) == catalog.Lock || t.pass.ImportObjectFact(fn.Origin(), new(lockFact))
}

// sendsTokens reports whether the package has a channel with one place in a field, which may be a lock
// to other packages. What it sends is nothing to anybody then.
func (t *toucher) sendsTokens() bool {
	some := slices.ContainsFunc(slices.Collect(maps.Values(t.pass.TypesInfo.Selections)), func(sel *types.Selection) bool {
		return sel.Kind() == types.FieldVal && sel.Obj().Pkg() == t.pass.Pkg && isTokens(sel.Type())
	})
	if !some {
		return false
	}
	for x, tv := range t.pass.TypesInfo.Types {
		call, ok := x.(*ast.CallExpr)
		if !ok || len(call.Args) != 2 || !isTokens(tv.Type) {
			continue
		}
		if size := t.pass.TypesInfo.Types[call.Args[1]].Value; size != nil && size.ExactString() == "1" {
			return true
		}
	}
	return false
}

// isTokens reports whether a type is a channel of values that say nothing.
func isTokens(t types.Type) bool {
	ch, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	switch elem := ch.Elem().Underlying().(type) {
	case *types.Struct:
		return elem.NumFields() == 0
	case *types.Basic:
		return elem.Kind() == types.Bool
	}
	return false
}

// interesting reports whether pkg has operations: by the tables, or because
// its own analysis said so.
func (t *toucher) interesting(pkg *types.Package) bool {
	if pkg == nil || pkg == t.pass.Pkg {
		return false
	}
	yes, seen := t.known[pkg]
	if !seen {
		yes = t.tables[vendorless(pkg.Path())] || t.pass.ImportPackageFact(pkg, new(packageFact))
		t.known[pkg] = yes
	}
	return yes
}

// importsFunctions reports whether a function without a receiver could be an
// operation. Such a function can only be named if its package is imported.
func (t *toucher) importsFunctions() bool {
	for _, pkg := range t.pass.Pkg.Imports() {
		if t.interesting(pkg) && pkg.Path() != "sync" {
			return true
		}
	}
	return false
}

// errBroken is why a package with type errors is not analysed.
var errBroken = errors.New("the package has type errors")

// BuildSSA builds the SSA form of the package. The functions are those of the
// source, with function literals after the function that they are in.
//
// The tables say which calls do not return, so this does without the control
// flow graphs by which buildssa finds that out, and without their cost for
// every package of the build.
func BuildSSA(pass *analysis.Pass) (pkg *ssa.Package, funcs []*ssa.Function, err error) {
	return buildSSA(pass, pass.Files, pass.TypesInfo)
}

// BuildSSAWithout is BuildSSA as if some declared functions had no body in the source.
// Named are the full names of the functions of the package that these bodies name.
func BuildSSAWithout(pass *analysis.Pass, left func(*ast.FuncDecl) bool) (pkg *ssa.Package, funcs []*ssa.Function, named map[string]bool, err error) {
	info := *pass.TypesInfo
	info.FileVersions = maps.Clone(info.FileVersions)
	files := make([]*ast.File, len(pass.Files))
	named = map[string]bool{}
	for i, file := range pass.Files {
		f := *file
		f.Decls = slices.Clone(file.Decls)
		for k, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && left(fn) {
				addNamed(pass, fn.Body, named)
				bare := *fn
				bare.Body = nil
				f.Decls[k] = &bare
			}
		}
		files[i], info.FileVersions[&f] = &f, info.FileVersions[file]
	}
	pkg, funcs, err = buildSSA(pass, files, &info)
	return pkg, funcs, named, err
}

// Drop drops the bodies of some declared functions, and what is known of what is in them, from
// a pass that nobody else looks at. In a package with many tests it is most of what is live.
func Drop(pass *analysis.Pass, left func(*ast.FuncDecl) bool) {
	var bodies []*ast.BlockStmt // by position
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && left(fn) {
				bodies = append(bodies, fn.Body)
				fn.Body = nil
			}
		}
	}
	if len(bodies) == 0 {
		return
	}
	slices.SortFunc(bodies, func(a, b *ast.BlockStmt) int { return cmp.Compare(a.Pos(), b.Pos()) })
	info := pass.TypesInfo
	info.Types = outside(info.Types, bodies)
	info.Instances = outside(info.Instances, bodies)
	info.Defs = outside(info.Defs, bodies)
	info.Uses = outside(info.Uses, bodies)
	info.Implicits = outside(info.Implicits, bodies)
	info.Selections = outside(info.Selections, bodies)
	info.Scopes = outside(info.Scopes, bodies)
}

// outside is the part of a map that is about nodes in none of the bodies, which are in order.
// A map from which they were deleted would be as large as it was.
func outside[N interface {
	comparable
	ast.Node
}, V any](m map[N]V, bodies []*ast.BlockStmt) map[N]V {
	kept := map[N]V{}
	for n, v := range m {
		pos := n.Pos()
		after := sort.Search(len(bodies), func(i int) bool { return bodies[i].Pos() > pos })
		if after == 0 || pos >= bodies[after-1].End() {
			kept[n] = v
		}
	}
	return kept
}

// addNamed adds the functions of the package that a body names.
func addNamed(pass *analysis.Pass, body *ast.BlockStmt, named map[string]bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if fn, ok := pass.TypesInfo.Uses[id].(*types.Func); ok && fn.Pkg() == pass.Pkg {
				named[fn.Origin().FullName()] = true
			}
		}
		return true
	})
}

func buildSSA(pass *analysis.Pass, files []*ast.File, info *types.Info) (pkg *ssa.Package, funcs []*ssa.Function, err error) {
	if len(pass.TypeErrors) > 0 {
		return nil, nil, errBroken
	}
	defer func() {
		if r := recover(); r != nil {
			pkg, funcs, err = nil, nil, fmt.Errorf("build the SSA form of %s: %v", pass.Pkg.Path(), r)
		}
	}()
	prog := ssa.NewProgram(pass.Fset, ssa.BuilderMode(0))
	for _, imp := range pass.Pkg.Imports() {
		prog.CreatePackage(imp, nil, nil, true /* importable */)
	}
	pkg = prog.CreatePackage(pass.Pkg, files, info, false /* importable */)
	pkg.Build()
	return pkg, sourceFunctions(pass, pkg), nil
}

// sourceFunctions lists the functions with a body in the source.
func sourceFunctions(pass *analysis.Pass, pkg *ssa.Package) []*ssa.Function {
	var funcs []*ssa.Function
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			decl, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func)
			if !ok {
				continue
			}
			if fn := pkg.Prog.FuncValue(obj); fn != nil && len(fn.Blocks) > 0 {
				funcs = append(funcs, withLiterals(fn)...)
			}
		}
	}
	if init := pkg.Func("init"); init != nil { // literals in package variables
		for _, anon := range init.AnonFuncs {
			funcs = append(funcs, withLiterals(anon)...)
		}
	}
	return funcs
}

// withLiterals is fn and the function literals in it, at any depth, but for those in code
// that is never reached, which no function has.
func withLiterals(fn *ssa.Function) []*ssa.Function {
	all := []*ssa.Function{fn}
	for _, anon := range fn.AnonFuncs {
		if used := anon.Referrers(); used == nil || len(*used) > 0 {
			all = append(all, withLiterals(anon)...)
		}
	}
	return all
}
