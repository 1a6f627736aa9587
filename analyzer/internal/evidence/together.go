package evidence

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/contract"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
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
	// two sessions, unless the code says otherwise. guarded says that a lock is let go in
	// between.
	isMap, argument, guarded bool
	// roots are the parameters that it is reached from, if it is from nothing else.
	roots []*ssa.Parameter
}

// ownOf reports whether each of the goroutines that are started at one place has an object of its
// own.
func (o object) ownOf(e topology.Entry) bool {
	return e.Each != nil && slices.ContainsFunc(o.roots, func(p *ssa.Parameter) bool { return types.Identical(p.Type(), e.Each) })
}

// roots are the parameters that a cell is reached from, if it is from nothing else.
func (v *violation) roots() []*ssa.Parameter {
	var out []*ssa.Parameter
	for _, o := range v.objects() {
		p, ok := o.(*ssa.Parameter)
		if !ok {
			return nil
		}
		out = append(out, p)
	}
	return out
}

// objects are the parameters and captured variables that a violation's first cell is reached from;
// none if it is reached from anything else.
func (v *violation) objects() []ssa.Value {
	return holding{v.Function, v.g.Accesses}.objects(v.g.Cells[0])
}

// objects are those of one cell.
func (v holding) objects(cell int) []ssa.Value {
	var out []ssa.Value
	for _, l := range v.origins(v.Prog.Cells[cell].Map, 0) {
		switch p := v.Parameter(l).(type) {
		case *ssa.Parameter, *ssa.FreeVar:
			out = append(out, p)
		default:
			return nil
		}
	}
	return out
}

// objectsOf are those of the cells of a step; none if they are reached from anything else.
func objectsOf(s *rivals.Step) []ssa.Value {
	if s.From == nil || s.From.Fn != s.Fn {
		return nil
	}
	var out []ssa.Value
	for _, a := range s.Accesses {
		some := holding{s.From, s.Accesses}.objects(a.Cell)
		if len(some) == 0 {
			return nil
		}
		out = append(out, some...)
	}
	return out
}

// entriesOn are the entries by which goroutines come to a function with an object.
func (e *Weigher) entriesOn(fn *ssa.Function, objects []ssa.Value) []topology.Entry {
	return e.goroutines().EntriesOn(fn, objects, e.confinements().Belongs)
}

// ofArgument reports whether a cell is reached from an argument of the call, and not from
// the object of the method or a package variable.
func (v *violation) ofArgument() bool {
	roots := v.roots()
	return len(roots) > 0 && (v.Fn.Signature.Recv() == nil || !slices.Contains(roots, v.Fn.Params[0]))
}

// ofLiteral reports whether it is about a map that is a variable of the function around a
// function literal: each call of that has another one, and gives the literal to somebody who
// may well call it before he returns, once at a time.
func (v *violation) ofLiteral() bool {
	object := v.N.Source(v.Prog.Cells[v.g.Cells[0]].Map)
	free, ok := v.Parameter(object.Local).(*ssa.FreeVar)
	if !ok {
		return false
	}
	if _, isPointer := ssaprog.Deref(free.Type()).Underlying().(*types.Pointer); isPointer {
		return false
	}
	for _, made := range ssaprog.ClosuresOf(v.Fn) {
		if _, isVariable := made.Bindings[slices.Index(v.Fn.FreeVars, free)].(*ssa.Alloc); !isVariable {
			return false
		}
	}
	return true
}

// pair says that two entries are those of different goroutines, if the code shows it.
func pair(a, b topology.Entry, on object) (Support, bool) {
	for _, e := range []topology.Entry{a, b} {
		switch {
		case e.Kind == topology.Handler && on.argument:
		case e.Kind == topology.Handler:
			return shown(e.Pos, "a server runs %s for each request", e.Fn.Name()), true
		case e.Several && on.ownOf(e):
		case e.Several && (on.isMap || on.guarded || e.AtOnce):
			return shown(e.Pos, "several goroutines are started here"), true
		}
	}
	switch {
	case a.On != nil && a.On == b.On && a.Pos != b.Pos && (on.guarded || a.Fn == b.Fn):
		return shown(a.Pos, "%s and %s are started on one object", a.Fn.Name(), b.Fn.Name()), true
	case !on.isMap:
	case a.Kind == topology.Started && a != b:
		return shown(a.Pos, "a goroutine is started here, and runs beside %s", b.Fn.Name()).shows(byStart), true
	case b.Kind == topology.Started && a != b:
		return shown(b.Pos, "a goroutine is started here, and runs beside %s", a.Fn.Name()).shows(byStart), true
	}
	return Support{}, false
}

// putsAlone reports whether nobody else puts something in the cell of a step that first looks
// there: others can only take it away.
func (e *Weigher) putsAlone(v *violation) bool {
	if v.x.Several || v.g.Accesses[0].Writes {
		return false
	}
	return !slices.ContainsFunc(e.judge.World.Steps[v.Root(v.g.Cells[0])], func(s *rivals.Step) bool {
		p := s.Step.Program
		takesAway := empties(p)
		return !e.stepOf(v.Fn, s) && someInstr(p, func(in register.Instr) bool { return putsSomething(&in) && !takesAway(in) })
	})
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

// byMaker is why those who come to two functions are one goroutine, and where the code says so: they have
// made the object there, or who has made it has started the one that they all are.
func byMaker(mine, theirs []topology.Entry) (Support, bool) {
	all := slices.Concat(mine, theirs)
	not := func(is func(topology.Entry) bool) bool {
		return len(all) == 0 || slices.ContainsFunc(all, func(e topology.Entry) bool { return !is(e) })
	}
	switch {
	case !not(func(e topology.Entry) bool { return e.Kind == topology.Maker }):
		return likely(all[0].Pos, "whoever makes the object works with it here"), true
	case !not(func(e topology.Entry) bool { return e.Alone && e.Pos == all[0].Pos }):
		return likely(all[0].Pos, "whoever makes the object starts one goroutine on it"), true
	}
	return Support{}, false
}

// handles reports whether a server runs a function for its requests.
func handles(entries []topology.Entry) bool {
	return slices.ContainsFunc(entries, func(e topology.Entry) bool { return e.Kind == topology.Handler })
}

// meantForSeveral says what shows that the function which others call is called by
// several goroutines: its atomics would serve for nothing else. It adds to another one as
// well, or is the only one that uses it. That others add to it, or that a lock of the object is
// taken on the way, says that two of the functions that use it run at once, and not which:
// those who call them know which they may call so.
func (e *Weigher) meantForSeveral(v *violation) (Support, bool) {
	if topology.ReadsOn(v.Fn) {
		return Support{}, false
	}
	if at := e.addsBeside(v); at != token.NoPos {
		return expected(at, "it adds to another atomic, which one goroutine alone would not need"), true
	}
	if at := e.writesLocked(v); at != token.NoPos {
		return expected(at, "a lock is taken here to write it, which one goroutine alone would not need"), true
	}
	if at := e.writesPlainly(v); at != token.NoPos {
		return Support{}, false
	}
	root := v.Root(v.g.Cells[0])
	if e.usedOnlyIn(root, v.Outermost()) {
		return expected(v.x.First(), "%s is atomic although nothing else uses it", v.x.Map), true
	}
	if at := e.countsBack(v); at != token.NoPos {
		return expected(at, "it counts those who are in, and is counted back here"), true
	}
	if e.changesCopy(v) {
		return expected(v.x.First(), "%s is copied to be changed, which one goroutine alone would not need", v.x.Map), true
	}
	return Support{}, false
}

// changesCopy reports whether a changed copy of a map or a list takes its place: whoever keeps one so has others look at it at any
// time, and nothing asks that only one of them changes it.
//
//	next := maps.Clone(*t.routes.Load())
//	next[to] = by
//	t.routes.Store(&next)
func (e *Weigher) changesCopy(v *violation) bool {
	return !v.x.Several && v.x.Category == absint.LostUpdate && e.contractOf(v).kind == contract.None && v.derived() && slices.ContainsFunc(e.stores(v), func(in *register.Instr) bool {
		op, _ := e.ps.Res.OperationAt(in.Pos)
		return op.Stored != nil && isCollection(op.Stored)
	})
}

// isCollection reports whether a type is that of a map or a slice, or of a pointer to one.
func isCollection(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return isContainer(t.Underlying())
}

// usedBeside says what else shows that two come to a lone atomic or a field at once, if nothing asks callers to see
// to it that they do not.
func (e *Weigher) usedBeside(v *violation, mine []topology.Entry) (Support, bool) {
	if s, ok := e.startedToo(v, mine); ok {
		return s, ok
	}
	switch at := e.swappedBeside(v); {
	case !entered(mine) || topology.ReadsOn(v.Fn):
		return Support{}, false
	case v.x.Guard != "":
		return e.onlyWay(v)
	case at != token.NoPos && e.writesPlainly(v) == token.NoPos:
		return expected(at, "whoever changes it here expects others who do so, which one goroutine alone would not"), true
	}
	return Support{}, false
}

// swappedBeside is where another function changes the atomic by an operation that looks as well, and goes by what
// it has found: a load and a store, as the step has, would do, if nobody else changed it.
//
//	func (s *Service) Stop() { if w := s.cur.Swap(nil); w != nil { w.cancel() } }
func (e *Weigher) swappedBeside(v *violation) token.Pos {
	own := v.Outermost()
	if slices.ContainsFunc(v.g.Accesses, func(a *register.Access) bool { return looksAsWritten(v.Prog, a) != nil }) {
		return token.NoPos
	}
	for _, s := range e.judge.World.Steps[v.Root(v.g.Cells[0])] {
		if s.From == nil || s.From.Outermost() == own {
			continue
		}
		for _, a := range s.Accesses {
			if in := looksAsWritten(s.From.Prog, a); in != nil {
				return e.position(in.Pos)
			}
		}
	}
	return token.NoPos
}

// startedToo says that a goroutine which the code starts comes to a function that others call as well, at most by one
// other, and two that find the same both go ahead: where it asks whether somebody was there before, two are meant.
//
//	func (f *Feed) pump() { defer f.Close(); … } // which Open starts
func (e *Weigher) startedToo(v *violation, mine []topology.Entry) (Support, bool) {
	if !v.ofReceiver() || v.x.Category == absint.Crash || !slices.ContainsFunc(mine, func(a topology.Entry) bool { return a.Kind == topology.Outside }) {
		return Support{}, false
	}
	near := append(e.callersOf(v.Fn), v.Fn)
	for _, fn := range near {
		near = append(near, e.callersOf(fn)...)
	}
	started := slices.IndexFunc(mine, func(a topology.Entry) bool { return a.Kind == topology.Started && slices.Contains(near, a.Fn) })
	if started < 0 {
		return Support{}, false
	}
	_, both := e.twice(v)
	taken := v.x.Category == absint.LostUpdate && takesOld(v.x.Region) && !e.unread(v) && e.meetsInlined(v)
	if !both && !taken {
		return Support{}, false
	}
	return shown(mine[started].Pos, "a goroutine is started here that comes to it as others do who call it"), true
}

// callersOf are the functions of the package that call one.
func (e *Weigher) callersOf(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	for _, call := range e.ps.Callers(fn) {
		out = append(out, call.Parent())
	}
	return out
}

// onlyWay reports whether all who use a guarded field come by one function that others call: the lock would serve for
// nothing if they did not call it at once.
func (e *Weigher) onlyWay(v *violation) (Support, bool) {
	var way *topology.Entry
	for _, fn := range e.users(v.Root(v.g.Cells[0])) {
		for _, a := range e.goroutines().Entries(fn) {
			if a.Kind == topology.Tested {
				continue
			}
			if a.Kind != topology.Outside || way != nil && *way != a {
				return Support{}, false
			}
			way = &a
		}
	}
	if way == nil {
		return Support{}, false
	}
	return expected(v.x.First(), "%s is locked by those who call %s, and nobody else", v.x.Guard, way.Fn.Name()), true
}

// writesLocked is where the step takes a lock to write an atomic, and not to look at it first: those who look
// need none, so it keeps others away who write.
func (e *Weigher) writesLocked(v *violation) token.Pos {
	for _, a := range v.g.Accesses {
		if !a.Writes {
			continue
		}
		if at, ok := (holding{v.Function, []*register.Access{a}}).heldLock(); ok {
			return e.placeOf(v.Pos(at))
		}
	}
	return token.NoPos
}

// countsBack is where an atomic is changed by one the other way than the step changes it: it
// counts those who are in between, which one goroutine alone would not do.
func (e *Weigher) countsBack(v *violation) token.Pos {
	mine := 0
	for _, pos := range v.Positions(v.g.Accesses) {
		if e.position(pos) == v.x.Pos {
			mine = e.countsBy(pos)
		}
	}
	if mine == 0 {
		return token.NoPos
	}
	for _, s := range e.judge.World.Steps[v.Root(v.g.Cells[0])] {
		for _, pos := range s.Positions {
			if e.countsBy(pos) == -mine {
				return e.position(pos)
			}
		}
	}
	return token.NoPos
}

// countsBy is one or minus one, by which the operation at a place changes an atomic; zero
// for any other.
func (e *Weigher) countsBy(pos register.Pos) int {
	call := e.callAt(pos)
	if call == nil || call.StaticCallee() == nil || !isAtomicAdd(call.StaticCallee()) {
		return 0
	}
	c, ok := call.Args[len(call.Args)-1].(*ssa.Const)
	if !ok || c.Value == nil || c.Value.Kind() != constant.Int {
		return 0
	}
	if n, exact := constant.Uint64Val(c.Value); exact && (n == math.MaxUint64 || n == math.MaxUint32 && types.Identical(c.Type().Underlying(), types.Typ[types.Uint32])) {
		return -1
	}
	if n, exact := constant.Int64Val(c.Value); exact && (n == 1 || n == -1) {
		return int(n)
	}
	return 0
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
	if fn.Signature.Recv() == nil {
		return nil
	}
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

// addsBeside is where the function itself adds to another atomic, or a method that it calls
// on its object.
func (e *Weigher) addsBeside(v *violation) token.Pos {
	for _, fn := range append([]*ssa.Function{v.Fn}, e.ownMethods(v.Fn)...) {
		if at := e.addsTo(v, fn); at != token.NoPos {
			return at
		}
	}
	return token.NoPos
}

func (e *Weigher) addsTo(v *violation, fn *ssa.Function) token.Pos {
	root := v.Root(v.g.Cells[0])
	own := v.Positions(v.g.Accesses)
	for _, b := range fn.Blocks {
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

// usedOnlyIn reports whether nothing uses a root but one function, and what that alone calls for it.
//
//	func (s *Stream) isClosed() bool { return s.closed.Load() }
func (e *Weigher) usedOnlyIn(root string, fn *ssa.Function) bool {
	users := e.users(root)
	return len(users) > 0 && !slices.ContainsFunc(users, func(user *ssa.Function) bool {
		return user != fn && (e.ps.Exported(user) || len(e.callersOf(user)) == 0 || slices.ContainsFunc(e.callersOf(user), func(by *ssa.Function) bool { return by != fn }))
	})
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
