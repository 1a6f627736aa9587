package fix

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// retry is an update with the statements that are to be done again if
// something came in between: those of list from first to last.
type retry struct {
	*update
	list        []ast.Stmt
	first, last int
	// old is the variable with the content that was read. If the source
	// has none, the loop defines it.
	old     string
	defines bool
	// cas is the swap, insert what to do instead if the entry was absent
	// (empty if it cannot be), which flag says.
	cas, insert, flag string
	// addFlag is where the flag has to be defined; nil if it is.
	addFlag *ast.Ident
}

// retryLoop puts the update into a loop that is left when CompareAndSwap
// finds what Load found. It is for updates that do nothing but compute: all
// else would be done once for each attempt.
func (f *fixer) retryLoop() (candidate, bool) {
	u := f.update()
	if u == nil {
		return candidate{}, false
	}
	r := &retry{update: u}
	if !r.findSpan() || !r.repeatable() || !r.findOld() || !r.findCalls() {
		return candidate{}, false
	}
	splices, ok := r.splices()
	return candidate{message: "Retry with CompareAndSwap until nothing came in between", splices: splices, since: "go1.20"}, ok
}

// findSpan finds the innermost list of statements with both operations.
func (r *retry) findSpan() bool {
	for i := len(r.load.stack) - 1; i >= 0; i-- {
		if _, literal := r.load.stack[i].(*ast.FuncLit); literal {
			return false
		}
		list := statements(r.load.stack[i])
		first, last := indexAt(list, r.load.call), indexAt(list, r.stmt)
		if first >= 0 && first <= last {
			r.list, r.first, r.last = list, first, last
			return true
		}
	}
	return false
}

// indexAt is the index of the statement that contains a node, or -1.
func indexAt(list []ast.Stmt, n ast.Node) int {
	for i, s := range list {
		if s.Pos() <= n.Pos() && n.End() <= s.End() {
			return i
		}
	}
	return -1
}

// repeatable reports whether the statements can be done again.
func (r *retry) repeatable() bool {
	ok := true
	for _, s := range r.span() {
		ast.Inspect(s, func(n ast.Node) bool {
			ok = ok && r.repeats(n)
			return ok && !r.isLast(n)
		})
	}
	return ok && !r.jumps()
}

func (r *retry) span() []ast.Stmt { return r.list[r.first : r.last+1] }

// repeats reports whether a node by itself does nothing but to compute.
func (r *retry) repeats(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, e := range n.Lhs {
			if id, ok := e.(*ast.Ident); !ok || id.Name != "_" && !r.inSpan(r.c.Ps.Pass.TypesInfo.ObjectOf(id)) {
				return false
			}
		}
	case *ast.IncDecStmt:
		id, ok := n.X.(*ast.Ident)
		return ok && r.inSpan(r.c.Ps.Pass.TypesInfo.ObjectOf(id))
	case *ast.ExprStmt:
		return n == r.stmt
	case *ast.CallExpr:
		return n == r.load.call || n == r.store.call || r.isHarmless(n) || r.isPure(n)
	case *ast.UnaryExpr:
		return n.Op != token.ARROW
	case *ast.BlockStmt, *ast.IfStmt, *ast.DeclStmt, *ast.ReturnStmt, *ast.EmptyStmt:
	case ast.Stmt, *ast.FuncLit:
		return false
	}
	return true
}

// inSpan reports whether a variable is defined in the statements.
func (r *retry) inSpan(obj types.Object) bool {
	return obj != nil && r.list[r.first].Pos() <= obj.Pos() && obj.Pos() < r.list[r.last].End()
}

// isLast reports whether a node leaves the function for good, so that what it
// does is done once: a return, or a block that ends with one and does not
// contain the Store.
func (r *retry) isLast(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		if len(n.List) == 0 || indexAt(n.List, r.stmt) >= 0 {
			return false
		}
		_, ok := n.List[len(n.List)-1].(*ast.ReturnStmt)
		return ok
	}
	return false
}

// jumps reports whether some statement would jump to another place from
// inside of a loop.
func (r *retry) jumps() bool {
	found := false
	for _, s := range r.span() {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.BranchStmt, *ast.LabeledStmt, *ast.DeferStmt:
				found = true
			}
			return !found
		})
	}
	return found
}

// isPure reports whether a call is of a function that only computes.
func (r *retry) isPure(call *ast.CallExpr) bool {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	}
	if id == nil {
		return false
	}
	fn, ok := r.c.Ps.Pass.TypesInfo.Uses[id].(*types.Func)
	if !ok {
		return false
	}
	if class := r.c.Ps.Res.Classify(fn); class == catalog.Pure || class == catalog.IsZero {
		return true
	}
	for _, local := range r.c.Ps.Funcs {
		if local.Object() == fn.Origin() {
			return !r.c.Ps.Touches(local) && r.c.Ps.Res.Sums.Of(local) == ssaprog.Pure
		}
	}
	return false
}

// findOld finds or makes the variable with what was read.
func (r *retry) findOld() bool {
	if obj, _ := r.loaded(r.load); obj != nil && r.constant(obj) && r.visible(obj, r.stmt.Pos()) {
		r.old = obj.Name()
		return true
	}
	if r.load.op.Result(catalog.Had) >= 0 || !r.comesFirst() {
		return false
	}
	r.old, r.defines = r.freshName("old"), true
	return true
}

// comesFirst reports whether the Load can as well be done before the first
// statement: it is done in any case, and on something that is known there.
func (r *retry) comesFirst() bool {
	known := true
	ast.Inspect(r.load.call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.inSpan(r.c.Ps.Pass.TypesInfo.Uses[id]) {
			known = false
		}
		return known
	})
	for i, n := range r.load.stack {
		if n.Pos() < r.list[r.first].Pos() || r.list[r.first].End() < n.End() {
			continue
		}
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.IfStmt:
			if i+1 < len(r.load.stack) && r.load.stack[i+1] == n.Else {
				return false
			}
		case *ast.BinaryExpr:
			if (n.Op == token.LAND || n.Op == token.LOR) && n.Y.Pos() <= r.load.call.Pos() {
				return false
			}
		}
	}
	return known
}

// findCalls finds the calls that take the Store's place.
func (r *retry) findCalls() bool {
	if r.load.op.Type.Cell == catalog.LatchCell {
		return false // CompareAndSwap panics where Store does not
	}
	cas := r.casName()
	if cas == "" {
		return false
	}
	sel := ast.Unparen(r.store.call.Fun).(*ast.SelectorExpr)
	args := append(r.leading(), r.old, r.newValue())
	r.cas = r.text(sel.X) + "." + cas + "(" + strings.Join(args, ", ") + ")"
	if r.load.op.Type.Cell == catalog.AtomicCell {
		return true
	}
	v, had := r.load.resultOf(catalog.Old), r.load.resultOf(catalog.Had)
	switch {
	case v == nil || !r.comparable(v, r.store.instr):
		return false
	case onlyIf(r.load.instr, r.store.instr, had, true):
		return true
	case onlyIf(r.load.instr, r.store.instr, had, false):
		return false // nothing is there to be swapped
	}
	return r.findInsert(sel)
}

// leading are the arguments before the value: the key, or the address.
func (r *retry) leading() []string {
	var out []string
	for _, a := range r.store.call.Args[:len(r.store.call.Args)-1] {
		out = append(out, r.text(a))
	}
	return out
}

// casName is the name of the CompareAndSwap that goes with the Store: of the
// method, or of the function for the same type of word.
func (r *retry) casName() string {
	if fn, op := r.method(r.store, "CompareAndSwap"); fn != nil && op.Kind == catalog.CAS {
		return fn.Name()
	}
	kind, ok := strings.CutPrefix(r.store.fun.Name, "Store")
	fn := r.c.Ps.Pass.TypesInfo.Uses[r.store.fun].(*types.Func)
	if !ok || fn.Signature().Recv() != nil {
		return ""
	}
	cas, ok := fn.Pkg().Scope().Lookup("CompareAndSwap" + kind).(*types.Func)
	if !ok {
		return ""
	}
	if op := r.lookup(nil, cas); op == nil || op.Kind != catalog.CAS {
		return ""
	}
	return cas.Name()
}

// newValue is the text of the stored value, where the variable stands for the
// Load.
func (r *retry) newValue() string {
	v := r.value()
	if !r.defines || r.load.call.Pos() < v.Pos() || v.End() < r.load.call.End() {
		return r.text(v)
	}
	return r.between(v.Pos(), r.load.call.Pos()) + r.old + r.between(r.load.call.End(), v.End())
}

// findInsert is for a Store that replaces an entry or makes the first one.
func (r *retry) findInsert(sel *ast.SelectorExpr) bool {
	insert, op := r.method(r.store, "LoadOrStore")
	assign, ok := r.load.stack[len(r.load.stack)-1].(*ast.AssignStmt)
	if insert == nil || op.Kind != catalog.Insert || op.Split != 0 || len(op.Results) != 2 || !ok || len(assign.Lhs) != 2 {
		return false
	}
	id, ok := assign.Lhs[r.load.op.Result(catalog.Had)].(*ast.Ident)
	if !ok {
		return false
	}
	if r.flag = id.Name; id.Name == "_" {
		r.flag, r.addFlag = r.freshName("ok"), id
	} else if obj := r.c.Ps.Pass.TypesInfo.Defs[id]; obj == nil || !r.constant(obj) || !r.visible(obj, r.stmt.Pos()) {
		return false
	}
	r.insert = r.text(sel.X) + "." + insert.Name() + "(" + strings.Join(append(r.leading(), r.newValue()), ", ") + ")"
	return true
}

// splices put the loop around the statements. Where what comes after uses
// their variables, it has to be one return statement, which the loop takes in.
func (r *retry) splices() ([]splice, bool) {
	from, to := r.list[r.first].Pos(), r.list[r.last].End()
	head := "for {\n"
	if r.defines {
		head += r.old + " := " + r.text(r.load.call) + "\n"
	}
	out := []splice{{from, from, head}}
	if r.addFlag != nil {
		out = append(out, splice{r.addFlag.Pos(), r.addFlag.End(), r.flag})
	}
	if r.defines && (r.load.call.End() <= r.stmt.Pos() || r.stmt.End() <= r.load.call.Pos()) {
		out = append(out, splice{r.load.call.Pos(), r.load.call.End(), r.old})
	}
	remark, end := r.remark(r.stmt)
	if r.list[r.last] != r.stmt {
		if r.insert != "" || r.usedAfter(to) {
			return nil, false
		}
		tail := "\nbreak\n}"
		if terminates(r.list[r.last]) {
			tail = "\n}"
		}
		again := "if !" + r.cas + " {" + remark + "\ncontinue\n}"
		return append(out, splice{r.stmt.Pos(), end, again}, splice{to, to, tail}), true
	}
	done := remark + "\nbreak"
	if r.usedAfter(to) {
		rest := r.list[r.last+1:]
		if len(rest) != 1 {
			return nil, false
		}
		ret, ok := rest[0].(*ast.ReturnStmt)
		if !ok {
			return nil, false
		}
		done, end = r.between(r.stmt.End(), ret.End()), ret.End()
	}
	return append(out, splice{r.stmt.Pos(), end, r.attempt(done) + "\n}"}), true
}

// attempt is the swap, with what is done if it succeeds.
func (r *retry) attempt(done string) string {
	swap := "if " + r.cas + " {" + done + "\n}"
	if r.insert == "" {
		return swap
	}
	loaded := r.freshName("loaded")
	return "if !" + r.flag + " {\nif _, " + loaded + " := " + r.insert + "; !" + loaded + " {" + done + "\n}\n} else " + swap
}

// usedAfter reports whether a variable that the statements define is used
// after them.
func (r *retry) usedAfter(end token.Pos) bool {
	found := false
	ast.Inspect(r.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Pos() >= end {
			found = found || r.inSpan(r.c.Ps.Pass.TypesInfo.Uses[id])
		}
		return !found
	})
	return found
}

// terminates reports whether control cannot come to the end of a statement.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BlockStmt:
		return len(s.List) > 0 && terminates(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	}
	return false
}
