package analyzer

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// root is the identity of a map across functions: the field or the package
// variable that holds it, as reduce names that memory; "" where a map has
// none, because it came as an argument.
func root(n *reduce.Numbering, m reduce.Operand) string {
	m = n.Source(m)
	if m.IsLit() {
		if strings.HasPrefix(m.Lit, "&") {
			return m.Lit
		}
		return ""
	}
	def, _ := n.Def(m)
	if def == nil || len(def.Args) != 1 {
		return ""
	}
	if def.Name == "load" {
		return root(n, def.Args[0])
	}
	name := strings.TrimPrefix(def.Name, "&")
	if strings.Count(name, ".") != 2 {
		return ""
	}
	return name
}

// worlds says of each map of a package whether it can be reached from
// outside, and what the package does to it.
type worlds struct {
	// open has the reason for each root that is not closed.
	open map[string]string
	// steps are what the package does to the maps of a root.
	steps map[string][]*worldStep
}

// worldStep is a step in function form's terms: the key that it is on tells
// whether it can concern a region.
type worldStep struct {
	step absint.Step
	cell reduce.Cell
	text string
	// accesses are where it is from, so that a region is not surprised by
	// a part of itself.
	positions []reduce.Pos
	// locks are held at some time during the step, always throughout.
	locks, always lockSet
	writes        bool
}

// closed reports whether everything that happens to the maps of a root is
// in the package.
func (w *worlds) closed(root string) bool {
	_, open := w.open[root]
	return root != "" && !open
}

// escapes finds the roots that other packages can reach. fns are all
// functions of the package, info tells what a call does with its operands.
type escapes struct {
	pkg     *ssa.Package
	res     reduce.Resolver
	roots   map[string]bool
	open    map[string]string
	visited map[ssa.Value]bool
}

func findOpen(pkg *ssa.Package, fns []*ssa.Function, res reduce.Resolver, roots map[string]bool) map[string]string {
	e := &escapes{pkg: pkg, res: res, roots: roots, open: map[string]string{}, visited: map[ssa.Value]bool{}}
	for _, fn := range fns {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				e.instr(instr)
			}
		}
	}
	for r := range roots {
		if !e.ours(r) {
			e.open[r] = "it belongs to another package"
		}
	}
	return e.open
}

// ours reports whether a root is named after this package.
func (e *escapes) ours(root string) bool {
	name := strings.TrimPrefix(root, "&")
	return strings.HasPrefix(name, e.pkg.Pkg.Name()+".") || strings.HasPrefix(name, lastElem(e.pkg.Pkg)+".")
}

func lastElem(p *types.Package) string {
	return p.Path()[strings.LastIndexByte(p.Path(), '/')+1:]
}

func (e *escapes) instr(instr ssa.Instruction) {
	if fa, ok := instr.(*ssa.FieldAddr); ok {
		r := reduce.MemoryName(fa)
		if e.roots[r] {
			if f := addressedField(fa); f == nil || f.Exported() && !f.Embedded() || f.Embedded() && exportedOwner(fa) {
				e.leak(r, "the field is exported")
			}
			e.follow(r, fa)
		}
	}
	for _, op := range instr.Operands(nil) {
		g, ok := (*op).(*ssa.Global)
		if !ok || !e.roots[reduce.MemoryName(g)] {
			continue
		}
		r := reduce.MemoryName(g)
		if token.IsExported(g.Name()) {
			e.leak(r, "the variable is exported")
		}
		e.use(r, instr, g)
	}
}

func addressedField(fa *ssa.FieldAddr) *types.Var {
	p, ok := fa.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	s, ok := p.Elem().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return s.Field(fa.Field)
}

// exportedOwner reports whether the struct's type can be named from outside.
func exportedOwner(fa *ssa.FieldAddr) bool {
	p, ok := fa.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return true
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	return !ok || named.Obj().Exported()
}

func (e *escapes) leak(root, why string) {
	if _, ok := e.open[root]; !ok {
		e.open[root] = why
	}
}

// follow looks at all uses of a value that leads to the map.
func (e *escapes) follow(root string, v ssa.Value) {
	if e.visited[v] || v.Referrers() == nil {
		return
	}
	e.visited[v] = true
	for _, ref := range *v.Referrers() {
		e.use(root, ref, v)
	}
}

// use decides whether an instruction lets the map out of sight.
func (e *escapes) use(root string, instr ssa.Instruction, v ssa.Value) {
	switch instr := instr.(type) {
	case *ssa.DebugRef, *ssa.BinOp:
	case *ssa.UnOp: // the field holds a pointer to the map, or is a number
		if _, copied := instr.Type().Underlying().(*types.Struct); copied {
			e.leak(root, "it is copied")
		}
		e.follow(root, instr)
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface:
		e.follow(root, instr.(ssa.Value))
	case *ssa.FieldAddr: // a part of it, which has a root of its own
		e.follow(root, instr)
	case *ssa.Store:
		if instr.Val == v {
			e.leak(root, "it is stored elsewhere")
		} else if !e.born(instr.Val, 0) {
			e.leak(root, "it comes from outside")
		}
	case ssa.CallInstruction:
		e.call(root, instr, v)
	case *ssa.MakeClosure: // m.Range as a value, or captured by a closure
		if fn, ok := instr.Fn.(*ssa.Function); ok {
			for i, b := range instr.Bindings {
				if b == v && i < len(fn.FreeVars) {
					e.follow(root, fn.FreeVars[i])
				}
			}
		}
	default:
		e.leak(root, "its address is taken")
	}
}

// call decides about a call that gets the map as an operand.
func (e *escapes) call(root string, call ssa.CallInstruction, v ssa.Value) {
	info := e.res.Call(call.Parent(), call)
	switch info.Kind {
	case reduce.CallBase:
		if info.Base.Map == v || info.Base.Value != v && info.Base.New != v {
			return
		}
	case reduce.CallInline:
		if fn, args := reduce.Callee(call); fn != nil && fn.Pkg == e.pkg {
			for i, a := range args {
				if a == v && i < len(fn.Params) {
					e.follow(root, fn.Params[i])
				}
			}
			return
		}
		if _, args := reduce.Callee(call); len(args) > 0 && args[0] == v {
			return // a method of it, known through a fact
		}
	case reduce.CallPure, reduce.CallReadOnly, reduce.CallQuiet, reduce.CallSame, reduce.CallLock, reduce.CallUnlock:
		return
	}
	if fn := call.Common().StaticCallee(); fn != nil && fn.Synthetic != "" && fn.Pkg == e.pkg {
		return
	}
	e.leak(root, fmt.Sprintf("it is passed to %s", calleeName(call)))
}

func calleeName(call ssa.CallInstruction) string {
	if fn := call.Common().StaticCallee(); fn != nil {
		return fn.Name()
	}
	if call.Common().IsInvoke() {
		return call.Common().Method.Name()
	}
	return "a function value"
}

// born reports whether a value stored to a field is a new map, or no map.
func (e *escapes) born(v ssa.Value, depth int) bool {
	if depth > 5 {
		return false
	}
	switch v := v.(type) {
	case *ssa.Const, *ssa.Alloc, *ssa.MakeMap, *ssa.BinOp:
		return true
	case *ssa.UnOp: // a struct literal's value
		_, isPtr := v.Type().Underlying().(*types.Pointer)
		return !isPtr && e.born(v.X, depth+1)
	case *ssa.ChangeType:
		return e.born(v.X, depth+1)
	case *ssa.MakeInterface:
		return e.born(v.X, depth+1)
	case *ssa.Extract:
		return e.born(v.Tuple, depth+1)
	case *ssa.Call:
		if _, basic := v.Type().Underlying().(*types.Basic); basic {
			return true
		}
		info := e.res.Call(v.Parent(), v)
		if info.Kind == reduce.CallFresh {
			return true
		}
		fn := v.Call.StaticCallee()
		return fn != nil && (strings.HasPrefix(fn.Name(), "New") || strings.HasPrefix(fn.Name(), "new"))
	case *ssa.Phi:
		return !slices.ContainsFunc(v.Edges, func(x ssa.Value) bool { return !e.born(x, depth+1) })
	case *ssa.Parameter:
		_, basic := v.Type().Underlying().(*types.Basic)
		return basic
	}
	_, basic := v.Type().Underlying().(*types.Basic)
	return basic
}
