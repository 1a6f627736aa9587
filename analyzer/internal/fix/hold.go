package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
)

// lockStatement is a statement that takes or releases the guard of an extension.
type lockStatement struct {
	stmt ast.Stmt
	// list are the statements beside it, and block what they are in.
	list     []ast.Stmt
	takes    bool
	deferred bool
}

// holdOver takes the guard of plain memory once, for all of the function, where it was
// taken twice:
//
//	p.mu.RLock()                 p.mu.Lock()
//	c, ok := p.conns[addr]       defer p.mu.Unlock()
//	p.mu.RUnlock()               c, ok := p.conns[addr]
//	if !ok {                     if !ok {
//		c = &conn{}                  c = &conn{}
//		p.mu.Lock()                  p.conns[addr] = c
//		p.conns[addr] = c        }
//		p.mu.Unlock()            return c
//	}
//	return c
//
// What the function then does under the lock must neither take it nor wait, as far as
// is known: other code is left alone.
func (f *fixer) holdOver() (candidate, bool) {
	if f.decl == nil || f.decl.Body == nil || !f.staysInside() {
		return candidate{}, false
	}
	all, ok := f.guardStatements()
	if !ok || len(all) != 4 || !takenTwice(all) || !slices.Contains(f.decl.Body.List, all[0].stmt) || !slices.Contains(f.decl.Body.List, all[1].stmt) {
		return candidate{}, false
	}
	lock := f.x.Guard + ".Lock()\n" + f.indent(all[0].stmt.Pos()) + "defer " + f.x.Guard + ".Unlock()"
	splices := []splice{{all[0].stmt.Pos(), all[0].stmt.End(), lock}}
	for _, s := range all[1:] {
		gone, ok := f.removal(s.stmt)
		if !ok {
			return candidate{}, false
		}
		splices = append(splices, gone)
	}
	return candidate{message: "Hold " + f.x.Guard + " over both", splices: splices}, true
}

// takenTwice reports whether the statements take the guard, release it, and do so again;
// the second time the release can be deferred.
func takenTwice(all []lockStatement) bool {
	return all[0].takes && !all[1].takes && all[2].takes && !all[3].takes && !all[1].deferred &&
		slices.Contains(all[0].list, all[1].stmt) && slices.Contains(all[2].list, all[3].stmt)
}

// guardStatements are the statements of the declaration that take or release the guard,
// in order; false if there are any other uses of it.
func (f *fixer) guardStatements() ([]lockStatement, bool) {
	var all []lockStatement
	ok := true
	ast.PreorderStack(f.decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		sel, isSel := n.(*ast.SelectorExpr)
		if !isSel || f.text(sel.X) != f.x.Guard {
			return true
		}
		s, known := f.lockStatement(sel, stack)
		ok = ok && known
		all = append(all, s)
		return false
	})
	slices.SortFunc(all, func(a, b lockStatement) int {
		if a.stmt == nil || b.stmt == nil {
			return 0
		}
		return int(a.stmt.Pos()) - int(b.stmt.Pos())
	})
	return all, ok
}

// lockStatement is what a selection of the guard's method is a part of; stack are the
// nodes around it.
func (f *fixer) lockStatement(sel *ast.SelectorExpr, stack []ast.Node) (lockStatement, bool) {
	fn, ok := f.c.Ps.Pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || len(stack) < 3 {
		return lockStatement{}, false
	}
	s := lockStatement{}
	switch f.c.Ps.Res.Classify(fn) {
	case catalog.Lock, catalog.RLock:
		s.takes = true
	case catalog.Unlock, catalog.RUnlock:
	default:
		return lockStatement{}, false
	}
	switch stmt := stack[len(stack)-2].(type) {
	case *ast.ExprStmt:
		s.stmt = stmt
	case *ast.DeferStmt:
		s.stmt, s.deferred = stmt, true
	default:
		return lockStatement{}, false
	}
	s.list = statements(stack[len(stack)-3])
	inLiteral := slices.ContainsFunc(stack, func(n ast.Node) bool { _, is := n.(*ast.FuncLit); return is })
	inLoop := slices.ContainsFunc(stack, isLoop)
	return s, !inLiteral && !inLoop && slices.Contains(s.list, s.stmt)
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// staysInside reports whether all that the function does can be done under its guard:
// what it calls is known, takes no lock and waits for nobody, and it does not itself.
func (f *fixer) staysInside() bool {
	fn, locks := f.x.In.Fn, 0
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch v := instr.(type) {
			case *ssa.Send, *ssa.Select:
				return false
			case *ssa.UnOp:
				if v.Op == token.ARROW {
					return false
				}
			case ssa.CallInstruction:
				switch f.kind(v) {
				case calls.Lock, calls.Unlock:
					locks++
				default:
					if !f.callStays(v) {
						return false
					}
				}
			}
		}
	}
	return locks == twoSections // and none of another mutex
}

// twoSections are the calls that take and release a lock twice.
const twoSections = 4

// kind is what a call is.
func (f *fixer) kind(call ssa.CallInstruction) calls.Kind {
	if _, builtin := call.Common().Value.(*ssa.Builtin); builtin {
		return calls.Pure
	}
	return f.c.Ps.Res.Call(call.Parent(), call).Kind
}

func (f *fixer) callStays(call ssa.CallInstruction) bool {
	if _, isGo := call.(*ssa.Go); isGo || computes(f.kind(call)) {
		return true
	}
	callee, _ := calls.Callee(call)
	return f.kind(call) == calls.Inline && f.onlyComputes(f.c.Ps.Res.Local(callee))
}

// computes reports whether a call of that kind comes back, and takes no lock.
func computes(kind calls.Kind) bool {
	switch kind {
	case calls.Pure, calls.ReadOnly, calls.Drawn, calls.Quiet, calls.Fresh, calls.Same:
		return true
	}
	return false
}

// onlyComputes reports whether all calls in a function do.
func (f *fixer) onlyComputes(fn *ssa.Function) bool {
	if fn == nil {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && !computes(f.kind(call)) {
				return false
			}
		}
	}
	return true
}
