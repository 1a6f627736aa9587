package confirm

import (
	"go/ast"
	"go/types"
)

// looks reports whether a function returns something and names the variable that
// the extension is about, so that a call of it after all others tells what they
// came to. Others may tell of counters and the like that have nothing to do with
// the finding.
func (h *writer) looks(fn *types.Func) bool {
	decl := h.pkg.bodies[fn.Origin()]
	if fn.Signature().Results().Len() == 0 || decl == nil || decl.Body == nil {
		return false
	}
	about := h.about()
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			v, isVar := h.pkg.TypesInfo.Uses[id].(*types.Var)
			found = isVar && about[v.Origin()]
		}
		return !found
	})
	return found
}

// about are the fields and package variables that the base operations act on.
func (h *writer) about() map[*types.Var]bool {
	if h.variables != nil {
		return h.variables
	}
	h.variables = map[*types.Var]bool{}
	for _, v := range h.sections() {
		h.variables[v] = true
	}
	for _, file := range h.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if !ok || !h.operates(sel.Sel) {
				return true
			}
			on := ast.Unparen(sel.X)
			if field, ok := on.(*ast.SelectorExpr); ok {
				on = field.Sel
			}
			if id, ok := on.(*ast.Ident); ok {
				if v, ok := h.pkg.TypesInfo.Uses[id].(*types.Var); ok {
					h.variables[v.Origin()] = true
				}
			}
			return true
		})
	}
	return h.variables
}

// operates reports whether the name of a method is that of a base operation of
// the finding.
func (h *writer) operates(name *ast.Ident) bool {
	at := h.pkg.Fset.Position(name.Pos())
	for _, op := range h.f.Operations {
		if op.Name == name.Name && op.Line == at.Line && op.File == at.Filename {
			return true
		}
	}
	return false
}
