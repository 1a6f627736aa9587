package fix

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// update is a Load, and a Store of what was made of it.
type update struct {
	*fixer
	load, store *site
	stmt        *ast.ExprStmt
}

// update finds it; nil if the extension is something else.
func (f *fixer) update() *update {
	loads, stores := f.only(catalog.Load), f.only(catalog.Store)
	if len(f.sites) != 2 || len(loads) != 1 || len(stores) != 1 {
		return nil
	}
	u := &update{fixer: f, load: loads[0], store: stores[0]}
	u.stmt = u.store.statement()
	if u.stmt == nil || u.load.instr == nil || !ways.Before(u.load.instr, u.store.instr) ||
		u.store.op.Param(catalog.Value) != len(u.store.call.Args)-1 {
		return nil
	}
	return u
}

// value is what is stored.
func (u *update) value() ast.Expr { return u.store.call.Args[len(u.store.call.Args)-1] }

// testAndSet makes one call of the test of a flag and the Store that sets it.
func (f *fixer) testAndSet() (candidate, bool) {
	u := f.update()
	if u == nil {
		return candidate{}, false
	}
	cas, op := f.method(u.load, "CompareAndSwap")
	set, ok := f.flag(u.value())
	if cas == nil || op.Kind != catalog.CAS || op.Type.Cell != catalog.AtomicCell || !ok {
		return candidate{}, false
	}
	from, not, ok := u.setNext(set)
	if !ok {
		return candidate{}, false
	}
	sel := ast.Unparen(u.load.call.Fun).(*ast.SelectorExpr)
	was := "true"
	if set == "true" {
		was = "false"
	}
	gone, ok := f.removal(u.stmt)
	return candidate{
		message: "Test and set the flag with CompareAndSwap",
		since:   since(cas, "go1.19"),
		splices: []splice{
			{from.Pos(), from.End(), not + f.text(sel.X) + "." + cas.Name() + "(" + was + ", " + set + ")"},
			gone,
		},
	}, ok
}

// flag is the text of a constant boolean.
func (f *fixer) flag(e ast.Expr) (string, bool) {
	tv := f.c.Ps.Pass.TypesInfo.Types[e]
	if b, ok := tv.Type.Underlying().(*types.Basic); !ok || b.Info()&types.IsBoolean == 0 || tv.Value == nil {
		return "", false
	}
	return tv.Value.ExactString(), true
}

// setNext finds the condition to replace, and whether the swap is negated
// there. The Store has to be what comes next if the flag is not yet set:
//
//	if f.Load() { leave }; f.Store(true)
//	if !f.Load() { f.Store(true); ... }
func (u *update) setNext(set string) (cond ast.Expr, not string, ok bool) {
	stack := u.load.stack
	cond = u.load.call
	negated := false
	if n, ok := stack[len(stack)-1].(*ast.UnaryExpr); ok && n.Op == token.NOT {
		cond, negated, stack = n, true, stack[:len(stack)-1]
	}
	test, ok := stack[len(stack)-1].(*ast.IfStmt)
	if !ok || test.Cond != cond {
		return nil, "", false
	}
	if negated == (set == "true") { // the body is for a flag that is not set
		body := test.Body.List
		return cond, "", len(body) > 1 && body[0] == u.stmt
	}
	list := statements(stack[len(stack)-2])
	for i := 0; i+1 < len(list); i++ {
		if list[i] == test && list[i+1] == u.stmt {
			return cond, "!", test.Else == nil && leaves(test.Body)
		}
	}
	return nil, "", false
}
