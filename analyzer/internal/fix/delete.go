package fix

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// deletion is the site of m.Delete(k) as a statement of its own; nil if there
// is not exactly one in an extension of two operations.
func (f *fixer) deletion() *site {
	deletes := f.only(catalog.Delete)
	if len(f.sites) != 2 || len(deletes) != 1 || deletes[0].fun.Name != "Delete" {
		return nil
	}
	if s := deletes[0]; s.statement() != nil && len(s.call.Args) == 1 {
		return s
	}
	return nil
}

// statement is the call as a statement; nil if it is part of another one.
func (s *site) statement() *ast.ExprStmt {
	stmt, ok := s.stack[len(s.stack)-1].(*ast.ExprStmt)
	if !ok || s.instr == nil {
		return nil
	}
	return stmt
}

// loadAndDelete makes one call of a Load and the Delete that comes next if
// something was found. It is for those functions that do nothing in between:
// where they do, it would be done after the removal and not before.
func (f *fixer) loadAndDelete() (candidate, bool) {
	del, loads := f.deletion(), f.only(catalog.Load)
	if del == nil || len(loads) != 1 {
		return candidate{}, false
	}
	load := loads[0]
	take, op := f.method(load, "LoadAndDelete")
	if take == nil || op.Kind != catalog.Delete || !sameRoles(op, load.op) || !f.next(load, del) {
		return candidate{}, false
	}
	gone, ok := f.removal(del.statement())
	return candidate{
		message: "Take the entry with LoadAndDelete",
		since:   since(take, "go1.15"),
		splices: []splice{{load.fun.Pos(), load.fun.End(), take.Name()}, gone},
	}, ok
}

func sameRoles(a, b *catalog.Op) bool {
	return len(a.Results) == 2 && a.Result(catalog.Old) == b.Result(catalog.Old) && a.Result(catalog.Had) == b.Result(catalog.Had)
}

// next reports whether the Delete is what comes next if the Load found
// something, and only then:
//
//	v, ok := m.Load(k); if !ok { leave }; m.Delete(k)
//	v, ok := m.Load(k); if ok { m.Delete(k); ... }
//	if v, ok := m.Load(k); ok { m.Delete(k); ... }
func (f *fixer) next(load, del *site) bool {
	assign, ok := load.stack[len(load.stack)-1].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 2 || len(assign.Rhs) != 1 {
		return false
	}
	flag, ok := assign.Lhs[1].(*ast.Ident)
	if !ok || flag.Name == "_" {
		return false
	}
	test, list, i := load.test(assign)
	if test == nil {
		return false
	}
	cond := ast.Unparen(test.Cond)
	if not, ok := cond.(*ast.UnaryExpr); ok && not.Op == token.NOT {
		return test.Else == nil && f.same(not.X, flag) && leaves(test.Body) &&
			test.Init != assign && i+1 < len(list) && list[i+1] == del.statement()
	}
	body := test.Body.List
	return f.same(cond, flag) && len(body) > 1 && body[0] == del.statement()
}

// test is the if statement that begins with the assignment, or follows it,
// with its place in a list of statements.
func (s *site) test(assign *ast.AssignStmt) (*ast.IfStmt, []ast.Stmt, int) {
	outer := s.stack[len(s.stack)-2]
	if test, ok := outer.(*ast.IfStmt); ok && test.Init == assign {
		return test, nil, 0
	}
	list := statements(outer)
	for i := 0; i+1 < len(list); i++ {
		test, ok := list[i+1].(*ast.IfStmt)
		if ok && list[i] == assign && test.Init == nil {
			return test, list, i + 1
		}
	}
	return nil, nil, 0
}

// statements is the list of statements that a node holds.
func statements(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// leaves reports whether control does not go on after the block.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	}
	return false
}

// same reports whether an expression is the variable that id names.
func (f *fixer) same(e ast.Expr, id *ast.Ident) bool {
	other, ok := ast.Unparen(e).(*ast.Ident)
	obj := f.c.Ps.Pass.TypesInfo.ObjectOf(id)
	return ok && obj != nil && f.c.Ps.Pass.TypesInfo.ObjectOf(other) == obj
}

// removal takes the line of a statement away, with a comment at its end, and
// the blank lines after it if there would be one before or a brace. It fails if
// the line has something else.
func (f *fixer) removal(stmt ast.Stmt) (splice, bool) {
	line := f.tok.LineStart(f.tok.Line(stmt.Pos()))
	_, end := f.remark(stmt)
	to := f.tok.Offset(end)
	if f.between(line, stmt.Pos()) != f.indent(stmt.Pos()) || !bytes.HasPrefix(f.src[to:], []byte("\n")) {
		return splice{}, false
	}
	to++
	before := f.src[:f.tok.Offset(line)]
	if bytes.HasSuffix(before, []byte("{\n")) || bytes.HasSuffix(before, []byte("\n\n")) {
		for {
			end := bytes.IndexByte(f.src[to:], '\n')
			if end < 0 || len(bytes.TrimSpace(f.src[to:to+end])) > 0 {
				break
			}
			to += end + 1
		}
	}
	return splice{line, f.tok.Pos(to), ""}, true
}

// conditional is a Delete of an entry that was looked at before.
type conditional struct {
	del  *site
	cad  *types.Func
	seen types.Object
}

// conditional finds it, if the deletion can name what it means to remove and
// that can be compared. Nothing may have been done for the removal before it:
// that would be done although another goroutine was faster.
func (f *fixer) conditional() *conditional {
	del := f.deletion()
	if del == nil {
		return nil
	}
	cad, op := f.method(del, "CompareAndDelete")
	if cad == nil || op.Kind != catalog.CAD {
		return nil
	}
	seen, v, from := f.seen(del)
	if v == nil || !f.visible(seen, del.call.Pos()) || !f.constant(seen) || !f.comparable(v, del.instr) || !f.quiet(from, del.instr) {
		return nil
	}
	return &conditional{del: del, cad: cad, seen: seen}
}

const deleteMessage = "Delete only the entry that was checked, with CompareAndDelete"

// call are the splices that make the call.
func (d *conditional) call() []splice {
	end := d.del.call.Args[0].End()
	return []splice{
		{d.del.fun.Pos(), d.del.fun.End(), d.cad.Name()},
		{end, end, ", " + d.seen.Name()},
	}
}

// compareAndDelete has the Delete remove the entry only if it is still the one
// that the function decided about. It is for a function that goes on as if
// there had been nothing to delete.
func (f *fixer) compareAndDelete() (candidate, bool) {
	d := f.conditional()
	if d == nil || !passesBy(d.del.instr) {
		return candidate{}, false
	}
	return candidate{message: deleteMessage, since: since(d.cad, "go1.20"), splices: d.call()}, true
}

// compareAndDeleteThen is for one that does more in that case: what comes
// after the Delete is done only if it removed the entry.
func (f *fixer) compareAndDeleteThen() (candidate, bool) {
	d := f.conditional()
	if d == nil {
		return candidate{}, false
	}
	list := statements(d.del.stack[len(d.del.stack)-2])
	i := slices.Index(list, ast.Stmt(d.del.statement()))
	if i < 0 || i+1 == len(list) {
		return candidate{}, false
	}
	stmt, last := list[i], list[len(list)-1]
	splices := append(d.call(), splice{stmt.Pos(), stmt.Pos(), "if "},
		splice{stmt.End(), stmt.End(), " {"}, splice{last.End(), last.End(), "\n}"})
	return candidate{message: deleteMessage, since: since(d.cad, "go1.20"), splices: splices}, true
}

// seen is the variable with the value that was found before the deletion: by
// a Load, or by the Range around it. From is where it is known.
func (f *fixer) seen(del *site) (v types.Object, value ssa.Value, from ssa.Instruction) {
	for _, s := range f.sites {
		switch {
		case s.op.Kind == catalog.Load && s.instr != nil && s.instr.Parent() == del.instr.Parent():
			v, value = f.loaded(s)
			return v, value, s.instr
		case s.op.Whole == catalog.Range && s.op.Callback != nil:
			v, value = f.visited(s, del)
			return v, value, del.instr.Parent().Blocks[0].Instrs[0]
		}
	}
	return nil, nil, nil
}

// loaded is the variable that a Load defines.
func (f *fixer) loaded(load *site) (types.Object, ssa.Value) {
	assign, ok := load.stack[len(load.stack)-1].(*ast.AssignStmt)
	i := load.op.Result(catalog.Old)
	if !ok || assign.Tok != token.DEFINE || len(assign.Rhs) != 1 || i < 0 || i >= len(assign.Lhs) {
		return nil, nil
	}
	id, ok := assign.Lhs[i].(*ast.Ident)
	if !ok {
		return nil, nil
	}
	return f.c.Ps.Pass.TypesInfo.Defs[id], load.resultOf(catalog.Old)
}

// visited is the parameter of the literal that Range calls.
func (f *fixer) visited(s, del *site) (types.Object, ssa.Value) {
	fn := del.instr.Parent()
	lit, ok := fn.Syntax().(*ast.FuncLit)
	i := indexOf(s.op.Callback.Params, catalog.Old)
	at := s.op.Param(catalog.Callback)
	if !ok || i < 0 || i >= len(fn.Params) || at < 0 || at >= len(s.call.Args) || ast.Unparen(s.call.Args[at]) != lit {
		return nil, nil
	}
	return fn.Params[i].Object(), fn.Params[i]
}

func indexOf(roles []catalog.Role, role catalog.Role) int {
	for i, r := range roles {
		if r == role {
			return i
		}
	}
	return -1
}

// visible reports whether the name of a variable means it at a position.
func (f *fixer) visible(v types.Object, at token.Pos) bool {
	if v == nil || v.Name() == "_" {
		return false
	}
	scope := f.c.Ps.Pass.Pkg.Scope().Innermost(at)
	if scope == nil {
		return false
	}
	_, obj := scope.LookupParent(v.Name(), at)
	return obj == v
}

// constant reports whether a variable keeps the value that it is defined with.
func (f *fixer) constant(v types.Object) bool {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && f.c.Ps.Pass.TypesInfo.Uses[id] == v
	}
	assigned := false
	ast.Inspect(f.decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				assigned = assigned || is(e)
			}
		case *ast.IncDecStmt:
			assigned = assigned || is(n.X)
		case *ast.UnaryExpr:
			assigned = assigned || n.Op == token.AND && is(n.X)
		case *ast.RangeStmt:
			assigned = assigned || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return true
	})
	return !assigned
}

// since is the Go version if the function is in the standard library.
func since(fn *types.Func, version string) string {
	if ssaprog.IsStandard(fn.Pkg()) {
		return version
	}
	return ""
}
