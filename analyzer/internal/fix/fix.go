package fix

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/check"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// fixer looks for a rewrite of one violated extension that makes it atomic
// and leaves alone what the function does when nobody else is about. That
// second half is decided here, from the syntax and the control flow; whether
// the rewrite is atomic is decided by analysing the package with it.
//
// A call in between that comes back to the same cell of the same map is not
// thought of: its author would have to want the entry to be replaced twice.
type fixer struct {
	c *check.Package
	x *judge.Finding
	// found are all that were found in the package.
	found []evidence.Weighed
	file  *ast.File
	tok   *token.File
	src   []byte
	// decl is the declaration that all sites are in.
	decl  *ast.FuncDecl
	sites []*site
}

// site is one operation of the extension in the source.
type site struct {
	op   *catalog.Op
	call *ast.CallExpr
	// fun is the name of the method or function in the call.
	fun *ast.Ident
	// stack are the nodes around the call, the file first.
	stack []ast.Node
	// instr is the call in SSA form.
	instr *ssa.Call
}

// splice replaces a part of the file.
type splice struct {
	from, to token.Pos
	text     string
}

// candidate is a rewrite that keeps the sequential meaning.
type candidate struct {
	message string
	splices []splice
	// since is the first Go version with what the rewrite uses, if that is
	// in the standard library.
	since string
}

// Suggest are the suggested fixes of a violation: at most one, and none unless
// the rewritten package was analysed and found to be right in this place.
func Suggest(c *check.Package, x *judge.Finding, found []evidence.Weighed) (fixes []analysis.SuggestedFix) {
	if ssaprog.Protect(x.In.Fn, func() error { _, fixes = suggest(c, x, found); return nil }) != nil {
		return nil // a fix is a courtesy
	}
	return fixes
}

// suggest is the rule that has a fix as well.
func suggest(c *check.Package, x *judge.Finding, found []evidence.Weighed) (rule string, fixes []analysis.SuggestedFix) {
	f := newFixer(c, x, found)
	if f == nil {
		return "", nil
	}
	for _, r := range rules {
		if r.plain != f.plain() {
			continue
		}
		cand, ok := r.find(f)
		if !ok || !f.available(cand.since) {
			continue
		}
		if edit, ok := f.edit(cand.splices); ok && f.verifies(edit) {
			return r.ID, []analysis.SuggestedFix{{Message: cand.message, TextEdits: []analysis.TextEdit{edit}}}
		}
	}
	return "", nil
}

// newFixer finds the operations in the source; nil unless each is a call of an
// operation that the tables or the receiver's shape describe, all of them in
// one declaration. A wrapper's call is one if the wrapper looks like a map.
func newFixer(c *check.Package, x *judge.Finding, found []evidence.Weighed) *fixer {
	f := &fixer{c: c, x: x, found: found}
	for _, file := range c.Ps.Pass.Files {
		if file.FileStart <= x.Pos && x.Pos < file.FileEnd {
			f.file = file
		}
	}
	if f.file == nil || len(x.Operations) < 2 || !f.read() {
		return nil
	}
	if f.plain() {
		f.decl = f.around(x.Operations)
		return f
	}
	for _, op := range x.Operations {
		s := f.site(op)
		if s == nil {
			return nil
		}
		f.sites = append(f.sites, s)
	}
	return f
}

// plain reports whether it is about plain memory.
func (f *fixer) plain() bool { return f.x.Guard != "" }

// around is the declaration that all operations are in; nil if there is none.
func (f *fixer) around(ops []ssaprog.Operation) *ast.FuncDecl {
	for _, decl := range f.file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && !slices.ContainsFunc(ops, func(op ssaprog.Operation) bool { return op.Pos < fn.Pos() || fn.End() <= op.Pos }) {
			return fn
		}
	}
	return nil
}

// read reads the file, which must still be the one that was analysed, and the
// user's: not what cgo, or another program, made of it.
func (f *fixer) read() bool {
	f.tok = f.c.Ps.Pass.Fset.File(f.file.FileStart)
	if f.c.Ps.Pass.Fset.Position(f.file.Package).Filename != f.tok.Name() {
		return false
	}
	read := f.c.Ps.Pass.ReadFile
	if read == nil {
		read = os.ReadFile
	}
	src, err := read(f.tok.Name())
	f.src = src
	return err == nil && len(src) == f.tok.Size()
}

// site finds an operation; nil if it is not a call that can be rewritten.
func (f *fixer) site(op ssaprog.Operation) *site {
	var s *site
	ast.PreorderStack(f.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && n.Pos() == op.Pos && n.End() == op.End {
			s = &site{call: call, stack: slices.Clone(stack)}
		}
		return s == nil && n.Pos() <= op.Pos && op.End <= n.End()
	})
	if s == nil || len(s.stack) < 2 {
		return nil
	}
	decl, ok := s.stack[1].(*ast.FuncDecl)
	if !ok || f.decl != nil && f.decl != decl {
		return nil
	}
	f.decl = decl
	if s.op, s.fun = f.operation(s.call); s.op == nil {
		return nil
	}
	s.instr = f.instruction(s.call)
	return s
}

// operation is what the call does according to the tables.
func (f *fixer) operation(call *ast.CallExpr) (*catalog.Op, *ast.Ident) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil
	}
	fn, ok := f.c.Ps.Pass.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok {
		return nil, nil
	}
	return f.lookup(f.receiver(sel), fn), sel.Sel
}

// lookup is the operation that fn is on a receiver; nil if it is none.
func (f *fixer) lookup(recv types.Type, fn *types.Func) *catalog.Op {
	op, ok := f.c.Ps.Res.Cat.Lookup(fn)
	if !ok && recv != nil {
		op, ok = catalog.LookupShape(recv, fn)
	}
	if !ok {
		return nil
	}
	return op
}

// receiver is the type of what a method is called on; nil for a function.
func (f *fixer) receiver(sel *ast.SelectorExpr) types.Type {
	if s := f.c.Ps.Pass.TypesInfo.Selections[sel]; s != nil && s.Kind() == types.MethodVal {
		return s.Recv()
	}
	return nil
}

// method is another method of the site's receiver, with what it does. The
// function is nil if there is none, or the tables do not know it.
func (f *fixer) method(s *site, name string) (*types.Func, *catalog.Op) {
	recv := f.receiver(ast.Unparen(s.call.Fun).(*ast.SelectorExpr))
	if recv == nil {
		return nil, nil
	}
	obj, _, _ := types.LookupFieldOrMethod(recv, true /* addressable */, f.c.Ps.Pass.Pkg, name)
	fn, ok := obj.(*types.Func)
	if !ok {
		return nil, nil
	}
	op := f.lookup(recv, fn)
	if op == nil {
		return nil, nil
	}
	return fn, op
}

// instruction is a call in the SSA form; nil if there is none, or it is
// deferred or the start of a goroutine.
func (f *fixer) instruction(call *ast.CallExpr) *ssa.Call {
	for _, fn := range f.c.Ps.Funcs {
		if n := fn.Syntax(); n == nil || call.Pos() < n.Pos() || n.End() < call.End() {
			continue
		}
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if c, ok := instr.(*ssa.Call); ok && c.Call.Pos() == call.Lparen {
					return c
				}
			}
		}
	}
	return nil
}

// only are the sites with an operation of a kind.
func (f *fixer) only(kind catalog.Kind) []*site {
	var out []*site
	for _, s := range f.sites {
		if s.op.Kind == kind {
			out = append(out, s)
		}
	}
	return out
}

// edit applies the splices and returns them as one edit of whole lines. A
// file that was formatted remains so.
func (f *fixer) edit(splices []splice) (analysis.TextEdit, bool) {
	slices.SortStableFunc(splices, func(a, b splice) int { return int(a.from) - int(b.from) })
	var out bytes.Buffer
	last := 0
	for _, s := range splices {
		from, to := f.tok.Offset(s.from), f.tok.Offset(s.to)
		if from < last {
			return analysis.TextEdit{}, false
		}
		out.Write(f.src[last:from])
		out.WriteString(s.text)
		last = to
	}
	out.Write(f.src[last:])
	fixed := out.Bytes()
	if was, err := format.Source(f.src); err == nil && bytes.Equal(was, f.src) {
		if fixed, err = format.Source(fixed); err != nil {
			return analysis.TextEdit{}, false
		}
	}
	from, to, text := changedLines(f.src, fixed)
	return analysis.TextEdit{Pos: f.tok.Pos(from), End: f.tok.Pos(to), NewText: text}, true
}

// changedLines finds the lines that differ: of a from one offset to another,
// and the text of b in their place.
func changedLines(a, b []byte) (from, to int, text []byte) {
	x, y := bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n"))
	for len(x) > 0 && len(y) > 0 && bytes.Equal(x[0], y[0]) {
		from += len(x[0])
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && bytes.Equal(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return from, from + len(bytes.Join(x, nil)), bytes.Join(y, nil)
}

// text is a node as the source has it.
func (f *fixer) text(n ast.Node) string { return f.between(n.Pos(), n.End()) }

func (f *fixer) between(from, to token.Pos) string {
	return string(f.src[f.tok.Offset(from):f.tok.Offset(to)])
}

// indent is the white space that the line of a position begins with.
func (f *fixer) indent(at token.Pos) string {
	line := f.src[f.tok.Offset(f.tok.LineStart(f.tok.Line(at))):]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// remark is the comment that follows a statement on its line, and its end.
func (f *fixer) remark(stmt ast.Stmt) (string, token.Pos) {
	rest := f.src[f.tok.Offset(stmt.End()):]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		rest = rest[:end]
	}
	if !bytes.HasPrefix(bytes.TrimLeft(rest, " \t"), []byte("//")) {
		return "", stmt.End()
	}
	return string(rest), stmt.End() + token.Pos(len(rest))
}

// freshName is the name or, if it is in use in the declaration or the package,
// one like it.
func (f *fixer) freshName(name string) string {
	used := map[string]bool{}
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			used[id.Name] = true
		}
		return true
	})
	free := name
	for n := 2; used[free] || f.c.Ps.Pass.Pkg.Scope().Lookup(free) != nil; n++ {
		free = name + ssaprog.Itoa(n)
	}
	return free
}

// typeText is a type as this file can write it; false if it cannot.
func (f *fixer) typeText(t types.Type) (string, bool) {
	ok := true
	names := map[*types.Package]string{f.c.Ps.Pass.Pkg: ""}
	for _, spec := range f.file.Imports {
		if pkg := f.c.Ps.Pass.TypesInfo.PkgNameOf(spec); pkg != nil && pkg.Name() != "_" {
			names[pkg.Imported()] = strings.TrimPrefix(pkg.Name(), ".")
		}
	}
	text := types.TypeString(t, func(p *types.Package) string {
		name, have := names[p]
		ok = ok && have
		return name
	})
	return text, ok
}
