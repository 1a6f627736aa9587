package callers

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Two goroutines that run one function may have an object each: those of two connections,
// each of which one goroutine reads from.
//
//	func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
//		c := newConn(w, r)
//		go c.read() // on this connection, there is no other one
//
// So of a call it is noted what it is on, if that is said by a variable of the function: the
// object of the method itself, or one that was made there, or is one of a list.

// local is where a local variable has its value from.
type local struct {
	// in is the function that it is a variable of, and pos where it is declared.
	in  string
	pos token.Pos
	// made says that it is a new object, and listed that it is one of those that a loop is
	// over; by is the function that has given it otherwise.
	made, listed bool
	by           string
}

// variables are the local variables of a function, and of the literals in it, that are given
// a value once.
func (f *finder) variables(body *ast.BlockStmt, id string) map[types.Object]local {
	out, again := map[types.Object]local{}, map[types.Object]bool{}
	var in func(n ast.Node, id string)
	in = func(n ast.Node, id string) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
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
	in(body, id)
	for obj := range again {
		delete(out, obj)
	}
	return out
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
	case *ast.UnaryExpr:
		if x.Op == token.AND {
			return f.source(x.X)
		}
	case *ast.CallExpr:
		if id, ok := ast.Unparen(x.Fun).(*ast.Ident); ok && f.pass.TypesInfo.Uses[id] == types.Universe.Lookup("new") {
			return local{made: true}
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
	id, ok := ast.Unparen(sel.X).(*ast.Ident)
	if !ok {
		return Object{}
	}
	obj := f.pass.TypesInfo.Uses[id]
	if obj == nil {
		return Object{}
	}
	is, known := f.locals[obj]
	switch {
	case obj == at.recv:
		return Object{From: Same}
	case !known || !is.made && !is.listed && is.by == "":
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
	return Object{From: from, In: is.in, By: is.by, Each: round.IsValid() && round < is.pos}
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
			if id, ok := ast.Unparen(n.Results[0]).(*ast.Ident); ok {
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
