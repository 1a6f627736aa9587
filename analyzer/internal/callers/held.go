package callers

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A lock that a caller holds is seen where he takes it, by the text: from the call of Lock
// to the last Unlock behind it, or to the end of the function if that is deferred.
//
//	l := s.locks[name]
//	l.Lock()
//	defer l.Unlock()
//	s.store.Save(name, v) // of another package, which has no lock of its own

// hold is the part of a function in which a lock is held.
type hold struct {
	lock     string
	whole    bool
	from, to token.Pos
}

// under is the last lock that was taken of those that are held at a place; empty if there
// is none.
func (at place) under(pos token.Pos) (lock string, whole bool) {
	for _, h := range at.held {
		if h.from <= pos && pos < h.to {
			lock, whole = h.lock, h.whole
		}
	}
	return lock, whole
}

// holds are the parts of a function in which locks are held.
func (f *finder) holds(body *ast.BlockStmt, at place) []hold {
	h := holder{finder: f, at: at, end: body.End(), last: map[string]token.Pos{}, deferred: map[string]bool{}}
	h.visit(body)
	for i, part := range h.parts {
		if to := h.last[part.lock]; to > part.from && !h.deferred[part.lock] {
			h.parts[i].to = to
		}
	}
	return h.parts
}

// holder goes through a function for its locks.
type holder struct {
	*finder
	at    place
	end   token.Pos
	parts []hold
	// last is where a lock is given back last, and deferred says that a lock is given back
	// at the end.
	last     map[string]token.Pos
	deferred map[string]bool
	atEnd    bool
}

func (h *holder) visit(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			h.atEnd = true
			if lit, ok := ast.Unparen(n.Call.Fun).(*ast.FuncLit); ok {
				h.visit(lit.Body)
			} else {
				h.visit(n.Call)
			}
			h.atEnd = false
			return false
		case *ast.CallExpr:
			h.call(n)
		}
		return true
	})
}

func (h *holder) call(call *ast.CallExpr) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := h.pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return
	}
	queue := fn.Pkg() != nil && queues[fn.Pkg().Path()] && fn.Name() == "Get"
	switch {
	case takesLock[fn.Name()], queue:
		h.parts = append(h.parts, hold{h.lock(sel.X, h.at), queue || h.isVariable(sel.X), call.End(), h.end})
	case !givesBack[fn.Name()]:
	case h.atEnd:
		h.deferred[h.lock(sel.X, h.at)] = true
	default:
		h.last[h.lock(sel.X, h.at)] = call.Pos()
	}
}

// lock is one name for a lock of all objects of a type: a field by the type that has it, a
// variable of a method by the type of its object.
func (f *finder) lock(x ast.Expr, at place) string {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if t := f.typeOf(x.X); t != "" {
			return t + "." + x.Sel.Name
		}
		return x.Sel.Name
	case *ast.Ident:
		obj := f.pass.TypesInfo.Uses[x]
		switch {
		case obj == nil:
			return x.Name
		case obj.Parent() == f.pass.Pkg.Scope():
			return f.pass.Pkg.Path() + "." + x.Name
		case obj == at.recv:
			return f.typeOf(x) // which has the lock in it
		case at.recv == nil:
			return at.fn + "." + x.Name
		}
		return typeName(at.recv.Type()) + "." + x.Name
	}
	return f.typeOf(x)
}

// isVariable reports whether a lock is a variable of a package, or a part of one.
func (f *finder) isVariable(x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.SelectorExpr:
		if f.pass.TypesInfo.Selections[x] != nil {
			return f.isVariable(x.X)
		}
		return true
	case *ast.Ident:
		obj := f.pass.TypesInfo.Uses[x]
		return obj != nil && obj.Parent() == f.pass.Pkg.Scope()
	}
	return false
}

func (f *finder) typeOf(x ast.Expr) string { return typeName(f.pass.TypesInfo.TypeOf(x)) }

// typeName is the name of a type, or of what it points to; empty if it has none.
func typeName(t types.Type) string {
	if t == nil {
		return ""
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	return types.TypeString(n.Origin(), nil)
}
