package goracle_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
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
		lines, calls := operations(t, p.File(i))
		for _, name := range u.Funcs {
			f := function{u.Name, name}
			if vs := all[f]; len(vs) == 1 && vs[0].whole(lines) {
				whole[f] = vs[0]
			} else if len(lines[name]) > 1 && !(len(vs) == 0 && toldInHelper(all, u.Name, calls[name])) {
				l := sim.Loose{Func: name}
				for _, v := range all[f] {
					l.Steps = append(l.Steps, v.lines(lines[name]))
				}
				loose[u.Name] = append(loose[u.Name], l)
			}
		}
	}
	return whole, loose
}

// toldInHelper reports whether a helper among some calls has a verdict other than
// verified: what contains its sequence is told once, there, and is one step all the same.
func toldInHelper(all map[function][]verdict, unit string, calls []string) bool {
	return slices.ContainsFunc(calls, func(callee string) bool {
		return slices.ContainsFunc(all[function{unit, callee}], func(v verdict) bool { return v.Verdict != absint.Verified })
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
func (v verdict) places() (has []int) {
	for _, op := range v.Operations {
		has = append(has, v.fset.Position(op.Pos).Line)
	}
	return has
}

// lines are those of a function's operations that lie in the extension: its own, and
// those between them.
func (v verdict) lines(all []int) (in []int) {
	has := v.places()
	first, last := slices.Min(has), slices.Max(has)
	for _, l := range all {
		if first <= l && l <= last {
			in = append(in, l)
		}
	}
	return in
}

// whole reports whether the extension holds all operations of the function, those of a
// helper as often as it is called.
func (v verdict) whole(lines map[string][]int) bool {
	times := map[int]int{}
	for _, l := range v.places() {
		times[l]++
	}
	for _, l := range lines[v.name] {
		if times[l]--; times[l] < 0 {
			return false
		}
	}
	return true
}

var operationNames = []string{
	"Load", "Store", "Swap", "Delete", "LoadOrStore", "LoadAndDelete", "CompareAndSwap", "CompareAndDelete",
	"Range", "Clear", "Add", "And", "Or",
}

// operations are the lines of the operations in each function of a file,
// with those of the functions that it calls, and the calls.
func operations(t testing.TB, file string) (lines map[string][]int, calls map[string][]string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, 0)
	require.NoError(t, err)
	lines, calls = map[string][]int{}, map[string][]string{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || strings.Contains(fmt.Sprint(fn.Recv.List[0].Names[0]), "w") {
			continue // a wrapper's method is an operation
		}
		name := fn.Name.Name
		ast.Inspect(fn, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if inner, ok := sel.X.(*ast.SelectorExpr); ok && slices.Contains(operationNames, sel.Sel.Name) {
				if l := fset.Position(inner.Pos()).Line; !slices.Contains(lines[name], l) {
					lines[name] = append(lines[name], l)
				}
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "s" {
				calls[name] = append(calls[name], sel.Sel.Name)
			}
			return true
		})
	}
	for name := range lines {
		for _, callee := range calls[name] {
			if callee != name {
				lines[name] = append(lines[name], lines[callee]...)
			}
		}
	}
	return lines, calls
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
