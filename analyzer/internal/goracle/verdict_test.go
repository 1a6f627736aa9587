package goracle_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/analyzer/internal/goracle"
	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

// function names a function of a program.
type function struct{ unit, name string }

// verdict is what the analyzer says of a function.
type verdict struct {
	function
	*analyzer.Extension
	fset *token.FileSet
}

// verdicts are what the analyzer says of the functions of a program in an
// environment. A function of which it judges a part only is left out: its
// other operations are no business of that verdict.
//
// Such a function is loose if it makes several operations: its extensions and its
// other operations are steps of their own in the environment, so that others can
// come in between. Loose are the functions of each unit for which that is so.
func verdicts(t testing.TB, p *goracle.Program, env analyzer.EnvMode) (whole map[function]verdict, loose map[string][]sim.Loose) {
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: p.Dir}, "./real/...")
	require.NoError(t, err)
	require.Zero(t, packages.PrintErrors(pkgs))
	a := analyzer.New(analyzer.Options{Env: env})
	graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
	require.NoError(t, err)
	all := map[function][]verdict{}
	for act := range graph.All() {
		require.NoError(t, act.Err, "%s", act)
		if res, ok := act.Result.(*analyzer.Result); ok && res != nil && act.IsRoot {
			for _, x := range res.Extensions {
				if f, ok := method(x.Function); ok {
					all[f] = append(all[f], verdict{f, x, act.Package.Fset})
				}
			}
		}
	}
	whole, loose = map[function]verdict{}, map[string][]sim.Loose{}
	for i, u := range p.Units {
		bodies := operations(t, p.File(i))
		for _, name := range u.Funcs {
			f := function{u.Name, name}
			v, ok := together(all[f], bodies)
			if ok {
				whole[f] = v
			}
			if ok && v.Owned { // what happens while its own entry is there is no step
				loose[u.Name] = append(loose[u.Name], bodies.loose(name))
			} else if ok {
				if begins := v.begins(bodies); begins != nil {
					loose[u.Name] = append(loose[u.Name], *begins)
				}
			} else if vs := all[f]; len(bodies.all(name)) > 1 {
				l := bodies.loose(name)
				l.Perhaps = len(vs) == 0 && toldInHelper(all, u.Name, bodies[name].calls)
				for _, v := range all[f] {
					if !v.Owned {
						l.Steps, l.Sequences = append(l.Steps, v.lines(bodies)), append(l.Sequences, v.sequence(bodies))
					}
				}
				for _, c := range bodies[name].calls {
					for _, v := range all[function{u.Name, c.callee}] {
						l.Steps, l.Sequences = append(l.Steps, v.lines(bodies)), append(l.Sequences, v.sequence(bodies))
					}
				}
				for _, look := range bodies[name].looks {
					if !slices.Contains(slices.Concat(l.Steps...), look) {
						l.Looks = append(l.Looks, look)
					}
				}
				loose[u.Name] = append(loose[u.Name], l)
			}
		}
	}
	return whole, loose
}

// together is the verdict on a function of which all extensions hold all operations, as one on
// an entry does and one on that and all others: the worst there is. It is none if there are none,
// or one does not.
func together(vs []verdict, bs bodies) (worst verdict, ok bool) {
	rank := map[absint.Verdict]int{absint.Verified: 1, absint.Unknown: 2, absint.Violation: 3}
	for i, v := range vs {
		if !v.whole(bs) {
			return verdict{}, false
		}
		if i == 0 || rank[v.Verdict] > rank[worst.Verdict] {
			worst = v
		}
	}
	return worst, len(vs) > 0
}

// toldInHelper reports whether a helper among some calls has a verdict other than
// verified: what contains its sequence is told once, there, and is one step all the same.
func toldInHelper(all map[function][]verdict, unit string, calls []call) bool {
	return slices.ContainsFunc(calls, func(c call) bool {
		return slices.ContainsFunc(all[function{unit, c.callee}], func(v verdict) bool { return v.Verdict != absint.Verified })
	})
}

var methodName = regexp.MustCompile(`^\(\*(U\w+)\)\.(\w+)$`)

func method(name string) (function, bool) {
	m := methodName.FindStringSubmatch(name)
	if m == nil {
		return function{}, false
	}
	return function{m[1], m[2]}, true
}

// places are the lines of the extension's operations.
func (v verdict) places(bs bodies) (has []int) {
	for _, op := range v.Operations {
		has = append(has, bs.at(v.fset.Position(op.Pos).Line))
	}
	return has
}

// lines are those of the operations that lie in the extension: its own, and those between
// them, with all that helpers do in between, and where a lock is taken for nothing. A deferred operation is
// where its function ends.
func (v verdict) lines(bs bodies) (in []int) {
	has, b := v.places(bs), bs[v.name]
	first, last := v.span(bs)
	for _, l := range slices.Concat(b.lines, b.locks) {
		if first <= l && l <= last {
			in = append(in, l)
		}
	}
	for _, c := range b.calls {
		if first <= c.line && c.line <= last {
			in = append(append(in, bs.all(c.callee)...), bs[c.callee].ends()...)
			for _, helper := range bs.with(c.callee) {
				in = append(in, helper.locks...)
			}
		}
	}
	if slices.ContainsFunc(b.deferred, func(l int) bool { return slices.Contains(has, l) }) {
		in = append(in, b.ends()...)
	}
	return in
}

// span is from the first line of the function at which an operation of the extension is made to the last one. What is deferred is made
// where the function ends.
func (v verdict) span(bs bodies) (first, last int) {
	has, b := v.places(bs), bs[v.name]
	inner := func(c call) bool {
		return slices.ContainsFunc(bs.all(c.callee), func(l int) bool { return slices.Contains(has, l) })
	}
	first, last = math.MaxInt, 0
	reach := func(l int) { first, last = min(first, l), max(last, l) }
	for _, l := range b.lines {
		switch {
		case !slices.Contains(has, l):
		case slices.Contains(b.deferred, l):
			reach(slices.Max(append(b.ends(), l)))
		default:
			reach(l)
		}
	}
	for _, c := range b.calls {
		if inner(c) || slices.Contains(has, c.line) {
			reach(c.line)
		}
	}
	return first, last
}

// begins says that others can come when the extension has put something there that it takes away in the end; nil if it does not.
func (v verdict) begins(bs bodies) *sim.Loose {
	if len(v.Begins) == 0 {
		return nil
	}
	x := *v.Extension
	x.Operations = v.Begins
	v.Extension = &x
	l := bs.loose(v.name)
	l.Perhaps, l.Steps, l.Sequences = true, [][]int{v.lines(bs)}, [][]int{v.sequence(bs)}
	return &l
}

// sequence are the lines of the extension's operations alone.
func (v verdict) sequence(bs bodies) []int {
	has := v.places(bs)
	for _, b := range bs.with(v.name) {
		if slices.ContainsFunc(b.deferred, func(l int) bool { return slices.Contains(has, l) }) {
			has = append(has, b.ends()...)
		}
	}
	return has
}

// whole reports whether the extension holds all operations of the function, those of a
// helper that is called once, or one that is told as an operation itself.
func (v verdict) whole(bs bodies) bool {
	has, b := v.places(bs), bs[v.name]
	missing := func(l int) bool { return !slices.Contains(has, l) }
	if bs.waitsBeside(v.name) {
		return false
	}
	if slices.ContainsFunc(b.lines, missing) || v.missesCounts(bs) || v.missesCalls(b) || v.missesEntries(bs) || slices.ContainsFunc(b.rounds, func(r lines) bool { return r.have(has) }) {
		return false
	}
	called := map[string]bool{}
	for _, c := range b.calls {
		told := slices.Contains(has, c.line)
		if !told && (called[c.callee] || slices.ContainsFunc(bs.all(c.callee), missing)) {
			return false
		}
		called[c.callee] = true
	}
	return true
}

// waitsBeside reports whether a function takes a lock for nothing beside operations that need none. That it waits there for somebody who
// is amid his own is no part of an extension, and so not of an atomic call of it.
func (bs bodies) waitsBeside(name string) bool {
	waits, operates := false, false
	for _, b := range bs.with(name) {
		operates = operates || b.operates
		waits = waits || slices.ContainsFunc(b.locks, func(l int) bool { return !slices.Contains(b.lines, l) })
	}
	return waits && operates
}

// missesCounts reports whether it is counted how many entries a map has that the extension is not about, or before its
// first operation, or in a loop after its last one: what it then finds is no part of it.
func (v verdict) missesCounts(bs bodies) bool {
	first, last := v.span(bs)
	for line, m := range bs[v.name].counts {
		again := slices.ContainsFunc(bs[v.name].loops, func(r lines) bool { return last < r.from && r.from < line && line <= r.to })
		if v.isElsewhere(m) || line < first || again {
			return true
		}
	}
	return false
}

// isElsewhere reports whether a map is none that the extension is about.
func (v verdict) isElsewhere(m string) bool {
	return !slices.ContainsFunc(strings.Split(v.Map, ", "), func(of string) bool { return of == m || strings.HasPrefix(of, m+".") })
}

// missesEntries reports whether a critical section of the extension touches an entry, by the name of its key, of
// which the extension has no operation: that is another step in the same section.
func (v verdict) missesEntries(bs bodies) bool {
	has := map[int]bool{}
	for _, op := range v.Operations {
		has[v.fset.Position(op.Pos).Line] = true
	}
	for _, b := range bs.with(v.name) {
		for _, lines := range b.entries {
			if !slices.ContainsFunc(lines, func(l int) bool { return has[l] }) {
				return true
			}
		}
	}
	return false
}

// entry is one that a critical section touches: where that begins, and the name of the key.
type entry struct {
	begin int
	key   string
}

// missesCalls reports whether a function literal is called more often than the extension has its operations.
func (v verdict) missesCalls(b *body) bool {
	times := map[token.Pos]int{}
	for _, op := range v.Operations {
		times[op.Pos]++
	}
	for _, op := range v.Operations {
		line := v.fset.Position(op.Pos).Line
		for _, l := range b.literals {
			if l.from <= line && line <= l.to && times[op.Pos] < l.calls {
				return true
			}
		}
	}
	return false
}

var operationNames = []string{
	"Load", "Store", "Swap", "Delete", "LoadOrStore", "LoadAndDelete", "CompareAndSwap", "CompareAndDelete",
	"Range", "Clear", "Add", "And", "Or",
}

// body is where a function operates on cells, by lines, calls helpers, and ends.
type body struct {
	lines, deferred []int // deferred are the statements, which are among lines
	looks           []int // those of lines where something is only read
	calls           []call
	exits           []int
	sections        map[int]int // where a lock is taken, of a line at which what it guards is touched
	entries         map[entry][]int
	locks           []int // where locks are taken
	operates        bool  // on cells, and not only on what a lock guards
	literals        []literal
	counts          map[int]string // maps of which it is counted how many entries they have, by line
	loops           []lines
	rounds          []lines // of loops that only their counter ends: a sequence in one is a round of it
}

// lines are those from one to another.
type lines struct{ from, to int }

// have reports whether all of some lines are among them.
func (l lines) have(all []int) bool {
	return !slices.ContainsFunc(all, func(at int) bool { return at < l.from || at > l.to })
}

// literal is a function literal with a name, from a line to another one, that is called so often.
type literal struct {
	name            string
	from, to, calls int
}

// ends are where deferred operations run, if there are any.
func (b *body) ends() []int {
	if b == nil || len(b.deferred) == 0 {
		return nil
	}
	return b.exits
}

// loose says of a function where deferred operations are made, those of its helpers included.
func (bs bodies) loose(name string) sim.Loose {
	l := sim.Loose{Func: name}
	for _, b := range bs.with(name) {
		l.Deferred, l.Ends = append(l.Deferred, b.deferred...), append(l.Ends, b.ends()...)
	}
	return l
}

// with are the bodies of a function and of its helpers.
func (bs bodies) with(name string) []*body {
	out := []*body{bs[name]}
	for i := 0; i < len(out); i++ {
		for _, c := range out[i].calls {
			if b := bs[c.callee]; !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

type call struct {
	callee string
	line   int
}

type bodies map[string]*body

// at is where the operation at a line is one: where the critical section begins, if it lies in one.
func (bs bodies) at(line int) int {
	for _, b := range bs {
		if begin, ok := b.sections[line]; ok {
			return begin
		}
	}
	return line
}

// all are the lines of a function's operations and of those of its helpers.
func (bs bodies) all(name string) []int {
	b := bs[name]
	if b == nil {
		return nil
	}
	out := slices.Clone(b.lines)
	for _, c := range b.calls {
		if c.callee != name {
			out = append(out, bs.all(c.callee)...)
		}
	}
	return out
}

// operations finds the bodies of the functions of a file.
func operations(t testing.TB, file string) bodies {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	require.NoError(t, err)
	bs := bodies{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || strings.Contains(fmt.Sprint(fn.Recv.List[0].Names[0]), "w") {
			continue // a wrapper's method is an operation
		}
		b := &body{exits: []int{fset.Position(fn.End()).Line}}
		bs[fn.Name.Name] = b
		b.findSections(fset, fn)
		b.findLiterals(fset, fn)
		counts := countingLines(fset, fn)
		b.counts = counts
		ast.Inspect(fn, func(n ast.Node) bool {
			line := func() int { return fset.Position(n.Pos()).Line }
			switch n := n.(type) {
			case *ast.ForStmt:
				loop := lines{line(), fset.Position(n.End()).Line}
				b.loops = append(b.loops, loop)
				if n.Cond != nil && !leaves(n.Body) {
					b.rounds = append(b.rounds, loop)
				}
			case *ast.ReturnStmt:
				b.exits = append(b.exits, line())
			case *ast.DeferStmt:
				if isOperation(n.Call.Fun) {
					b.deferred = append(b.deferred, line())
				}
			case *ast.CallExpr:
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "panic" {
					b.exits = append(b.exits, line())
				}
			case *ast.TypeAssertExpr: // which may panic
				b.exits = append(b.exits, line())
			case *ast.SelectorExpr:
				b.operates = b.operates || isOperation(n)
				if isOperation(n) && !slices.Contains(b.lines, line()) && counts[line()] == "" {
					if b.lines = append(b.lines, line()); n.Sel.Name == "Load" {
						b.looks = append(b.looks, line())
					}
				}
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "s" {
					b.calls = append(b.calls, call{n.Sel.Name, line()})
				}
			}
			return true
		})
	}
	for _, b := range bs {
		b.calls = slices.DeleteFunc(b.calls, func(c call) bool { return bs[c.callee] == nil })
	}
	return bs
}

// countingLines are the lines at which it is only counted how many entries there are, which is no operation, with the map.
func countingLines(fset *token.FileSet, fn *ast.FuncDecl) map[int]string {
	lines := map[int]string{}
	ast.Inspect(fn, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) != 1 || !isOperation(call.Fun) {
			return true
		}
		lit, ok := call.Args[0].(*ast.FuncLit)
		if !ok || len(lit.Body.List) != 2 {
			return true
		}
		inc, counts := lit.Body.List[0].(*ast.IncDecStmt)
		ret, ends := lit.Body.List[1].(*ast.ReturnStmt)
		if counts && inc.Tok == token.INC && ends && len(ret.Results) == 1 && isTrue(ret.Results[0]) {
			lines[fset.Position(call.Fun.Pos()).Line] = types.ExprString(call.Fun.(*ast.SelectorExpr).X)
		}
		return true
	})
	return lines
}

func isTrue(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "true"
}

// leaves reports whether a loop can end in the midst of a round.
func leaves(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.TypeAssertExpr, *ast.DeferStmt:
			found = true
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			found = found || ok && id.Name == "panic"
		}
		return true
	})
	return found
}

// findLiterals finds the function literals that have a name.
func (b *body) findLiterals(fset *token.FileSet, fn *ast.FuncDecl) {
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			id, _ := n.Lhs[0].(*ast.Ident)
			if lit, ok := n.Rhs[0].(*ast.FuncLit); ok && id != nil {
				b.literals = append(b.literals, literal{id.Name, fset.Position(lit.Pos()).Line, fset.Position(lit.End()).Line, 0})
			}
		case *ast.CallExpr:
			for i := range b.literals {
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == b.literals[i].name {
					b.literals[i].calls++
				}
			}
		}
		return true
	})
}

// findSections finds the critical sections of a function: what is touched after a lock was taken, in the
// order of the text, is touched in that section.
func (b *body) findSections(fset *token.FileSet, fn *ast.FuncDecl) {
	begin, writes := 0, map[int]bool{}
	b.sections, b.entries = map[int]int{}, map[entry][]int{}
	entryAt := func(key ast.Expr) {
		if id, ok := key.(*ast.Ident); ok {
			e := entry{begin, id.Name}
			b.entries[e] = append(b.entries[e], fset.Position(key.Pos()).Line)
		}
	}
	touch := func(n ast.Node) {
		b.sections[fset.Position(n.Pos()).Line] = begin
		if !slices.Contains(b.lines, begin) {
			b.lines = append(b.lines, begin)
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			writes[begin] = writes[begin] || isGuarded(n.Lhs[0])
		case *ast.IncDecStmt:
			writes[begin] = true
		case *ast.IndexExpr:
			if isGuarded(n) {
				touch(n)
				entryAt(n.Index)
			}
		case *ast.RangeStmt:
			if isField(n.X) {
				touch(n)
			}
		case *ast.CallExpr:
			id, _ := n.Fun.(*ast.Ident)
			sel, _ := n.Fun.(*ast.SelectorExpr)
			switch {
			case sel != nil && strings.HasSuffix(sel.Sel.Name, "Lock") && !strings.HasSuffix(sel.Sel.Name, "Unlock"):
				begin = fset.Position(n.Pos()).Line
				b.locks = append(b.locks, begin)
			case id != nil && slices.Contains([]string{"delete", "clear", "len"}, id.Name) && isField(n.Args[0]):
				touch(n)
				writes[begin] = writes[begin] || id.Name != "len"
				if id.Name == "delete" {
					entryAt(n.Args[1])
				}
			}
		}
		return true
	})
	for _, line := range b.lines {
		if !writes[line] {
			b.looks = append(b.looks, line)
		}
	}
}

// isField reports whether an expression is a field of the unit, and isGuarded whether it is an entry of a map
// that is one.
func isField(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	return ok && x.Name == "s"
}

func isGuarded(e ast.Expr) bool {
	index, ok := e.(*ast.IndexExpr)
	return ok && isField(index.X)
}

// isOperation reports whether an expression is the method of a cell that operates on it.
func isOperation(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, ok = sel.X.(*ast.SelectorExpr)
	return ok && slices.Contains(operationNames, sel.Sel.Name)
}

// suggested are the values that a witness mentions.
func suggested(w *absint.Witness) (ints []int64, texts []string) {
	if w == nil {
		return nil, nil
	}
	add := func(value string) {
		i, err := strconv.ParseInt(value, 10, 64)
		if u, notUnsigned := strconv.ParseUint(value, 10, 64); err != nil && notUnsigned == nil {
			i, err = int64(u), nil // the same bits
		}
		if err == nil {
			if !slices.Contains(ints, i) {
				ints = append(ints, i)
			}
		} else if s, err := strconv.Unquote(value); err == nil && !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	for _, b := range slices.Concat(w.Params, w.Initial, w.Final) {
		add(string(b.Value))
	}
	for _, ev := range w.Events {
		for _, v := range slices.Concat(ev.Args, ev.Results) {
			add(string(v))
		}
	}
	return ints, texts
}

// TestWaitsBeside: a function that takes a lock for nothing, and operates on something else, is not judged as a whole.
func TestWaitsBeside(t *testing.T) {
	source := `package p

func (s *U) F(k string) bool {
	ok := s.c.CompareAndSwap(true, true)
	ok = s.c.CompareAndSwap(ok, !ok)
	s.mu.RLock()
	%s
	s.mu.RUnlock()
	return ok
}

func (s *U) G(k string) {
	s.mu.Lock()
	s.mu.Unlock()
	s.mu.Lock()
	s.m[k] = true
	s.mu.Unlock()
}
`
	for section, waits := range map[string]bool{"": true, "_ = s.m[k]": false} {
		file := filepath.Join(t.TempDir(), "p.go")
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, source, section), 0o600))
		bs := operations(t, file)
		require.Equal(t, waits, bs.waitsBeside("F"))
		require.False(t, bs.waitsBeside("G"))
	}
}
