package instrument

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/token"
	"go/types"
	"go/version"
	"strconv"
	"strings"
)

// name is what rewritten files call the scheduler's package.
const name = "mapatomsched"

// rewriter rewrites one file.
type rewriter struct {
	edits
	syntax *ast.File
	info   *types.Info
	goMod  string // the language version of the module, as go1.22
	// root is the import path below which the scheduler is found.
	root   string
	memory bool

	needsSched bool
	constraint string   // the language version that the file is to have, if another
	vars       int      // variables that were introduced
	left       []string // what was left as it is, and why
}

// rewrite returns the file's new source.
func (w *rewriter) rewrite(source []byte) []byte {
	w.imports()
	parents := parentsOf(w.syntax)
	ast.Inspect(w.syntax, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			w.spawn(n)
		case *ast.SendStmt:
			if !isComm(parents, n) {
				w.send(n)
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !isCommReceive(parents, n) {
				w.receive(n, parents)
			}
		case *ast.SelectStmt:
			w.selects(n, parents)
		case *ast.RangeStmt:
			w.ranges(n)
		case *ast.CallExpr:
			w.call(n)
		}
		return true
	})
	if w.memory {
		w.accesses(parents)
	}
	w.raise()
	if w.needsSched {
		w.insert(w.syntax.Name.End(), fmt.Sprintf("; import %s %q", name, w.root+"/sched"))
	}
	return w.apply(source)
}

// generics is the language version that what we insert needs. It changes
// nothing in the meaning of older code.
const generics = "go1.21"

// raise has a file of an older module compiled as one of the version we need.
// Another constraint that the file has is fulfilled, or it would not be here.
func (w *rewriter) raise() {
	if version.Compare(w.goMod, generics) >= 0 || len(w.list) == 0 {
		return
	}
	w.constraint = generics
	for _, group := range w.syntax.Comments {
		for _, c := range group.List {
			if c.Pos() < w.syntax.Package && constraint.IsGoBuild(c.Text) {
				w.replace(c.Pos(), c.End(), "//")
			}
		}
	}
}

// use returns the name of one of the scheduler's functions.
func (w *rewriter) use(function string) string {
	w.needsSched = true
	return name + "." + function
}

// leave notes what is not rewritten.
func (w *rewriter) leave(n ast.Node, format string, args ...any) {
	w.left = append(w.left, fmt.Sprintf("line %d: %s", w.file.Line(n.Pos()), fmt.Sprintf(format, args...)))
}

// dropIns are the packages that have one, and where it is below the root.
var dropIns = map[string]string{"sync": "/sched/sync", "sync/atomic": "/sched/atomic"}

// imports redirects the imports of packages that have a drop-in, and of the
// packages of this module that generated files name.
func (w *rewriter) imports() {
	for _, spec := range w.syntax.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if to := w.redirect(path); to != path {
			w.replace(spec.Path.Pos(), spec.Path.End(), strconv.Quote(to))
		}
	}
}

func (w *rewriter) redirect(path string) string {
	if below, ok := dropIns[path]; ok {
		return w.root + below
	}
	return redirectChecker(path, w.root)
}

// call rewrites calls of functions that the scheduler has to know of.
func (w *rewriter) call(call *ast.CallExpr) {
	switch fn := callee(w.info, call).(type) {
	case *types.Builtin:
		if fn.Name() == "close" && len(call.Args) == 1 {
			w.replace(call.Fun.Pos(), call.Fun.End(), w.use("Close"))
		}
	case *types.Func:
		if wrapper, ok := wrapped[fn.FullName()]; ok {
			w.wrap(call.Fun, w.use(wrapper)+"(", ")")
		}
	}
}

// wrapped are functions of the standard library and what they are wrapped in.
var wrapped = map[string]string{
	"time.Sleep":                "Sleeper",
	"time.After":                "Timer",
	"time.NewTimer":             "Timer",
	"time.Tick":                 "Timer",
	"time.NewTicker":            "Timer",
	"time.AfterFunc":            "Later",
	"context.WithTimeout":       "Timer",
	"context.WithTimeoutCause":  "Timer",
	"context.WithDeadline":      "Timer",
	"context.WithDeadlineCause": "Timer",
	"runtime.Gosched":           "Yielder",
	"runtime.SetFinalizer":      "Finalizer",
	"runtime.Goexit":            "Goexiter",
	"os.Exit":                   "Exiter",
	"log.Fatal":                 "Fataler",
	"log.Fatalln":               "Fataler",
	"log.Fatalf":                "FatalFormatter",
	"(*log.Logger).Fatal":       "Fataler",
	"(*log.Logger).Fatalln":     "Fataler",
	"(*log.Logger).Fatalf":      "FatalFormatter",
}

// callee is the function or builtin that a call calls by its name.
func callee(info *types.Info, call *ast.CallExpr) types.Object {
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return info.Uses[fun]
	case *ast.SelectorExpr:
		return info.Uses[fun.Sel]
	}
	return nil
}

// spawn makes a goroutine a thread: the function and its arguments are
// evaluated by the one who starts it, as the language has it.
func (w *rewriter) spawn(g *ast.GoStmt) {
	call := g.Call
	switch fn := callee(w.info, call).(type) {
	case *types.Builtin:
		if fn.Name() != "panic" { // which ends the process, whoever calls it
			w.leave(g, "the goroutine calls a builtin function")
		}
		return
	}
	if id := funIdent(call.Fun); id != nil {
		if _, inferred := w.info.Instances[id]; inferred && !explicit(call.Fun) {
			w.spawnInferred(g)
			return
		}
	}
	w.replace(g.Go, g.Go+token.Pos(len("go")), "")
	w.wrap(call.Fun, w.use("Spawner")+"(", ")")
}

// spawnInferred makes a thread of a goroutine whose function is generic and
// gets its type arguments from the call, so that it cannot be named without:
// the arguments become variables, and the call stays a call.
func (w *rewriter) spawnInferred(g *ast.GoStmt) {
	call := g.Call
	last := call.Args[len(call.Args)-1] // there is one to infer from
	var names []string
	for _, arg := range call.Args {
		tv := w.info.Types[arg]
		if tv.Value != nil || tv.IsNil() || w.file.Line(last.End()) != w.file.Line(call.Rparen) {
			// As a variable a constant would have a type of its own, and a list
			// of variables does not end in a comma.
			w.leave(g, "the type arguments of the goroutine's function are inferred")
			return
		}
		n := 1
		if tuple, ok := tv.Type.(*types.Tuple); ok {
			n = tuple.Len()
		}
		for range n {
			w.vars++
			names = append(names, fmt.Sprintf("mapatom%d", w.vars))
		}
	}
	list, dots := strings.Join(names, ", "), ""
	if call.Ellipsis.IsValid() {
		dots = "..."
		w.replace(call.Ellipsis, call.Ellipsis+3, "")
	}
	w.replace(g.Go, call.Lparen+1, "{ "+list+" := ")
	w.replace(call.Rparen, call.Rparen+1, fmt.Sprintf("; %s(func() { %s(%s%s) }) }", w.use("Go"), types.ExprString(call.Fun), list, dots))
}

// funIdent is the name that a function is called by, if it has one.
func funIdent(fun ast.Expr) *ast.Ident {
	switch fun := ast.Unparen(fun).(type) {
	case *ast.Ident:
		return fun
	case *ast.SelectorExpr:
		return fun.Sel
	}
	return nil
}

// explicit reports whether the type arguments of a function are written.
func explicit(fun ast.Expr) bool {
	switch ast.Unparen(fun).(type) {
	case *ast.IndexExpr, *ast.IndexListExpr:
		return true
	}
	return false
}

// parentsOf maps each node of the file to the one around it.
func parentsOf(file *ast.File) map[ast.Node]ast.Node {
	parents := map[ast.Node]ast.Node{}
	var stack []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if len(stack) > 0 {
			parents[n] = stack[len(stack)-1]
		}
		stack = append(stack, n)
		return true
	})
	return parents
}

// redirectChecker is an import path of ours below the root.
func redirectChecker(path, root string) string {
	if rest, ok := strings.CutPrefix(path, checkerPath+"/"); ok {
		return root + "/" + rest
	}
	return path
}
