package outside

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/packages"
)

// read notes what a piece of syntax mentions.
func (p *Program) read(l *packages.Package, f *function, n ast.Node) {
	if n == nil {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if fn, ok := l.TypesInfo.Uses[n].(*types.Func); ok {
				p.mention(f, fn)
			}
		case *ast.CallExpr:
			f.gives = f.gives || p.givesAway(l.TypesInfo, n)
		}
		return true
	})
}

// mention notes that a function names another one.
func (p *Program) mention(f *function, fn *types.Func) {
	if fn.Pkg() == nil { // error.Error
		f.gives = true
		return
	}
	path, name := plain(fn.Pkg().Path()), Name(fn)
	full := path + "." + name
	if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		if reflection[full] {
			f.note("reflection, " + full)
		} else if i, ok := recv.Type().Underlying().(*types.Interface); ok {
			f.dynamic = append(f.dynamic, dynamic{fn.Name(), described(fn), hasTypeParam(fn.Signature()), methodNames(i)})
		}
		return
	}
	switch {
	case reflection[full]:
		f.note("reflection, " + full)
	case !p.isStandard(fn.Pkg()):
		f.calls = append(f.calls, Key(fn))
	case standard(path, name):
		f.note(full)
	}
}

func (f *function) note(what string) {
	if f.reaches == "" {
		f.reaches = what
	}
}

func methodNames(i *types.Interface) []string {
	var all []string
	for m := range i.Methods() {
		all = append(all, m.Name())
	}
	return all
}

// hasTypeParam reports whether a type parameter is among the types of a
// function's parameters and results, at any depth that its text shows.
func hasTypeParam(sig *types.Signature) bool {
	found := false
	var visit func(t types.Type, depth int)
	visit = func(t types.Type, depth int) {
		if found || depth > maxTypeDepth {
			return
		}
		switch t := types.Unalias(t).(type) {
		case *types.TypeParam:
			found = true
		case interface{ Elem() types.Type }:
			visit(t.Elem(), depth+1)
			if m, ok := t.(*types.Map); ok {
				visit(m.Key(), depth+1)
			}
		case *types.Named:
			for a := range t.TypeArgs().Types() {
				visit(a, depth+1)
			}
		case *types.Signature:
			found = found || hasTypeParam(t)
		}
	}
	for _, tuple := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range tuple.Variables() {
			visit(v.Type(), 0)
		}
	}
	return found
}

const maxTypeDepth = 8

// isStandard reports whether a package is of the standard library.
func (p *Program) isStandard(pkg *types.Package) bool { return !p.modules[plain(pkg.Path())] }

// givesAway reports whether a call gives something to a function of the standard
// library as a value of an interface.
func (p *Program) givesAway(info *types.Info, call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return false
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok || fn.Pkg() == nil || !p.isStandard(fn.Pkg()) {
		return false
	}
	for v := range fn.Signature().Params().Variables() {
		t := v.Type()
		if s, ok := t.(*types.Slice); ok {
			t = s.Elem()
		}
		if types.IsInterface(t) {
			return true
		}
	}
	return false
}
