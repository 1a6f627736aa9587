package callers

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
)

// Two goroutines that run one function may have an object each: those of two connections,
// each of which one goroutine reads from.
//
//	func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
//		c := newConn(w, r)
//		go c.read() // on this connection, there is no other one
//
// So of a call it is noted what it is on, and what it is given, if that is said by a variable of the
// function: the object of the method itself, what it was given, one that was made there, or is one of
// a list; or what one of these has in a field, if nobody else has that.

// local is where a local variable has its value from.
type local struct {
	// in is the function that it is a variable of, and pos where it is declared.
	in  string
	pos token.Pos
	// made says that it is a new object, and listed that it is one of those that a loop is
	// over; by is the function that has given it otherwise, and as the variable or field that it
	// is the value of.
	made, listed bool
	by           string
	as           ast.Expr
	// param says that it is the i-th parameter.
	param bool
	i     int
}

// variables are the local variables of a function, and of the literals in it, that are given
// a value once, and the parameters.
func (f *finder) variables(fn *ast.FuncDecl, id string) map[types.Object]local {
	out, again := map[types.Object]local{}, map[types.Object]bool{}
	var in func(n ast.Node, id string)
	in = func(n ast.Node, id string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				f.parameters(out, n.Type, literal(f.pass.Fset, n))
				in(n.Body, literal(f.pass.Fset, n))
				return false
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					f.variable(out, again, lhs, f.value(n.Rhs, i), id)
				}
			case *ast.ValueSpec:
				for i, name := range n.Names {
					f.variable(out, again, name, f.value(n.Values, i), id)
				}
			case *ast.RangeStmt:
				f.variable(out, again, n.Key, local{listed: true}, id)
				f.variable(out, again, n.Value, local{listed: true}, id)
			}
			return true
		})
	}
	f.parameters(out, fn.Type, id)
	in(fn.Body, id)
	for obj := range again {
		delete(out, obj)
	}
	return out
}

// parameters notes the parameters of a function but one for all that follow.
func (f *finder) parameters(out map[types.Object]local, fn *ast.FuncType, id string) {
	i := 0
	for _, field := range fn.Params.List {
		if _, variadic := field.Type.(*ast.Ellipsis); variadic {
			continue
		}
		for _, name := range field.Names {
			if obj := f.pass.TypesInfo.Defs[name]; obj != nil {
				out[obj] = local{in: id, pos: obj.Pos(), param: true, i: i}
			}
			i++
		}
	}
}

// variable notes what a variable is given.
func (f *finder) variable(out map[types.Object]local, again map[types.Object]bool, lhs ast.Expr, is local, in string) {
	id, ok := lhs.(*ast.Ident)
	if !ok {
		return
	}
	obj := f.pass.TypesInfo.Defs[id]
	if obj == nil {
		again[f.pass.TypesInfo.Uses[id]] = true
		return
	}
	is.in, is.pos = in, obj.Pos()
	out[obj] = is
}

// value is what the i-th of some variables is given.
func (f *finder) value(values []ast.Expr, i int) local {
	switch {
	case len(values) == 0:
		return local{}
	case i < len(values):
		return f.source(values[i])
	case len(values) == 1 && i == 0:
		return f.source(values[0])
	}
	return local{}
}

// source is what an expression gives.
func (f *finder) source(x ast.Expr) local {
	switch x := ast.Unparen(x).(type) {
	case *ast.CompositeLit:
		return local{made: true}
	case *ast.Ident, *ast.SelectorExpr:
		return local{as: x}
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.source(x.X)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok {
			if b, isBuiltin := f.pass.TypesInfo.Uses[id].(*types.Builtin); isBuiltin {
				return local{made: b.Name() == "new" || b.Name() == "make"}
			}
		}
		if callee := f.callee(ast.Unparen(x.Fun)); callee != nil && f.own(callee.Pkg()) && !types.IsInterface(receiver(callee)) {
			return local{by: named(callee)}
		}
	}
	return local{}
}

// object is what a method is called on.
func (f *finder) object(fun ast.Expr, at place) Object {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return Object{}
	}
	return f.origin(sel.X, at, maxOrigin)
}

// arguments are what a call is given, as far as it is said what that is; none of a method that
// is called as a function of its object.
func (f *finder) arguments(call *ast.CallExpr, at place) []Object {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.pass.TypesInfo.Types[sel.X].IsType() {
		return nil
	}
	var out []Object
	for i, arg := range call.Args {
		if is := f.origin(arg, at, maxOrigin); is.From != Unknown {
			out = append(out, make([]Object, i+1-len(out))...)
			out[i] = is
		}
	}
	return out
}

// maxOrigin bounds the way back.
const maxOrigin = 4

// origin is where an object is from.
func (f *finder) origin(x ast.Expr, at place, depth int) Object {
	if depth == 0 {
		return Object{}
	}
	switch x := ast.Unparen(x).(type) {
	case *ast.Ident:
		return f.ofVariable(x, at, depth-1)
	case *ast.StarExpr:
		return f.origin(x.X, at, depth-1)
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.origin(x.X, at, depth-1)
		}
	case *ast.SelectorExpr:
		return f.ofField(x, at, depth-1)
	case *ast.CompositeLit, *ast.CallExpr:
		if is := f.source(x); is.made || is.by != "" {
			return Object{From: Made, In: at.fn, By: is.by, Each: at.round.IsValid()}
		}
	}
	return Object{}
}

// ofVariable is where the object in a variable is from.
func (f *finder) ofVariable(id *ast.Ident, at place, depth int) Object {
	obj := f.pass.TypesInfo.Uses[id]
	if obj == nil {
		return Object{}
	}
	is, known := f.locals[obj]
	switch {
	case obj == at.recv:
		return Object{From: Same, In: f.decl}
	case !known:
		return Object{}
	case is.param:
		return Object{From: Param, In: is.in, Param: is.i}
	case is.as != nil:
		return f.origin(is.as, at, depth)
	case !is.made && !is.listed && is.by == "":
		return Object{}
	}
	round := at.round
	if is.in != at.fn {
		round = at.around
	}
	from := Made
	if is.listed {
		from = Listed
	}
	return Object{From: from, In: is.in, By: is.by, Which: f.short(is.pos), Each: round.IsValid() && round < is.pos}
}

// ofField is where the object in a field is from: from where that is which has the field.
func (f *finder) ofField(x *ast.SelectorExpr, at place, depth int) Object {
	way := f.way(x)
	if len(way) == 0 {
		return Object{}
	}
	is := f.origin(x.X, at, depth)
	if is.From == Unknown {
		return is
	}
	is.Parts = slices.Clone(is.Parts)
	for _, step := range way {
		if _, part := step.Type().Underlying().(*types.Struct); !part {
			is.Parts = append(is.Parts, step.name)
		}
	}
	return is
}

// step is a field on the way to another one, with its name as reduce.MemoryName has it. One
// that is a structure is a part of what it is in.
type step struct {
	*types.Var
	name string
}

// way are the fields that a selector stands for; none if it is of anything else.
func (f *finder) way(x *ast.SelectorExpr) []step {
	sel := f.pass.TypesInfo.Selections[x]
	if sel == nil || sel.Kind() != types.FieldVal {
		return nil
	}
	var out []step
	t := sel.Recv()
	for _, i := range sel.Index() {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		out = append(out, step{s.Field(i), fieldName(t, s.Field(i))})
		t = s.Field(i).Type()
	}
	return out
}

// fieldName is the name of a field of a type; empty if that has none.
func fieldName(t types.Type, field *types.Var) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return path.Base(n.Obj().Pkg().Path()) + "." + n.Obj().Name() + "." + field.Name()
}

// fields notes what the fields of a structure are given.
func (f *finder) fields(lit *ast.CompositeLit) {
	t := f.pass.TypesInfo.TypeOf(lit)
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, el := range lit.Elts {
		if kv, ok := el.(*ast.KeyValueExpr); ok {
			if v, isField := f.pass.TypesInfo.Uses[kv.Key.(*ast.Ident)].(*types.Var); isField {
				f.field(fieldName(t, v), f.source(kv.Value))
			}
		} else if i < s.NumFields() {
			f.field(fieldName(t, s.Field(i)), f.source(el))
		}
	}
}

// field notes that a field is given something, if that is an object.
func (f *finder) field(name string, is local) {
	for range maxOrigin {
		id, ok := is.as.(*ast.Ident)
		if !ok {
			break
		}
		obj := f.pass.TypesInfo.Uses[id]
		if obj == types.Universe.Lookup("nil") {
			return
		}
		is = f.locals[obj]
	}
	switch {
	case name == "":
	case is.by != "":
		f.out.Fields = append(f.out.Fields, Field{Name: name, Via: []string{is.by}})
	default:
		f.out.Fields = append(f.out.Fields, Field{Name: name, Others: !is.made})
	}
}

// makes notes that a function gives a new object each time, if it does.
func (f *finder) makes(fn *types.Func, body *ast.BlockStmt) {
	m := Maker{Fn: named(fn)}
	some, all := false, true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			if len(n.Results) == 0 {
				all = false
				return false
			}
			is := f.source(n.Results[0])
			if id, ok := is.as.(*ast.Ident); ok {
				obj := f.pass.TypesInfo.Uses[id]
				if obj == types.Universe.Lookup("nil") {
					return false
				}
				is = f.locals[obj]
			}
			switch {
			case is.by != "":
				m.Via = append(m.Via, is.by)
			case !is.made:
				all = false
			}
			some = true
		}
		return true
	})
	if some && all {
		f.out.Makes = append(f.out.Makes, m)
	}
}
