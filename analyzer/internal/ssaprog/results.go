package ssaprog

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// Most packages touch no cell and are never brought into SSA form, but two of
// their functions matter to those that do: one that makes the key of an entry, or
// else two calls of it give two cells, and one that makes what is stored there.
// They are recognised in the syntax, by rules that are stricter than those of
// summary:
//
//	K1  A pure function gives basic values, or structs and arrays of them.
//	K2  It takes such values, or pointers of which it reads fields.
//	K3  It consists of returns, branches, loops, and assignments to its own variables.
//	K4  It computes with its parameters, constants and its own variables, by
//	    operators, conversions and pure functions.
//	F1  A fresh function gives a pointer or a map first, and every return has one
//	    that was made there, or nil.
//	F2  Beside what K3 allows it assigns to parts of its own variables.
//	F3  It computes as K4 says, with composite literals, function literals and
//	    package variables as well, and calls nothing that has an effect.

// resultsFact names the functions of a package that are pure or fresh: "Key" or
// "ID.String". It is one Fact for the package, since every importing package reads
// all Facts.
type resultsFact struct{ Pure, Fresh []string }

// AFact makes resultsFact a Fact.
func (*resultsFact) AFact() {}

// String lists the functions.
func (f *resultsFact) String() string {
	return "pure: " + strings.Join(f.Pure, ", ") + "; fresh: " + strings.Join(f.Fresh, ", ")
}

// maxResultsText bounds the names of a resultsFact.
const maxResultsText = 8 << 10

// ExportResults exports what the functions of a package give that touches no cell.
func ExportResults(pass *analysis.Pass, cat *catalog.Catalog) {
	if pass.Pkg.Name() == "main" || IsStandard(pass.Pkg) {
		return
	}
	s := &sourceResults{pass: pass, cat: cat, decls: map[*types.Func]*ast.FuncDecl{}, done: map[*types.Func]summary{}}
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if decl, ok := decl.(*ast.FuncDecl); ok && decl.Body != nil && decl.Type.Results.NumFields() > 0 {
				if fn, ok := pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					s.decls[fn] = decl
					s.order = append(s.order, fn)
				}
			}
		}
	}
	if f := s.fact(); len(f.Pure)+len(f.Fresh) > 0 {
		pass.ExportPackageFact(f)
	}
}

// sourceResults finds out what the functions of one package give.
type sourceResults struct {
	pass  *analysis.Pass
	cat   *catalog.Catalog
	decls map[*types.Func]*ast.FuncDecl
	order []*types.Func
	done  map[*types.Func]summary
}

// fact has the exported functions, sorted.
func (s *sourceResults) fact() *resultsFact {
	f := &resultsFact{}
	size := 0
	for _, fn := range s.order {
		if !fn.Exported() || size > maxResultsText {
			continue
		}
		name := resultName(fn)
		switch s.of(fn) {
		case Pure:
			f.Pure = append(f.Pure, name)
		case fresh:
			f.Fresh = append(f.Fresh, name)
		default:
			continue
		}
		size += len(name) + 2
	}
	slices.Sort(f.Pure)
	slices.Sort(f.Fresh)
	return f
}

// resultName is the name of a function in the Fact; empty for one of an unnamed
// type.
func resultName(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	if obj := Named(recv.Type()); obj != nil {
		return obj.Name() + "." + fn.Name()
	}
	return ""
}

// importedResult is what another package says of its function.
func importedResult(pass *analysis.Pass, fn *types.Func) summary {
	var f resultsFact
	if fn.Pkg() == nil || fn.Pkg() == pass.Pkg || !pass.ImportPackageFact(fn.Pkg(), &f) {
		return Effectful
	}
	name := resultName(fn)
	if _, ok := slices.BinarySearch(f.Pure, name); ok {
		return Pure
	}
	if _, ok := slices.BinarySearch(f.Fresh, name); ok {
		return fresh
	}
	return Effectful
}

// of is Pure, fresh or Effectful, which says nothing.
func (s *sourceResults) of(fn *types.Func) summary {
	if sum, ok := s.done[fn]; ok {
		return sum
	}
	s.done[fn] = Effectful // while looking: no recursion
	sum := Effectful
	sig, decl := fn.Signature(), s.decls[fn]
	switch {
	case decl == nil || sig.Variadic() || sig.TypeParams() != nil || sig.RecvTypeParams() != nil:
	case isPlainTuple(sig.Results()) && takesReadable(sig):
		if b := (&bodyWalk{s: s, params: paramsOf(sig), body: decl.Body}); b.statements(decl.Body.List) {
			sum = Pure
		}
	case isReference(sig.Results().At(0).Type()):
		if b := (&bodyWalk{s: s, params: paramsOf(sig), body: decl.Body, makes: true}); b.statements(decl.Body.List) && b.returnsMade() {
			sum = fresh
		}
	}
	s.done[fn] = sum
	return sum
}

func paramsOf(sig *types.Signature) map[types.Object]bool {
	params := map[types.Object]bool{}
	if r := sig.Recv(); r != nil {
		params[r] = true
	}
	for v := range sig.Params().Variables() {
		params[v] = true
	}
	return params
}

// isPlainTuple: rule K1.
func isPlainTuple(t *types.Tuple) bool {
	for v := range t.Variables() {
		if !isPlain(v.Type()) {
			return false
		}
	}
	return t.Len() > 0
}

// isPlain reports whether values of a type are all that there is to them.
func isPlain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer && t.Kind() != types.Invalid
	case *types.Array:
		return isPlain(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !isPlain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// takesReadable: rule K2.
func takesReadable(sig *types.Signature) bool {
	for p := range paramsOf(sig) {
		if ptr, ok := p.Type().Underlying().(*types.Pointer); ok {
			if _, ok := ptr.Elem().Underlying().(*types.Struct); ok {
				continue
			}
		}
		if _, ok := p.Type().Underlying().(*types.Struct); !ok && !isPlain(p.Type()) {
			return false
		}
	}
	return sig.Params().Len() > 0 || sig.Recv() != nil
}

func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map:
		return true
	}
	return false
}

// bodyWalk looks at the body of one function.
type bodyWalk struct {
	s      *sourceResults
	params map[types.Object]bool
	body   *ast.BlockStmt
	// makes says that the function is to be a fresh one.
	makes bool
}

// statements: rules K3 and F2.
func (b *bodyWalk) statements(list []ast.Stmt) bool {
	for _, stmt := range list {
		if !b.statement(stmt) {
			return false
		}
	}
	return true
}

func (b *bodyWalk) statement(stmt ast.Stmt) bool {
	switch stmt := stmt.(type) {
	case nil, *ast.EmptyStmt, *ast.BranchStmt:
		return true
	case *ast.ReturnStmt:
		return b.expressions(stmt.Results)
	case *ast.BlockStmt:
		return b.statements(stmt.List)
	case *ast.IfStmt:
		return b.statement(stmt.Init) && b.expression(stmt.Cond) && b.statement(stmt.Body) && b.statement(stmt.Else)
	case *ast.SwitchStmt:
		return b.statement(stmt.Init) && b.expression(stmt.Tag) && b.statement(stmt.Body)
	case *ast.CaseClause:
		return b.expressions(stmt.List) && b.statements(stmt.Body)
	case *ast.ForStmt:
		return b.statement(stmt.Init) && b.expression(stmt.Cond) && b.statement(stmt.Post) && b.statement(stmt.Body)
	case *ast.RangeStmt:
		return b.isPlain(stmt.X) && b.expression(stmt.X) && b.assignable(stmt.Key) && b.assignable(stmt.Value) && b.statement(stmt.Body)
	case *ast.IncDecStmt:
		return b.assignable(stmt.X)
	case *ast.AssignStmt:
		for _, x := range stmt.Lhs {
			if !b.assignable(x) {
				return false
			}
		}
		return b.expressions(stmt.Rhs)
	case *ast.DeclStmt:
		return b.declaration(stmt.Decl)
	}
	return false
}

func (b *bodyWalk) declaration(d ast.Decl) bool {
	gen, ok := d.(*ast.GenDecl)
	if !ok {
		return false
	}
	for _, spec := range gen.Specs {
		if spec, ok := spec.(*ast.ValueSpec); ok && !b.expressions(spec.Values) {
			return false
		}
	}
	return true
}

// assignable reports whether x is a variable of the function, or, if it makes
// something, a part of one.
func (b *bodyWalk) assignable(x ast.Expr) bool {
	switch x := x.(type) {
	case nil:
		return true
	case *ast.Ident:
		return x.Name == "_" || b.own(x)
	case *ast.SelectorExpr:
		return b.makes && b.ownPart(x.X)
	case *ast.IndexExpr:
		return b.makes && b.ownPart(x.X) && b.expression(x.Index)
	}
	return false
}

// ownPart reports whether what is part of x is part of nothing that others have: a
// variable that is a struct or an array, or that has nothing but what was made.
func (b *bodyWalk) ownPart(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	if !ok || !b.own(id) {
		return false
	}
	switch b.object(id).Type().Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return b.alwaysMade(b.object(id))
}

func (b *bodyWalk) object(id *ast.Ident) types.Object { return b.s.pass.TypesInfo.ObjectOf(id) }

// own reports whether an identifier is a parameter or a variable of the function.
func (b *bodyWalk) own(id *ast.Ident) bool {
	v, ok := b.object(id).(*types.Var)
	return ok && !v.IsField() && v.Parent() != nil && v.Parent() != b.s.pass.Pkg.Scope()
}

func (b *bodyWalk) expressions(list []ast.Expr) bool {
	for _, x := range list {
		if !b.expression(x) {
			return false
		}
	}
	return true
}

// expression: rules K4 and F3.
func (b *bodyWalk) expression(x ast.Expr) bool {
	if tv, ok := b.s.pass.TypesInfo.Types[x]; ok && (tv.Value != nil || tv.IsNil() || tv.IsType()) {
		return true
	}
	switch x := x.(type) {
	case nil:
		return true
	case *ast.Ident:
		return b.own(x) || b.makes && b.isVariable(x)
	case *ast.ParenExpr:
		return b.expression(x.X)
	case *ast.UnaryExpr:
		return x.Op != token.ARROW && (x.Op != token.AND || b.makes) && b.expression(x.X)
	case *ast.BinaryExpr:
		return b.expression(x.X) && b.expression(x.Y)
	case *ast.SelectorExpr:
		return b.selector(x)
	case *ast.IndexExpr:
		return (b.makes || b.isPlain(x.X)) && b.expression(x.X) && b.expression(x.Index)
	case *ast.SliceExpr:
		return b.isPlain(x.X) && b.expression(x.X) && b.expression(x.Low) && b.expression(x.High) && b.expression(x.Max)
	case *ast.CompositeLit:
		return (b.makes || b.isPlain(x)) && b.elements(x)
	case *ast.FuncLit:
		return b.makes
	case *ast.CallExpr:
		return b.call(x)
	}
	return false
}

// isPlain reports whether an expression is of a plain type.
func (b *bodyWalk) isPlain(x ast.Expr) bool {
	t := b.s.pass.TypesInfo.TypeOf(x)
	return t != nil && isPlain(t)
}

func (b *bodyWalk) isVariable(id *ast.Ident) bool {
	_, ok := b.object(id).(*types.Var)
	return ok
}

// selector is a field of something that can be read, a variable of another package,
// or a method without its call, which is nothing.
func (b *bodyWalk) selector(x *ast.SelectorExpr) bool {
	if sel, ok := b.s.pass.TypesInfo.Selections[x]; ok {
		return sel.Kind() == types.FieldVal && b.expression(x.X)
	}
	return b.makes && b.isVariable(x.Sel)
}

func (b *bodyWalk) elements(x *ast.CompositeLit) bool {
	for _, elt := range x.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); !ok || !isField(b.object(id)) {
				if !b.expression(kv.Key) {
					return false
				}
			}
			elt = kv.Value
		}
		if !b.expression(elt) {
			return false
		}
	}
	return true
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// call is a conversion, a built-in function that computes or makes, or a function
// that is known to be pure or fresh.
func (b *bodyWalk) call(x *ast.CallExpr) bool {
	info := b.s.pass.TypesInfo
	if tv := info.Types[x.Fun]; tv.IsType() {
		return (b.makes || isPlain(tv.Type)) && b.expressions(x.Args)
	} else if tv.IsBuiltin() {
		return b.builtin(x)
	}
	fn := calleeOf(info, x)
	if fn == nil {
		return false
	}
	if sel, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil && !b.expression(sel.X) {
		return false
	}
	switch sum := b.s.callee(fn); {
	case sum == Pure:
		return b.arguments(x.Args)
	case sum == fresh || sum == readOnly || sum == drawn:
		return b.makes && b.expressions(x.Args)
	}
	return false
}

// arguments of a pure function can be slices that are written down there.
func (b *bodyWalk) arguments(args []ast.Expr) bool {
	for _, arg := range args {
		lit, ok := ast.Unparen(arg).(*ast.CompositeLit)
		if ok && !b.elements(lit) || !ok && !b.expression(arg) {
			return false
		}
	}
	return true
}

func (b *bodyWalk) builtin(x *ast.CallExpr) bool {
	id, ok := ast.Unparen(x.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	switch id.Name {
	case "len":
		return (b.makes || b.isPlain(x.Args[0])) && b.expressions(x.Args)
	case "min", "max":
		return b.expressions(x.Args)
	case "make", "new":
		return b.makes && b.expressions(x.Args[1:])
	}
	return false
}

// callee is what a function gives, of this package or another one.
func (s *sourceResults) callee(fn *types.Func) summary {
	if fn.Pkg() == s.pass.Pkg {
		return s.of(fn)
	}
	switch s.cat.Classify(fn) {
	case catalog.Pure, catalog.IsZero:
		return Pure
	case catalog.Fresh:
		return fresh
	case catalog.Drawn:
		return drawn
	case catalog.ReadOnly, catalog.Clock:
		return readOnly
	}
	return importedResult(s.pass, fn)
}

// calleeOf is the function that a call names; nil if it is a value or a method of
// an interface.
func calleeOf(info *types.Info, call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
		if sel := info.Selections[fun]; sel != nil && types.IsInterface(sel.Recv()) {
			return nil
		}
	default:
		return nil
	}
	fn, _ := info.Uses[id].(*types.Func)
	return fn
}

// returnsMade: rule F1.
func (b *bodyWalk) returnsMade() bool {
	made, ok := false, true
	ast.Inspect(b.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			switch {
			case len(n.Results) == 0:
				ok = false
			case b.s.pass.TypesInfo.Types[n.Results[0]].IsNil():
			case b.isMade(n.Results[0]) || b.hasMade(n.Results[0]):
				made = true
			default:
				ok = false
			}
		}
		return ok
	})
	return made && ok
}

// isMade reports whether an expression is something new.
func (b *bodyWalk) isMade(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		_, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && ok
	case *ast.CompositeLit:
		return true // a map
	case *ast.CallExpr:
		if b.s.pass.TypesInfo.Types[x.Fun].IsBuiltin() {
			return true // make or new
		}
		fn := calleeOf(b.s.pass.TypesInfo, x)
		return fn != nil && b.s.callee(fn) == fresh
	}
	return false
}

// hasMade reports whether an expression is a variable that never has anything but
// what was made.
func (b *bodyWalk) hasMade(x ast.Expr) bool {
	id, ok := ast.Unparen(x).(*ast.Ident)
	return ok && b.own(id) && b.alwaysMade(b.object(id))
}

// alwaysMade reports whether all that a variable is assigned was made there.
func (b *bodyWalk) alwaysMade(v types.Object) bool {
	assigned, ok := false, !b.params[v]
	ast.Inspect(b.body, func(n ast.Node) bool {
		a, isAssign := n.(*ast.AssignStmt)
		if !isAssign {
			return ok
		}
		for i, x := range a.Lhs {
			if id, isIdent := x.(*ast.Ident); isIdent && b.object(id) == v {
				assigned = true
				// Of several results of a call, only the first is made.
				ok = ok && (i == 0 || len(a.Rhs) > 1) && b.isMade(a.Rhs[min(i, len(a.Rhs)-1)])
			}
		}
		return ok
	})
	return assigned && ok
}
