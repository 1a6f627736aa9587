package instrument

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// accesses makes steps of plain reads and writes of variables that another
// goroutine may see: what is reached through a pointer, a slice or a map,
// package variables, and local variables that a function literal captures or
// whose address is taken. Read and write of `x.n = x.n + 1` are two steps.
//
//	x.n          (*Read(&x.n))
//	x.n = v      Writer(&x.n)(v)
//	x.n += v     Writer(&x.n)(*Read(&x.n) + (v))
//	m[k]         ReadMap(m)[k]
//	m[k] = v     MapWriter(m)(k, v)
//
// In an assignment to several variables, and where the variable's expression
// has effects that must not happen twice, the write is announced before the
// right side is evaluated: *Write(&x.n) = v.
func (w *rewriter) accesses(parents map[ast.Node]ast.Node) {
	m := &memory{rewriter: w, parents: parents, captured: captured(w.syntax, w.info), written: map[ast.Expr]bool{}}
	ast.Inspect(w.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			m.assign(n)
		case *ast.IncDecStmt:
			m.step(n)
		}
		return true
	})
	ast.Inspect(w.syntax, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			m.read(e)
		}
		return true
	})
}

// memory rewrites the accesses of one file.
type memory struct {
	*rewriter
	parents  map[ast.Node]ast.Node
	captured map[types.Object]bool
	written  map[ast.Expr]bool // left sides, which are dealt with
}

// assign rewrites the left side of an assignment.
func (m *memory) assign(s *ast.AssignStmt) {
	if s.Tok == token.DEFINE {
		for _, lhs := range s.Lhs {
			m.written[ast.Unparen(lhs)] = true
		}
		return
	}
	if len(s.Lhs) == 1 && !isComm(m.parents, s) {
		op := strings.TrimSuffix(s.Tok.String(), "=")
		m.update(s, s.Lhs[0], assignment{tok: s.TokPos, end: s.TokPos + token.Pos(len(s.Tok.String())), op: op})
		return
	}
	for _, lhs := range s.Lhs {
		m.announce(ast.Unparen(lhs))
	}
}

// step rewrites x++ and x--.
func (m *memory) step(s *ast.IncDecStmt) {
	m.update(s, s.X, assignment{tok: s.TokPos, end: s.TokPos + 2, op: s.Tok.String()[:1], one: true})
}

// assignment is how a variable is assigned to.
type assignment struct {
	tok, end token.Pos // the operator
	op       string    // the arithmetic operator, "" for an assignment
	one      bool      // the operand is 1 and not written
}

// update rewrites an assignment to one variable.
func (m *memory) update(s ast.Stmt, lhs ast.Expr, u assignment) {
	e := ast.Unparen(lhs)
	if ix, ok := m.mapIndex(e); ok {
		m.updateMap(s, ix, u)
		return
	}
	if !m.shared(e) || m.written[e] {
		m.written[e] = true
		return
	}
	if u.op != "" && !simple(e) {
		m.announce(e)
		return
	}
	m.written[e] = true
	m.wrap(s, m.use("Writer")+"(&", ")")
	m.replace(u.tok, u.end, ")("+u.operand("*"+m.use("Read")+"(&"+types.ExprString(e)+")"))
	if u.op != "" && !u.one {
		m.wrap(s, "", ")")
	}
}

// operand is what comes before the right side, given how the variable is
// read.
func (u *assignment) operand(read string) string {
	switch {
	case u.op == "":
		return ""
	case u.one:
		return read + " " + u.op + " 1"
	}
	return read + " " + u.op + " ("
}

// updateMap rewrites an assignment to an element of a map.
func (m *memory) updateMap(s ast.Stmt, ix *ast.IndexExpr, u assignment) {
	if u.op != "" && !simple(ix) || ast.Unparen(ix) != ix {
		m.announce(ix)
		return
	}
	m.written[ix] = true
	m.wrap(s, m.use("MapWriter")+"(", ")")
	m.replace(ix.Lbrack, ix.Lbrack+1, ")(")
	read := m.use("ReadMap") + "(" + types.ExprString(ix.X) + ")[" + types.ExprString(ix.Index) + "]"
	m.replace(ix.Rbrack, u.end, ", "+u.operand(read))
	if u.op != "" && !u.one {
		m.wrap(s, "", ")")
	}
}

// announce has a left side announce its write before it is made.
func (m *memory) announce(e ast.Expr) {
	if ix, ok := m.mapIndex(e); ok {
		m.written[e] = true
		m.wrap(ix.X, m.use("WriteMap")+"(", ")")
		return
	}
	if m.shared(e) {
		m.wrap(e, "*"+m.use("Write")+"(&", ")")
	}
	m.written[e] = true
}

// mapIndex returns the expression as an element of a map, if it is one.
func (m *memory) mapIndex(e ast.Expr) (*ast.IndexExpr, bool) {
	ix, ok := e.(*ast.IndexExpr)
	return ix, ok && isMap(m.info.TypeOf(ix.X))
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// read makes a step of an expression that reads a shared variable.
func (m *memory) read(e ast.Expr) {
	if m.constant(e) {
		return
	}
	if function := m.mapUse(e); function != "" {
		m.wrap(e, m.use(function)+"(", ")")
	}
	if !m.written[e] && m.shared(e) && m.isRead(e) {
		m.wrap(e, "(*"+m.use("Read")+"(&", "))")
	}
}

// mapUse is what announces the use of a map whose contents are looked at or,
// by a builtin function, changed; "" for any other expression.
func (m *memory) mapUse(e ast.Expr) string {
	tv, ok := m.info.Types[e]
	if !ok || !tv.IsValue() || tv.IsNil() || !isMap(tv.Type) {
		return ""
	}
	switch p := m.parents[e].(type) {
	case *ast.IndexExpr:
		if p.X == e && !m.written[p] {
			return "ReadMap"
		}
	case *ast.RangeStmt:
		if p.X == e {
			return "ReadMap"
		}
	case *ast.CallExpr:
		if b, ok := callee(m.info, p).(*types.Builtin); ok && p.Fun != e {
			return map[string]string{"len": "ReadMap", "delete": "WriteMap", "clear": "WriteMap"}[b.Name()]
		}
	}
	return ""
}

// constant reports whether the expression is part of one that the compiler
// evaluates, as len of an array.
func (m *memory) constant(e ast.Expr) bool {
	for n := ast.Node(e); n != nil; n = m.parents[n] {
		x, ok := n.(ast.Expr)
		if !ok {
			return false
		}
		if tv, ok := m.info.Types[x]; ok && (tv.Value != nil || tv.IsType()) {
			return true
		}
	}
	return false
}

// shared reports whether the expression is a variable that others may see.
func (m *memory) shared(e ast.Expr) bool {
	if tv, ok := m.info.Types[e]; !ok || !tv.Addressable() {
		return false
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return false // its inside is
	case *ast.StarExpr:
		return true
	case *ast.Ident:
		v, ok := m.info.Uses[e].(*types.Var)
		return ok && !v.IsField() && (packageLevel(v) || m.captured[v])
	case *ast.SelectorExpr:
		sel, ok := m.info.Selections[e]
		if !ok {
			v, ok := m.info.Uses[e.Sel].(*types.Var)
			return ok && packageLevel(v)
		}
		return sel.Kind() == types.FieldVal && (sel.Indirect() || m.shared(ast.Unparen(e.X)))
	case *ast.IndexExpr:
		if _, ok := m.info.TypeOf(e.X).Underlying().(*types.Array); ok {
			return m.shared(ast.Unparen(e.X))
		}
		return true
	}
	return false
}

func packageLevel(v *types.Var) bool {
	return v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// isRead reports whether the variable's value is read where it stands, rather
// than its address being taken or a part of it being meant.
func (m *memory) isRead(e ast.Expr) bool {
	var n ast.Node = e
	for {
		paren, ok := m.parents[n].(*ast.ParenExpr)
		if !ok {
			break
		}
		n = paren
	}
	switch p := m.parents[n].(type) {
	case *ast.UnaryExpr:
		return p.Op != token.AND
	case *ast.SelectorExpr:
		return p.X != n || m.readsOperand(p)
	case *ast.IndexExpr:
		return p.X != n || !isArray(m.info.TypeOf(e))
	case *ast.SliceExpr:
		return p.X != n || !isArray(m.info.TypeOf(e))
	case *ast.RangeStmt:
		return p.X == n
	case *ast.AssignStmt:
		for _, lhs := range p.Lhs {
			if lhs == n {
				return false
			}
		}
	}
	return true
}

func isArray(t types.Type) bool {
	_, ok := t.Underlying().(*types.Array)
	return ok
}

// readsOperand reports whether a selector reads the value of its operand: it
// is a pointer, or the receiver of a method that has it by value.
func (m *memory) readsOperand(s *ast.SelectorExpr) bool {
	sel, ok := m.info.Selections[s]
	if !ok {
		return false // the operand is a package
	}
	if _, ok := m.info.TypeOf(s.X).Underlying().(*types.Pointer); ok {
		return true
	}
	if sel.Kind() == types.FieldVal {
		return false
	}
	fn, ok := sel.Obj().(*types.Func)
	if !ok {
		return true
	}
	_, pointer := fn.Signature().Recv().Type().(*types.Pointer)
	return !pointer && len(sel.Index()) == 1
}

// simple reports whether the expression may be evaluated twice.
func simple(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return simple(e.X)
	case *ast.StarExpr:
		return simple(e.X)
	case *ast.SelectorExpr:
		return simple(e.X)
	case *ast.IndexExpr:
		return simple(e.X) && simple(e.Index)
	}
	return false
}

// captured are the local variables that a function literal uses from outside,
// or whose address is taken.
func captured(file *ast.File, info *types.Info) map[types.Object]bool {
	out := map[types.Object]bool{}
	var literals []*ast.FuncLit
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			if _, ok := stack[len(stack)-1].(*ast.FuncLit); ok {
				literals = literals[:len(literals)-1]
			}
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.FuncLit:
			literals = append(literals, n)
		case *ast.UnaryExpr:
			if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && n.Op == token.AND {
				out[info.Uses[id]] = true
			}
		case *ast.Ident:
			v, ok := info.Uses[n].(*types.Var)
			if ok && len(literals) > 0 && v.Pos() < literals[len(literals)-1].Pos() {
				out[v] = true
			}
		}
		return true
	})
	return out
}
