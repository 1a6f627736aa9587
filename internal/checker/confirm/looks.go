package confirm

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
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
			if v := h.variable(sel.X); v != nil {
				h.variables[v] = true
			}
			return true
		})
	}
	return h.variables
}

// storing are the methods of maps and atomics that are given a value to keep, the last
// of their arguments.
var storing = []string{"Store", "LoadOrStore", "Swap", "CompareAndSwap"}

// stores are values of the types that the package keeps in the variables of the extension:
// what others put there in the place of the package is of these.
func (h *writer) stores() []string {
	about := h.about()
	runs := h.Runs
	h.Runs = "" // there is no world yet
	defer func() { h.Runs = runs }()
	var kept []types.Type
	for _, file := range h.pkg.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && slices.Contains(storing, sel.Sel.Name) && about[h.variable(sel.X)] {
				kept = append(kept, h.pkg.TypesInfo.TypeOf(call.Args[len(call.Args)-1]))
			}
			return true
		})
	}
	var all []string
	for _, t := range kept {
		if types.IsInterface(t) {
			continue
		}
		vs, err := h.Of(types.Default(t))
		if err != nil {
			continue
		}
		for _, v := range vs {
			code := fmt.Sprintf("func() any { return (%s)(%s) }", h.File.Type(types.Default(t)), v.Code)
			if v.Before == "" && !slices.Contains(all, code) {
				all = append(all, code)
			}
		}
	}
	return all
}

// variable is the field or variable that an expression names, nil if it names none.
func (h *writer) variable(e ast.Expr) *types.Var {
	e = ast.Unparen(e)
	if field, ok := e.(*ast.SelectorExpr); ok {
		e = field.Sel
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	v, ok := h.pkg.TypesInfo.Uses[id].(*types.Var)
	if !ok {
		return nil
	}
	return v.Origin()
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
