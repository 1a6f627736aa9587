package confirm

import (
	"go/ast"
	"go/token"
)

// deferredTo are the lines on which an operation is called that a defer
// statement names: those where its function ends. There are none if it is not
// deferred.
func (l *loaded) deferredTo(op Operation) []int {
	var lines []int
	for _, file := range l.Syntax {
		if l.Fset.Position(file.Pos()).Filename != op.File {
			continue
		}
		var bodies []*ast.BlockStmt // of the functions around
		ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
			if d, ok := n.(*ast.DeferStmt); ok && l.names(d.Call, op) {
				bodies = append(bodies, innermost(stack))
			}
			return true
		})
		for _, body := range bodies {
			for _, end := range ends(body) {
				lines = append(lines, l.Fset.Position(end).Line)
			}
		}
	}
	return lines
}

// names reports whether a call is that of the operation.
func (l *loaded) names(call *ast.CallExpr, op Operation) bool {
	fun := ast.Unparen(call.Fun)
	name := fun
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		name = sel.Sel
	}
	id, ok := name.(*ast.Ident)
	return ok && id.Name == op.Name && l.Fset.Position(id.Pos()).Line == op.Line
}

// innermost is the body of the function that a node is in.
func innermost(stack []ast.Node) *ast.BlockStmt {
	for i := len(stack) - 1; i >= 0; i-- {
		switch f := stack[i].(type) {
		case *ast.FuncDecl:
			return f.Body
		case *ast.FuncLit:
			return f.Body
		}
	}
	return nil
}

// ends are the places where a function ends.
func ends(body *ast.BlockStmt) []token.Pos {
	all := []token.Pos{body.Rbrace}
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			all = append(all, r.Pos())
		}
		_, nested := n.(*ast.FuncLit)
		return !nested
	})
	return all
}
