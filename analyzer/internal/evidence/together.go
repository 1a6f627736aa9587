package evidence

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
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
func meet(mine, theirs []topology.Entry, beside bool) (Support, bool) {
	for _, a := range mine {
		for _, b := range theirs {
			if s, ok := pair(a, b, beside); ok {
				return s, true
			}
		}
	}
	return Support{}, false
}

// pair says that two entries are those of different goroutines, if the code shows it.
func pair(a, b topology.Entry, beside bool) (Support, bool) {
	for _, e := range []topology.Entry{a, b} {
		switch {
		case e.Kind == topology.Handler:
			return shown(e.Pos, "a server runs %s for each request", e.Fn.Name()), true
		case e.Several:
			return shown(e.Pos, "several goroutines are started here"), true
		}
	}
	switch {
	case !beside:
	case a.Kind == topology.Started && a != b:
		return shown(a.Pos, "a goroutine is started here, beside %s", b.Fn.Name()), true
	case b.Kind == topology.Started && a != b:
		return shown(b.Pos, "a goroutine is started here, beside %s", a.Fn.Name()), true
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

// meantForSeveral says what shows that the function which others call is called by
// several goroutines: its type has locks, or the atomic would serve for nothing. One that
// has a single writer is set, and is not added to.
//
// That says that two of the functions that use it run at once, and not which. It is
// enough for a function that is for everybody to call. What only the module itself can
// call is for those who know which functions they may call so, unless there is no other.
func (e *Weigher) meantForSeveral(v *violation) (Support, bool) {
	if users := e.users(v.Root(v.g.Cells[0])); len(users) == 1 && users[0] == v.Outermost() {
		return shown(v.x.First(), "%s is an atomic for this alone", v.x.Map), true
	}
	if isInternal(e.ps.Pass.Pkg.Path()) {
		return Support{}, false
	}
	if at := e.synchronized(v); at != token.NoPos {
		return shown(at, "it takes a lock of its object"), true
	}
	root := v.Root(v.g.Cells[0])
	for _, s := range e.judge.World.Steps[root] {
		for _, pos := range s.Positions {
			if op := e.ps.Res.OpName(pos); addsUp(op.Name) {
				return shown(op.Pos, "%s is for several writers", op.Name), true
			}
		}
	}
	return Support{}, false
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
// or by a method of it: whoever wrote that expects several goroutines here. That others
// among its methods do says less.
func (e *Weigher) synchronized(v *violation) token.Pos {
	fn := v.Fn
	if fn.Signature.Recv() == nil {
		return token.NoPos
	}
	if at := locksOwn(fn); at != token.NoPos {
		return at
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || len(call.Common().Args) == 0 || call.Common().Args[0] != ssa.Value(fn.Params[0]) {
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
