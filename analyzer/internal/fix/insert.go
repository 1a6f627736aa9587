package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// insertion is a Store that only happens if a Load found nothing.
type insertion struct {
	store  *site
	stmt   *ast.ExprStmt
	insert *types.Func
	// held is the type of what the insertion returns.
	held types.Type
	call string
}

// insertion finds it. What is stored has to be there already: LoadOrStore with
// a constructor as its argument would run that also for those who lose, and
// there it is not seen.
func (f *fixer) insertion() *insertion {
	loads, stores := f.only(catalog.Load), f.only(catalog.Store)
	if len(f.sites) != 2 || len(loads) != 1 || len(stores) != 1 {
		return nil
	}
	load, store := loads[0], stores[0]
	stmt := store.statement()
	if stmt == nil || load.instr == nil || len(store.call.Args) != 2 || f.hasCalls(store.call.Args[1]) {
		return nil
	}
	insert, op := f.method(store, "LoadOrStore")
	if insert == nil || op.Kind != catalog.Insert || op.Split != 0 || len(op.Results) != 2 || op.Result(catalog.Actual) != 0 {
		return nil
	}
	if !onlyIf(load.instr, store.instr, load.resultOf(catalog.Had), false) {
		return nil
	}
	sel := ast.Unparen(store.call.Fun).(*ast.SelectorExpr)
	return &insertion{
		store: store, stmt: stmt, insert: insert,
		held: f.resultType(sel, insert.Name()),
		call: f.text(sel.X) + "." + insert.Name() + f.between(store.call.Lparen, store.call.End()),
	}
}

// resultType is the first result of a method as the receiver has it.
func (f *fixer) resultType(sel *ast.SelectorExpr, method string) types.Type {
	obj, _, _ := types.LookupFieldOrMethod(f.receiver(sel), true /* addressable */, f.c.Ps.Pass.Pkg, method)
	return obj.(*types.Func).Signature().Results().At(0).Type()
}

// hasCalls reports whether an expression does more than to compute from what
// is there: calls other than conversions and the harmless builtins, receives,
// function literals.
func (f *fixer) hasCalls(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !f.isHarmless(n)
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.FuncLit:
			found = true
		}
		return !found
	})
	return found
}

// isHarmless reports whether a call is a conversion, or of a builtin without
// effects.
func (f *fixer) isHarmless(call *ast.CallExpr) bool {
	tv := f.c.Ps.Pass.TypesInfo.Types[call.Fun]
	if tv.IsType() {
		return true
	}
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && tv.IsBuiltin() && slices.Contains([]string{"cap", "complex", "imag", "len", "make", "max", "min", "new", "real"}, id.Name)
}

const insertMessage = "Keep the entry that is there, with LoadOrStore"

// loadOrStore is for a function that goes on as if it had found the entry.
func (f *fixer) loadOrStore() (candidate, bool) {
	in := f.insertion()
	if in == nil || !passesBy(in.store.instr) {
		return candidate{}, false
	}
	return f.inserting(in, insertMessage, splice{in.stmt.Pos(), in.stmt.End(), in.call}), true
}

// loadOrStoreThen is for one that does more after the Store: it is done only
// if the entry is the function's own.
func (f *fixer) loadOrStoreThen() (candidate, bool) {
	in := f.insertion()
	if in == nil {
		return candidate{}, false
	}
	list := statements(in.store.stack[len(in.store.stack)-2])
	i := slices.Index(list, ast.Stmt(in.stmt))
	if i < 0 || i+1 == len(list) {
		return candidate{}, false
	}
	loaded, last := f.freshName("loaded"), list[len(list)-1]
	return f.inserting(in, insertMessage,
		splice{in.stmt.Pos(), in.stmt.End(), "if _, " + loaded + " := " + in.call + "; !" + loaded + " {"},
		splice{last.End(), last.End(), "\n}"}), true
}

func (f *fixer) inserting(in *insertion, message string, splices ...splice) candidate {
	return candidate{message: message, splices: splices, since: since(in.insert, "go1.9")}
}

// loadOrStoreUsed is for a function that goes on with the value: from the
// Store on, it has the one that is in the map.
func (f *fixer) loadOrStoreUsed() (candidate, bool) {
	in := f.insertion()
	if in == nil {
		return candidate{}, false
	}
	id, ok := ast.Unparen(in.store.call.Args[1]).(*ast.Ident)
	if !ok || !f.isOwn(id) || !f.onlyAbout(in.store.instr) {
		return candidate{}, false
	}
	const message = "Use the value that LoadOrStore returns"
	later := f.usesAfter(id, in.stmt)
	if len(later) == 0 {
		return candidate{}, false
	}
	t := f.c.Ps.Pass.TypesInfo.ObjectOf(id).Type()
	if types.Identical(t, in.held) {
		return f.inserting(in, message, splice{in.stmt.Pos(), in.stmt.End(), id.Name + ", _ = " + in.call}), true
	}
	text, ok := f.typeText(t)
	if !ok || !types.IsInterface(in.held) {
		return candidate{}, false
	}
	actual := f.freshName("actual")
	define := actual + ", _ := " + in.call
	if use, as := f.returned(in, later); use != nil && (types.Identical(as, in.held) || !types.IsInterface(t)) {
		result := actual
		if !types.Identical(as, in.held) {
			result += ".(" + text + ")"
		}
		return f.inserting(in, message, splice{in.stmt.Pos(), in.stmt.End(), define},
			splice{use.Pos(), use.End(), result}), true
	}
	left := id.Name
	if types.IsInterface(t) {
		// An interface in an interface is nil if it was nil before; an
		// assertion with one result would panic then.
		left += ", _"
	}
	remark, end := f.remark(in.stmt)
	return f.inserting(in, message, splice{in.stmt.Pos(), end,
		define + remark + "\n" + f.indent(in.stmt.Pos()) + left + " = " + actual + ".(" + text + ")"}), true
}

// isOwn reports whether id is a variable of the function that makes the call,
// and of nobody else: no literal uses it, and it has no pointer to it.
func (f *fixer) isOwn(id *ast.Ident) bool {
	obj, ok := f.c.Ps.Pass.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || obj.IsField() || obj.Parent() == nil || obj.Parent() == f.c.Ps.Pass.Pkg.Scope() {
		return false
	}
	shared := false
	ast.PreorderStack(f.decl, nil, func(n ast.Node, stack []ast.Node) bool {
		use, ok := n.(*ast.Ident)
		if !ok || f.c.Ps.Pass.TypesInfo.ObjectOf(use) != obj {
			return true
		}
		for i, outer := range stack {
			if lit, ok := outer.(*ast.FuncLit); ok && (obj.Pos() < lit.Pos() || lit.End() <= obj.Pos()) {
				shared = true
			}
			if u, ok := outer.(*ast.UnaryExpr); ok && u.Op == token.AND && i == len(stack)-1 {
				shared = true
			}
		}
		return true
	})
	return !shared
}

// usesAfter are the uses of a variable after a statement. In a loop that the
// variable outlives, all uses in the loop come after it.
func (f *fixer) usesAfter(id *ast.Ident, stmt ast.Stmt) []*ast.Ident {
	obj := f.c.Ps.Pass.TypesInfo.ObjectOf(id)
	from := stmt.End()
	ast.PreorderStack(f.decl, nil, func(n ast.Node, stack []ast.Node) bool {
		if n == stmt {
			for _, outer := range stack {
				switch outer.(type) {
				case *ast.ForStmt, *ast.RangeStmt:
					if obj.Pos() < outer.Pos() {
						from = min(from, outer.Pos())
					}
				}
			}
		}
		return true
	})
	var uses []*ast.Ident
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if use, ok := n.(*ast.Ident); ok && f.c.Ps.Pass.TypesInfo.Uses[use] == obj &&
			use.Pos() >= from && (use.Pos() < stmt.Pos() || stmt.End() <= use.Pos()) {
			uses = append(uses, use)
		}
		return true
	})
	return uses
}

// returned is the only use if it is a result of the return statement that is
// next, and that result's type: what LoadOrStore gives then needs no variable
// of its own type.
func (f *fixer) returned(in *insertion, uses []*ast.Ident) (use *ast.Ident, as types.Type) {
	list := statements(in.store.stack[len(in.store.stack)-2])
	i := slices.Index(list, ast.Stmt(in.stmt))
	if i < 0 || i+1 >= len(list) || len(uses) != 1 {
		return nil, nil
	}
	ret, ok := list[i+1].(*ast.ReturnStmt)
	if !ok {
		return nil, nil
	}
	results := in.store.instr.Parent().Signature.Results()
	n := slices.Index(ret.Results, ast.Expr(uses[0]))
	if n < 0 || results.Len() != len(ret.Results) {
		return nil, nil
	}
	return uses[0], results.At(n).Type()
}
