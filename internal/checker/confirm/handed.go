package confirm

import (
	"go/ast"
	"go/types"
	"slices"
)

// An operation may stand in a function literal that is handed to somebody else, who
// calls it: at once, in another goroutine, or when a timer fires.

// handed calls f with the functions that are given literals in which one of the
// operations stands.
func (l *loaded) handed(ops []Operation, f func(*types.Func)) {
	for _, file := range l.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return l.holds(arg, ops) }) {
				return true
			}
			var name *ast.Ident
			switch fun := ast.Unparen(call.Fun).(type) {
			case *ast.Ident:
				name = fun
			case *ast.SelectorExpr:
				name = fun.Sel
			default:
				return true
			}
			if fn, ok := l.TypesInfo.Uses[name].(*types.Func); ok {
				f(fn)
			}
			return true
		})
	}
}

// holds reports whether an argument is a function literal in which one of the
// operations stands.
func (l *loaded) holds(arg ast.Expr, ops []Operation) bool {
	lit, ok := ast.Unparen(arg).(*ast.FuncLit)
	return ok && slices.ContainsFunc(ops, func(op Operation) bool { return l.fileOf(lit) == op.File && l.spans(lit.Body, op.Line) })
}

// starts reports whether a function of the package starts a goroutine.
func (l *loaded) starts() (found bool) {
	for _, file := range l.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			_, is := n.(*ast.GoStmt)
			found = found || is
			return !found
		})
	}
	return found
}

// later reports whether a timer calls one of the operations.
func (l *loaded) later(ops []Operation) (found bool) {
	l.handed(ops, func(fn *types.Func) { found = found || fn.FullName() == "time.AfterFunc" })
	return found
}
