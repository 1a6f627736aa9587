package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
)

// send makes `c <- v` a call: Sender(c)(v).
func (w *rewriter) send(s *ast.SendStmt) {
	w.wrap(s, w.use("Sender")+"(", ")")
	w.replace(s.Arrow, s.Arrow+2, ")(")
}

// receive makes `<-c` a call: Receive(c), or ReceiveOK(c) where it is asked
// whether the channel is closed.
func (w *rewriter) receive(e *ast.UnaryExpr, parents map[ast.Node]ast.Node) {
	function := "Receive"
	if wantsOK(w.info, e, parents) {
		function = "ReceiveOK"
	}
	w.wrap(e, w.use(function)+"(", ")")
	w.replace(e.OpPos, e.OpPos+2, "")
}

// wantsOK reports whether an expression is used with a second, boolean value.
func wantsOK(info *types.Info, e ast.Expr, parents map[ast.Node]ast.Node) bool {
	if _, ok := info.TypeOf(e).(*types.Tuple); ok {
		return true
	}
	n := parents[e]
	for {
		paren, ok := n.(*ast.ParenExpr)
		if !ok {
			break
		}
		n = parents[paren]
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		return len(n.Lhs) == 2 && len(n.Rhs) == 1
	case *ast.ValueSpec:
		return len(n.Names) == 2 && len(n.Values) == 1
	}
	return false
}

// isComm reports whether the statement is what a clause of a select waits for.
func isComm(parents map[ast.Node]ast.Node, s ast.Stmt) bool {
	clause, ok := parents[s].(*ast.CommClause)
	return ok && clause.Comm == s
}

// isCommReceive reports whether the receive is what a clause of a select
// waits for.
func isCommReceive(parents map[ast.Node]ast.Node, e *ast.UnaryExpr) bool {
	var n ast.Node = e
	for {
		paren, ok := parents[n].(*ast.ParenExpr)
		if !ok {
			break
		}
		n = paren
	}
	switch s := parents[n].(type) {
	case *ast.ExprStmt:
		return isComm(parents, s)
	case *ast.AssignStmt:
		return isComm(parents, s) && len(s.Rhs) == 1 && s.Rhs[0] == n
	}
	return false
}

// selects puts a Before in front of a select, and an After at the start of
// each of its clauses.
func (w *rewriter) selects(s *ast.SelectStmt, parents map[ast.Node]ast.Node) {
	var at ast.Stmt = s
	for {
		labeled, ok := parents[at].(*ast.LabeledStmt)
		if !ok {
			break
		}
		at = labeled
	}
	w.vars++
	v := fmt.Sprintf("mapatom%d", w.vars)
	w.wrap(at, fmt.Sprintf("%s := %s(%s); _ = %s; ", v, w.use("Before"), w.use("Channel"), v), "")
	for _, c := range s.Body.List {
		if c, ok := c.(*ast.CommClause); ok {
			w.insert(c.Colon+1, " "+v+".After();")
		}
	}
}

// ranges has a loop over a channel receive through the scheduler. It takes a
// loop over a function, which older modules do not have.
func (w *rewriter) ranges(s *ast.RangeStmt) {
	t := w.info.TypeOf(s.X)
	if t == nil {
		return
	}
	if _, ok := t.Underlying().(*types.Chan); !ok {
		return
	}
	if version.Compare(w.goMod, "go1.23") < 0 {
		w.leave(s, "a loop over a channel needs go 1.23 in go.mod")
		return
	}
	w.wrap(s.X, w.use("Received")+"(", ")")
}
