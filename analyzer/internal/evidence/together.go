package evidence

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/reduce"
)

// Two goroutines come to two functions if the code starts them so, or if both functions
// are for other packages to call.

// goroutines is the topology of the package.
func (e *Weigher) goroutines() *topology.Topology {
	if e.topo == nil {
		e.topo = topology.New(e.ps)
	}
	return e.topo
}

// meet finds entries of two functions by which different goroutines come to them. That
// one goroutine is started beside others says that they run at once, for a map; whoever
// has a lone atomic, or a field, has often seen to it when the goroutine may change that.
func meet(mine, theirs []topology.Entry, on object) (Support, bool) {
	for _, a := range mine {
		for _, b := range theirs {
			if s, ok := pair(a, b, on); ok {
				return s, true
			}
		}
	}
	return Support{}, false
}

// object says what two goroutines come together on.
type object struct {
	// isMap says that it is a map, and argument that callers give it: two requests have
	// two sessions, unless the code says otherwise.
	isMap, argument bool
}

// ofArgument reports whether a cell is reached from an argument of the call, and not from
// the object of the method or a package variable.
func (v *violation) ofArgument() bool {
	from := holding{v.Function, v.g.Accesses}.origins(v.Prog.Cells[v.g.Cells[0]].Map, 0)
	return len(from) > 0 && !slices.ContainsFunc(from, func(l register.Local) bool {
		p, ok := v.Parameter(l).(*ssa.Parameter)
		return !ok || v.Fn.Signature.Recv() != nil && p == v.Fn.Params[0]
	})
}

// pair says that two entries are those of different goroutines, if the code shows it.
func pair(a, b topology.Entry, on object) (Support, bool) {
	for _, e := range []topology.Entry{a, b} {
		switch {
		case e.Kind == topology.Handler && on.argument:
		case e.Kind == topology.Handler:
			return shown(e.Pos, "a server runs %s for each request", e.Fn.Name()), true
		case e.Several:
			return shown(e.Pos, "several goroutines are started here"), true
		}
	}
	switch {
	case !on.isMap:
	case a.Kind == topology.Started && a != b:
		return shown(a.Pos, "a goroutine is started here, and runs beside %s", b.Fn.Name()), true
	case b.Kind == topology.Started && a != b:
		return shown(b.Pos, "a goroutine is started here, and runs beside %s", a.Fn.Name()), true
	}
	return Support{}, false
}

// entered reports whether others can come in whenever they like.
func entered(entries []topology.Entry) bool {
	for _, e := range entries {
		if e.Kind == topology.Outside || e.Kind == topology.Callback || e.Kind == topology.Handler {
			return true
		}
	}
	return false
}

// handles reports whether a server runs a function for its requests.
func handles(entries []topology.Entry) bool {
	return slices.ContainsFunc(entries, func(e topology.Entry) bool { return e.Kind == topology.Handler })
}

// meantForSeveral says what shows that the function which others call is called by
// several goroutines: its atomics would serve for nothing else. One that has a single
// writer is set, and is not added to; who only compares and swaps may share it with those
// who do something else, and know which of them he meets.
//
// That others add to it says that two of the functions that use it run at once, and not
// which. It is enough for a function that is for everybody to call. What only the module
// itself can call is for those who know which functions they may call so.
func (e *Weigher) meantForSeveral(v *violation) (Support, bool) {
	if topology.ReadsOn(v.Fn) {
		return Support{}, false
	}
	if at := e.addsBeside(v); at != token.NoPos {
		return shown(at, "it adds to another atomic, which one goroutine alone would not need"), true
	}
	if at := e.writesPlainly(v); at != token.NoPos {
		return Support{}, false
	}
	root := v.Root(v.g.Cells[0])
	if users := e.users(root); len(users) == 1 && users[0] == v.Outermost() {
		return shown(v.x.First(), "%s is atomic although nothing else uses it", v.x.Map), true
	}
	if isInternal(e.ps.Pass.Pkg.Path()) || v.x.Category == absint.InconsistentRead || v.swaps() || v.Fn.Parent() != nil || !e.ps.Exported(v.Fn) {
		return Support{}, false
	}
	if at := e.synchronized(v); at != token.NoPos {
		return shown(at, "it takes a lock of its object on the way"), true
	}
	for _, s := range e.judge.World.Steps[root] {
		for _, pos := range s.Positions {
			if op := e.ps.Res.OpName(pos); adds(op.Name) {
				return shown(op.Pos, "%s is for several writers", op.Name), true
			}
		}
	}
	return Support{}, false
}

// writesPlainly is where the function, or a method that it calls on its object, writes
// plain memory of that, without any lock: two goroutines must not do that.
func (e *Weigher) writesPlainly(v *violation) token.Pos {
	fn := v.Fn
	if fn.Signature.Recv() == nil || locksSomething(fn) {
		return token.NoPos
	}
	if at := writesOwn(fn); at != token.NoPos {
		return at
	}
	for _, callee := range e.ownMethods(fn) {
		if at := writesOwn(callee); at != token.NoPos && !locksSomething(callee) {
			return at
		}
	}
	return token.NoPos
}

// ownMethods are the methods that one calls on its own object.
func (e *Weigher) ownMethods(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || len(call.Call.Args) == 0 || call.Call.Args[0] != ssa.Value(fn.Params[0]) {
				continue
			}
			callee := e.ps.Res.Local(call.Call.StaticCallee())
			if callee != nil && callee.Signature.Recv() != nil && !slices.Contains(out, callee) {
				out = append(out, callee)
			}
		}
	}
	return out
}

// writesOwn is where a method writes plain memory of its object.
func writesOwn(fn *ssa.Function) token.Pos {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			var addr ssa.Value
			switch instr := instr.(type) {
			case *ssa.Store:
				addr = instr.Addr
			case *ssa.MapUpdate:
				addr = instr.Map
			default:
				continue
			}
			if topology.ReachedFrom(addr, fn.Params[0], maxSource) {
				return instr.Pos()
			}
		}
	}
	return token.NoPos
}

// addsBeside is where the function itself adds to another atomic.
func (e *Weigher) addsBeside(v *violation) token.Pos {
	root := v.Root(v.g.Cells[0])
	own := v.Positions(v.g.Accesses)
	for _, b := range v.Fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || len(call.Common().Args) == 0 {
				continue
			}
			at, _, _ := e.ps.Res.Place(call)
			callee := call.Common().StaticCallee()
			if callee == nil || !isAtomicAdd(callee) || slices.Contains(own, e.ps.Res.PosText(at)) {
				continue
			}
			if name := placeName(call.Common().Args[0]); name != "" && name != root {
				return call.Pos()
			}
		}
	}
	return token.NoPos
}

// isAtomicAdd reports whether a function is one of sync/atomic that adds.
func isAtomicAdd(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	return ok && obj.Pkg() != nil && obj.Pkg().Path() == "sync/atomic" && adds(obj.Name())
}

// isInternal reports whether only some packages of the module can import a package.
func isInternal(path string) bool { return slices.Contains(strings.Split(path, "/"), "internal") }

// users are the declared functions that use the field of a root, or the package variable.
func (e *Weigher) users(root string) []*ssa.Function {
	if e.usedBy == nil {
		e.usedBy = map[string][]*ssa.Function{}
		for _, fn := range e.ps.Funcs {
			e.noteUses(fn)
		}
	}
	return e.usedBy[root]
}

func (e *Weigher) noteUses(fn *ssa.Function) {
	outermost := fn
	for outermost.Parent() != nil {
		outermost = outermost.Parent()
	}
	note := func(name string) {
		if !slices.Contains(e.usedBy[name], outermost) {
			e.usedBy[name] = append(e.usedBy[name], outermost)
		}
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if fa, ok := instr.(*ssa.FieldAddr); ok && !ssaprog.IsMadeHere(fa.X) {
				note(reduce.MemoryName(fa))
			}
			for _, op := range instr.Operands(nil) {
				if g, ok := (*op).(*ssa.Global); ok {
					note(reduce.MemoryName(g))
				}
			}
		}
	}
}

// synchronized is where the call takes a lock of the object that it is made on, by itself
// or by a method of it, before it comes to an atomic of that: whoever wrote that expects
// several goroutines here. That others among its methods do says less.
func (e *Weigher) synchronized(v *violation) token.Pos {
	fn := v.Fn
	if fn.Signature.Recv() == nil || len((holding{v.Function, v.g.Accesses}).origins(v.Prog.Cells[v.g.Cells[0]].Map, 0)) == 0 {
		return token.NoPos
	}
	if at := locksOwn(fn); at != token.NoPos && at < v.x.First() {
		return at
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || call.Pos() >= v.x.First() || len(call.Common().Args) == 0 || call.Common().Args[0] != ssa.Value(fn.Params[0]) {
				continue
			}
			if callee := call.Common().StaticCallee(); callee != nil && callee.Signature.Recv() != nil && e.ps.Res.Local(callee) != nil {
				if at := locksOwn(e.ps.Res.Local(callee)); at != token.NoPos {
					return at
				}
			}
		}
	}
	return token.NoPos
}

// locksOwn is where a method locks a mutex of its receiver.
func locksOwn(fn *ssa.Function) token.Pos {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || len(call.Common().Args) == 0 {
				continue
			}
			callee := call.Common().StaticCallee()
			if callee == nil || !isLock(callee) {
				continue
			}
			if fa, ok := call.Common().Args[0].(*ssa.FieldAddr); ok && fa.X == ssa.Value(fn.Params[0]) {
				return call.Pos()
			}
		}
	}
	return token.NoPos
}

// isLock reports whether a function is that of a mutex that takes it.
func isLock(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return false
	}
	switch obj.FullName() {
	case "(*sync.Mutex).Lock", "(*sync.RWMutex).Lock", "(*sync.RWMutex).RLock":
		return true
	}
	return false
}
