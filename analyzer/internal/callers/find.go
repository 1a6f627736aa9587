package callers

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Find finds what the functions of a package call that are of the same program: of its
// module, or of the package itself if it is in none.
func Find(pass *analysis.Pass) *Calls {
	f := &finder{pass: pass, out: &Calls{}, module: pass.Pkg.Path()}
	if pass.Module != nil && pass.Module.Path != "" {
		f.module = pass.Module.Path
	}
	for _, file := range pass.Files {
		if !strings.HasSuffix(pass.Fset.Position(file.FileStart).Filename, "_test.go") {
			for _, d := range file.Decls {
				f.declaration(d)
			}
		}
	}
	f.types()
	return f.out
}

// ID is the name of a function of the source, as Calls have it; empty for any other.
func ID(fset *token.FileSet, fn *ssa.Function) string {
	for fn != nil {
		if o := fn.Origin(); o != nil {
			fn = o
		}
		switch syntax := fn.Syntax().(type) {
		case *ast.FuncLit:
			return literal(fset, syntax)
		case *ast.FuncDecl:
			if obj, ok := fn.Object().(*types.Func); ok {
				return named(obj)
			}
			return ""
		}
		fn = fn.Parent()
	}
	return ""
}

func named(fn *types.Func) string {
	if fn.Signature().Recv() == nil && (fn.Name() == "init" || fn.Name() == "main" && fn.Pkg() != nil && fn.Pkg().Name() == "main") {
		return root
	}
	return fn.Origin().FullName()
}

func literal(fset *token.FileSet, lit *ast.FuncLit) string {
	return "func at " + fset.Position(lit.Pos()).String()
}

// finder goes through a package.
type finder struct {
	pass   *analysis.Pass
	module string
	out    *Calls
	// outside are the interfaces of imported packages by the names of their methods,
	// found when they are asked for.
	outside map[string][]*types.Interface
	// decl is the declared function that is gone through, and locals are its local variables
	// and parameters.
	decl   string
	locals map[types.Object]local
}

// place is where in the text something stands.
type place struct {
	// fn is the function, and recv the object of the method that is around it.
	fn   string
	recv types.Object
	loop bool
	// round is where the body of the innermost loop of the function begins, and around that of
	// the one that a function literal is in.
	round, around token.Pos
	// held are the locks that are held in parts of the function.
	held []hold
}

func (f *finder) own(pkg *types.Package) bool {
	return pkg != nil && (pkg == f.pass.Pkg || pkg.Path() == f.module || strings.HasPrefix(pkg.Path(), f.module+"/"))
}

func (f *finder) declaration(d ast.Decl) {
	fn, ok := d.(*ast.FuncDecl)
	if !ok {
		f.walk(d, place{fn: root})
		return
	}
	obj, ok := f.pass.TypesInfo.Defs[fn.Name].(*types.Func)
	if !ok || fn.Body == nil {
		return
	}
	at := place{fn: named(obj)}
	if fn.Recv != nil {
		for _, names := range fn.Recv.List {
			for _, id := range names.Names {
				at.recv = f.pass.TypesInfo.Defs[id]
			}
		}
		f.out.Methods = append(f.out.Methods, Value{Fn: at.fn, As: through(obj)})
	}
	if obj.Exported() && f.pass.Pkg.Name() != "main" && !strings.Contains("/"+f.pass.Pkg.Path()+"/", "/internal/") {
		f.out.Exported = append(f.out.Exported, at.fn)
	}
	if servesRequests(obj.Signature()) {
		f.handles(at.fn)
	}
	f.decl, f.locals = at.fn, f.variables(fn, at.fn)
	f.makes(obj, fn.Body)
	at.held = f.holds(fn.Body, at)
	f.walk(fn.Body, at)
}

func (f *finder) handles(id string) {
	f.out.Open = append(f.out.Open, id)
	f.out.Handlers = append(f.out.Handlers, id)
}

// through is a call of a method through an interface.
func through(m *types.Func) string { return "method " + m.Name() + form(m.Signature()) }

// by is a call of a function value.
func by(sig *types.Signature) string { return "value " + form(sig) }

// form is a signature without the names of parameters, which those who call do not know.
func form(sig *types.Signature) string {
	nameless := func(t *types.Tuple) *types.Tuple {
		var out []*types.Var
		for v := range t.Variables() {
			out = append(out, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
		}
		return types.NewTuple(out...)
	}
	return types.TypeString(types.NewSignatureType(nil, nil, nil, nameless(sig.Params()), nameless(sig.Results()), sig.Variadic()), nil)
}

// walk goes through a part of a function.
func (f *finder) walk(n ast.Node, at place) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			f.call(n.Call, at, Started)
		case *ast.CallExpr:
			f.call(n, at, Called)
		case *ast.FuncLit, *ast.Ident, *ast.SelectorExpr:
			return f.use(n.(ast.Expr), at, kept)
		case *ast.ForStmt:
			f.statement(n.Init, at)
			at := at
			at.loop, at.round = true, n.Body.Pos()
			if n.Cond != nil {
				f.walk(n.Cond, at)
			}
			f.statement(n.Post, at)
			f.walk(n.Body, at)
		case *ast.RangeStmt:
			f.walk(n.X, at)
			at := at
			at.loop, at.round = true, n.Pos()
			f.walk(n.Body, at)
		case *ast.CompositeLit:
			f.composite(n, at)
		case *ast.AssignStmt:
			f.assign(n, at)
		case *ast.ReturnStmt:
			for _, x := range n.Results {
				f.argument(x, at, returned)
			}
		default:
			return true
		}
		return false
	})
}

func (f *finder) statement(s ast.Stmt, at place) {
	if s != nil {
		f.walk(s, at)
	}
}

// usage says what is done with a function.
type usage int

const (
	// kept is what somebody in the program may call.
	kept usage = iota
	// returned is what those who call the function around it are given, and call later.
	returned
	// runs is called on the spot, and starts in a goroutine.
	runs
	starts
	// given is what code outside of the program may call; begins is given to code that
	// does so once, as the beginning of the program.
	given
	begins
)

// use notes what is done with an expression, if that is a function, and goes through it if
// it is not. It reports whether what is below it is still to be gone through.
func (f *finder) use(x ast.Expr, at place, how usage) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		id := literal(f.pass.Fset, x)
		sig, _ := f.pass.TypesInfo.TypeOf(x).(*types.Signature)
		f.note(id, sig, at, how, x.Pos(), at.recv != nil && hasLoop(x.Body), Object{From: Same})
		if servesRequests(sig) {
			f.handles(id)
		}
		f.body(x, id, at)
		return false
	case *ast.Ident:
		f.function(x, at, how, Object{})
		return false
	case *ast.SelectorExpr:
		f.function(x.Sel, at, how, f.object(x, at))
		f.walk(x.X, at)
		return false
	case *ast.CallExpr, *ast.CompositeLit:
		f.walk(x, at)
		return false
	}
	return true
}

// body goes through a function literal.
func (f *finder) body(lit *ast.FuncLit, id string, around place) {
	at := place{fn: id, recv: around.recv, around: max(around.round, around.around)}
	at.held = f.holds(lit.Body, at)
	f.walk(lit.Body, at)
}

func (f *finder) function(name *ast.Ident, at place, how usage, on Object) {
	fn, ok := f.pass.TypesInfo.Uses[name].(*types.Func)
	if !ok || !f.own(fn.Pkg()) {
		return
	}
	if types.IsInterface(receiver(fn)) {
		return // it is a method of whatever is in there
	}
	f.note(named(fn), fn.Signature(), at, how, name.Pos(), false, on)
}

func receiver(fn *types.Func) types.Type {
	if recv := fn.Signature().Recv(); recv != nil {
		return recv.Type()
	}
	return types.Typ[types.Invalid]
}

func (f *finder) note(id string, sig *types.Signature, at place, how usage, pos token.Pos, own bool, on Object) {
	switch how {
	case kept, returned:
		f.out.Values = append(f.out.Values, Value{Fn: id, As: by(sig)})
		if how == returned {
			f.out.Edges = append(f.out.Edges, Edge{From: at.fn, To: id, On: on})
		}
	case runs:
		e := Edge{From: at.fn, To: id, On: on}
		e.Under, e.Whole = at.under(pos)
		f.out.Edges = append(f.out.Edges, e)
	case starts:
		f.out.Edges = append(f.out.Edges, Edge{From: at.fn, To: id, How: Started, At: f.short(pos), Loop: at.loop, Own: own, On: on})
	case given:
		f.out.Open = append(f.out.Open, id)
		f.out.Edges = append(f.out.Edges, Edge{From: at.fn, To: id, How: Given, At: f.short(pos), Loop: at.loop, On: on})
	case begins:
		f.out.Edges = append(f.out.Edges, Edge{From: root, To: id})
	}
}

// call notes who is called, and what becomes of the functions among the arguments.
func (f *finder) call(call *ast.CallExpr, at place, how How) {
	fun := ast.Unparen(call.Fun)
	if f.pass.TypesInfo.Types[fun].IsType() {
		for _, arg := range call.Args {
			f.argument(arg, at, f.held(f.pass.TypesInfo.TypeOf(fun)))
		}
		return
	}
	callee := f.callee(fun)
	edge := Edge{From: at.fn, How: how, Loop: at.loop, Args: f.arguments(call, at)}
	if how == Started {
		edge.At = f.short(call.Pos())
	} else {
		edge.Under, edge.Whole = at.under(call.Pos())
	}
	with := kept
	switch {
	case callee != nil && types.IsInterface(receiver(callee)):
		edge.To, edge.On, edge.Through = through(callee), f.object(fun, at), f.asks(fun)
	case callee != nil && f.own(callee.Pkg()):
		edge.To, edge.Own, edge.On = named(callee), f.ofReceiver(fun, at), f.object(fun, at)
	case callee != nil:
		with = takes(callee)
	default:
		if lit, ok := fun.(*ast.FuncLit); ok {
			edge.To, edge.Own, edge.On = literal(f.pass.Fset, lit), at.recv != nil && hasLoop(lit.Body), Object{From: Same}
			f.body(lit, edge.To, at)
		} else if sig, ok := types.Unalias(f.pass.TypesInfo.TypeOf(fun)).Underlying().(*types.Signature); ok {
			edge.To = by(sig)
			f.walk(fun, at)
		}
	}
	if edge.To != "" {
		f.out.Edges = append(f.out.Edges, edge)
	}
	if sel, ok := fun.(*ast.SelectorExpr); ok && callee != nil {
		f.walk(sel.X, at)
	}
	for _, arg := range call.Args {
		f.argument(arg, at, with)
	}
}

// argument is use for an argument, or another value that goes somewhere.
func (f *finder) argument(x ast.Expr, at place, how usage) {
	if f.use(x, at, how) {
		f.walk(x, at)
	}
}

// callee is the function that is called; nil if that is not said by its name.
func (f *finder) callee(fun ast.Expr) *types.Func {
	switch x := fun.(type) {
	case *ast.IndexExpr:
		return f.callee(ast.Unparen(x.X))
	case *ast.IndexListExpr:
		return f.callee(ast.Unparen(x.X))
	case *ast.Ident:
		fn, _ := f.pass.TypesInfo.Uses[x].(*types.Func)
		return fn
	case *ast.SelectorExpr:
		fn, _ := f.pass.TypesInfo.Uses[x.Sel].(*types.Func)
		return fn
	}
	return nil
}

// ofReceiver reports whether a method is called on the object of the method around it, and
// goes round.
func (f *finder) ofReceiver(fun ast.Expr, at place) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || at.recv == nil {
		return false
	}
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	return ok && f.pass.TypesInfo.Uses[id] == at.recv
}

func hasLoop(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			found = true
		}
		return !found
	})
	return found
}

// composite notes the functions that are put into a value.
func (f *finder) composite(lit *ast.CompositeLit, at place) {
	how := f.held(f.pass.TypesInfo.TypeOf(lit))
	f.fields(lit)
	for _, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			el = kv.Value
		}
		f.argument(el, at, how)
	}
}

// assign notes the functions that are put into a field.
func (f *finder) assign(s *ast.AssignStmt, at place) {
	for i, rhs := range s.Rhs {
		how := kept
		if len(s.Lhs) == len(s.Rhs) {
			if sel, ok := ast.Unparen(s.Lhs[i]).(*ast.SelectorExpr); ok {
				how = f.held(f.pass.TypesInfo.TypeOf(sel.X))
			}
		}
		f.argument(rhs, at, how)
	}
	for i, lhs := range s.Lhs {
		if sel, ok := ast.Unparen(lhs).(*ast.SelectorExpr); ok {
			if way := f.way(sel); len(way) > 0 {
				f.field(way[len(way)-1].name, f.value(s.Rhs, i))
			}
		}
		if _, ok := lhs.(*ast.Ident); !ok {
			f.walk(lhs, at)
		}
	}
}

// held is what becomes of a function in a value of a type.
func (f *finder) held(t types.Type) usage {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	switch {
	case !ok || n.Obj().Pkg() == nil || f.own(n.Obj().Pkg()):
		return kept
	case commands[n.Obj().Pkg().Path()+"."+n.Obj().Name()]:
		return begins
	}
	return given
}

// short is a place as others may be told it.
func (f *finder) short(pos token.Pos) string {
	p := f.pass.Fset.Position(pos)
	dir := strings.TrimPrefix(strings.TrimPrefix(f.pass.Pkg.Path(), f.module), "/")
	return path.Join(dir, filepath.Base(p.Filename)) + ":" + strconv.Itoa(p.Line)
}

// types notes the methods that code outside may call through an interface of its own.
func (f *finder) types() {
	scope := f.pass.Pkg.Scope()
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() || types.IsInterface(obj.Type()) {
			continue
		}
		n, ok := obj.Type().(*types.Named)
		if !ok || n.TypeParams().Len() > 0 {
			continue
		}
		f.methods(n)
		for m := range n.Methods() {
			if m.Exported() && f.implements(types.NewPointer(n), m.Name()) {
				f.out.Open = append(f.out.Open, named(m))
			}
		}
	}
}

// methods notes the methods of a type.
func (f *finder) methods(n *types.Named) {
	var t Type
	for sel := range types.NewMethodSet(types.NewPointer(n)).Methods() {
		if m, ok := sel.Obj().(*types.Func); ok {
			t.Methods = append(t.Methods, Value{Fn: named(m), As: through(m)})
		}
	}
	f.out.Types = append(f.out.Types, t)
}

// asks is the interface that a method is called through, of which it notes what it asks for.
func (f *finder) asks(fun ast.Expr) string {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	t := f.pass.TypesInfo.TypeOf(sel.X)
	iface, ok := t.Underlying().(*types.Interface)
	if _, isParam := types.Unalias(t).(*types.TypeParam); !ok || isParam {
		return ""
	}
	name := types.TypeString(t, nil)
	if _, known := f.out.Interfaces[name]; known {
		return name
	}
	if f.out.Interfaces == nil {
		f.out.Interfaces = map[string][]string{}
	}
	if n, isNamed := types.Unalias(t).(*types.Named); isNamed && n.Obj().Pkg() == f.pass.Pkg && !n.Obj().Exported() {
		f.out.Within = append(f.out.Within, name)
	}
	f.out.Interfaces[name] = []string{}
	for m := range iface.Methods() {
		f.out.Interfaces[name] = append(f.out.Interfaces[name], through(m))
	}
	return name
}

// implements reports whether a type implements an interface of an imported package that
// has a method of the name.
func (f *finder) implements(t types.Type, method string) bool {
	if f.outside == nil {
		f.outside = map[string][]*types.Interface{}
		for _, pkg := range f.pass.Pkg.Imports() {
			if !f.own(pkg) {
				f.interfaces(pkg)
			}
		}
	}
	for _, iface := range f.outside[method] {
		if types.Implements(t, iface) {
			return true
		}
	}
	return false
}

func (f *finder) interfaces(pkg *types.Package) {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() {
			continue
		}
		iface, ok := obj.Type().Underlying().(*types.Interface)
		if n, isNamed := obj.Type().(*types.Named); !ok || isNamed && n.TypeParams().Len() > 0 {
			continue
		}
		for m := range iface.Methods() {
			f.outside[m.Name()] = append(f.outside[m.Name()], iface)
		}
	}
}
