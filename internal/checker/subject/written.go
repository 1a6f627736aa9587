package subject

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/checker/lineup"
)

// written gives the invocation for a call of a test that the user has
// written. Its arguments are Go expressions: they are checked here, so that a
// mistake is reported in the words of the test.
func (t *Target) written(pkg *types.Package, c lineup.Call) (invocation, error) {
	m := t.method(c.Method)
	if m == nil {
		return invocation{}, fmt.Errorf("%s: %s has no exported method %s%s", c, t.Name, c.Method, t.methodNames())
	}
	sig := m.Signature()
	if n := sig.Params().Len(); len(c.Args) != n && !(sig.Variadic() && len(c.Args) >= n-1) {
		return invocation{}, fmt.Errorf("%s: found %d arguments, want %s", c, len(c.Args), sig.Params())
	}
	inv := invocation{call: c, method: m}
	for i, text := range c.Args {
		code, err := t.expression(pkg, text, paramType(sig, i))
		if err != nil {
			return invocation{}, fmt.Errorf("%s: %w", c, err)
		}
		inv.args = append(inv.args, code)
	}
	return inv, nil
}

// paramType is the type of the i-th argument of a call.
func paramType(sig *types.Signature, i int) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last {
		return sig.Params().At(last).Type().(*types.Slice).Elem()
	}
	return sig.Params().At(i).Type()
}

// expression checks an argument against the type of its parameter, and gives
// it as the file writes it.
func (t *Target) expression(pkg *types.Package, text string, want types.Type) (string, error) {
	e, err := parser.ParseExpr(text)
	if err != nil {
		return "", fmt.Errorf("found %q, want a Go expression", text)
	}
	if _, isFunc := want.Underlying().(*types.Signature); isFunc {
		if _, isLiteral := e.(*ast.FuncLit); isLiteral {
			return text, nil // checked by the compiler
		}
	}
	scope := withImports(pkg)
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if err := types.CheckExpr(token.NewFileSet(), scope, token.NoPos, e, info); err != nil {
		return "", fmt.Errorf("argument %s: %w", text, err)
	}
	if got := info.Types[e]; !assignable(got, want) {
		return "", fmt.Errorf("argument %s is of type %s, want %s", text, got.Type, want)
	}
	return t.qualified(e, info)
}

// withImports is a package in which expressions see what the package declares
// and what it imports.
func withImports(pkg *types.Package) *types.Package {
	p := types.NewPackage(pkg.Path(), pkg.Name())
	for _, name := range pkg.Scope().Names() {
		p.Scope().Insert(pkg.Scope().Lookup(name))
	}
	for _, imported := range pkg.Imports() {
		p.Scope().Insert(types.NewPkgName(token.NoPos, p, imported.Name(), imported))
	}
	return p
}

// assignable reports whether an argument fits its parameter.
func assignable(got types.TypeAndValue, want types.Type) bool {
	switch {
	case got.Type == nil:
		return false
	case types.AssignableTo(got.Type, want):
		return true
	}
	// What is untyped here gets its type from the parameter.
	b, ok := got.Type.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0 && types.ConvertibleTo(types.Default(b), want)
}

// qualified writes an expression with the package names of the file.
func (t *Target) qualified(e ast.Expr, info *types.Info) (string, error) {
	for id, obj := range info.Uses {
		switch obj := obj.(type) {
		case *types.PkgName:
			id.Name = t.file.Qualify(obj.Imported())
		default:
			if p := obj.Pkg(); p != nil && obj.Parent() == p.Scope() && p.Path() != t.file.Path() && !isSelected(e, id) {
				id.Name = t.file.Qualify(p) + "." + id.Name
			}
		}
	}
	var out strings.Builder
	err := format.Node(&out, token.NewFileSet(), e)
	return out.String(), err
}

// isSelected reports whether an identifier is the second part of a selector.
func isSelected(e ast.Expr, id *ast.Ident) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel == id {
			found = true
		}
		return !found
	})
	return found
}
