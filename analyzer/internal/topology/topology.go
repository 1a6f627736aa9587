package topology

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// Kind says how a goroutine comes to a function.
type Kind int

const (
	// Outside: other packages call it.
	Outside Kind = iota
	// Single: it is main, or an init function.
	Single
	// Started: a go statement starts it, or a timer does, or a group of goroutines.
	Started
	// Handler: a server runs it for each request.
	Handler
	// Callback: it is kept as a value, and who calls it is not known.
	Callback
	// Tested: a test runs it.
	Tested
	// Maker: it makes the object, and goes on with it.
	Maker
)

// Entry is a way into the functions of a package.
type Entry struct {
	Kind Kind
	// Fn is the function that is entered, and Pos where the code says so: the go
	// statement, the call that is given the handler, the declaration.
	Fn  *ssa.Function
	Pos token.Pos
	// Several says that the code has several goroutines come this way at once, on
	// what may be one object.
	Several bool
	// AtOnce says that the code itself starts several of them on one object, one after
	// the other or for each request, and does not leave it to those who call.
	AtOnce bool
	// Alone says that whoever starts the goroutine has made the object there, and starts one on it.
	Alone bool
	// On is the object of the method that a go statement starts; nil for anything else. What else is
	// started on it runs beside it.
	On ssa.Value
	// Each is the type of what each of several goroutines has for itself, an element of what the
	// code goes over as it starts them; nil if there is none.
	Each types.Type
}

// Topology knows the entries of the functions of a package.
type Topology struct {
	ps    *ssaprog.Programs
	known map[*ssa.Function][]Entry
	// own are the entries that lead to a function directly, as far as they have
	// been asked for.
	own map[*ssa.Function][]Entry
	// uses are the places where a function is used as a value.
	uses map[*ssa.Function][]use
	// invoked are the calls through interfaces, by the method's name.
	invoked map[string][]ssa.CallInstruction
}

// use is an instruction with a function, or a closure of it, among its operands.
type use struct {
	instr ssa.Instruction
	value ssa.Value
}

// New prepares the topology of a package.
func New(ps *ssaprog.Programs) *Topology {
	t := &Topology{
		ps: ps, known: map[*ssa.Function][]Entry{}, own: map[*ssa.Function][]Entry{},
		uses: map[*ssa.Function][]use{}, invoked: map[string][]ssa.CallInstruction{},
	}
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				t.note(instr)
			}
		}
	}
	return t
}

// note notes what functions an instruction uses as values, and calls by an interface.
func (t *Topology) note(instr ssa.Instruction) {
	if call, ok := instr.(ssa.CallInstruction); ok && call.Common().IsInvoke() {
		name := call.Common().Method.Name()
		t.invoked[name] = append(t.invoked[name], call)
	}
	if ssaprog.IsDebugRef(instr) {
		return
	}
	for _, op := range instr.Operands(nil) {
		var fn *ssa.Function
		switch v := (*op).(type) {
		case *ssa.Function:
			fn = v
		case *ssa.MakeClosure:
			fn, _ = v.Fn.(*ssa.Function)
		}
		if fn != nil {
			fn = ssaprog.Declared(fn)
			t.uses[fn] = append(t.uses[fn], use{instr, *op})
		}
	}
}

// Entries are the entries from which a function is reached, in the order of the source.
func (t *Topology) Entries(fn *ssa.Function) []Entry {
	if all, ok := t.known[fn]; ok {
		return all
	}
	found := map[Entry]bool{}
	t.collect(fn, found, map[*ssa.Function]bool{})
	all := sorted(found)
	t.known[fn] = all
	return all
}

// sorted are some entries in the order of the source.
func sorted(found map[Entry]bool) []Entry {
	var all []Entry
	for e := range found {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Fn.String(), b.Fn.String()))
	})
	return all
}

// collect adds the entries that lead to fn, directly or by its callers.
func (t *Topology) collect(fn *ssa.Function, found map[Entry]bool, seen map[*ssa.Function]bool) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, e := range t.direct(fn) {
		found[e] = true
	}
	for _, caller := range t.callers(fn) {
		t.collect(caller, found, seen)
	}
}

// callers are the functions of the package that run fn as a part of themselves.
func (t *Topology) callers(fn *ssa.Function) []*ssa.Function {
	var out []*ssa.Function
	if fn.Parent() != nil && t.ps.InPlainSight(fn) {
		out = append(out, fn.Parent())
	}
	for _, call := range t.ps.Callers(fn) {
		out = append(out, call.Parent())
	}
	if fn.Signature.Recv() != nil {
		for _, call := range t.invoked[fn.Name()] {
			if _, starts := call.(*ssa.Go); !starts && mayGoTo(call, fn) {
				out = append(out, call.Parent())
			}
		}
	}
	return out
}

// mayGoTo reports whether a call through an interface may be one of a method, which has
// the name: if its type implements that. Of an instance of a generic type that is not known.
func mayGoTo(call ssa.CallInstruction, method *ssa.Function) bool {
	t := method.Signature.Recv().Type()
	iface, ok := call.Common().Value.Type().Underlying().(*types.Interface)
	if named, isNamed := types.Unalias(ssaprog.Deref(t)).(*types.Named); !ok || isNamed && named.TypeParams().Len() > 0 {
		return true
	}
	return types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface)
}

// direct are the entries at fn itself.
func (t *Topology) direct(fn *ssa.Function) []Entry {
	if own, ok := t.own[fn]; ok {
		return own
	}
	t.own[fn] = nil // while looking
	var own []Entry
	switch {
	case ssaprog.IsTest(fn):
		own = append(own, Entry{Kind: Tested, Fn: fn, Pos: fn.Pos()})
	case ssaprog.IsInit(fn), fn.Name() == "main" && t.ps.Exported(fn):
		own = append(own, Entry{Kind: Single, Fn: fn, Pos: fn.Pos()})
	case servesRequests(fn):
		own = append(own, Entry{Kind: Handler, Fn: fn, Pos: fn.Pos(), Several: true})
	case t.ps.Exported(fn):
		own = append(own, Entry{Kind: Outside, Fn: fn, Pos: fn.Pos()})
	}
	if t.ps.Tested(fn) {
		own = append(own, Entry{Kind: Tested, Fn: fn, Pos: fn.Pos()})
	}
	for _, start := range t.ps.Refs.Started[fn] {
		own = append(own, t.started(fn, start, start.Pos()))
	}
	if fn.Parent() == nil || !t.ps.InPlainSight(fn) {
		for _, u := range t.uses[fn] {
			if e, ok := t.used(fn, u); ok {
				own = append(own, e)
			}
		}
	}
	t.own[fn] = own
	return own
}

// started is the entry by a go statement, or by what does the same. Several come that
// way if it runs again while the goroutine does, and the goroutine is given something
// that was there before. A loop that a method starts on its own object, and on nothing
// else, is that object's: nobody starts it twice, although he could.
func (t *Topology) started(fn *ssa.Function, start ssa.CallInstruction, pos token.Pos) Entry {
	given := shared(start)
	once := t.goesRound(fn, maxRound) && onlyReceiver(start.Parent(), given)
	round := ways.Loops(start.Block())
	again, atOnce := t.runsAgain(start.Parent(), once)
	has := len(given) > 0
	e := Entry{Kind: Started, Fn: fn, Pos: pos, Several: has && (round || again), AtOnce: has && (round || atOnce)}
	if _, isGo := start.(*ssa.Go); isGo && fn.Signature.Recv() != nil && !start.Common().IsInvoke() {
		e.On = start.Common().Args[0]
	}
	if round {
		e.Each = ownElement(start)
	}
	return e
}

// ownElement is the type of the first argument that is another one in each round of the loop in
// which a goroutine is started: an element of a slice, an array or a map. A literal picks it by a variable
// of the round that it captures, or captures it.
func ownElement(start ssa.CallInstruction) types.Type {
	for _, arg := range append(slices.Clone(start.Common().Args), start.Common().Value) {
		if literal, ok := arg.(*ssa.MakeClosure); ok {
			if t := ownOfLiteral(literal, start.Block()); t != nil {
				return t
			}
			continue
		}
		if changesBetween(indexOf(arg), start.Block()) {
			return arg.Type()
		}
	}
	return nil
}

// indexOf is by what an element is picked; nil if a value is none.
func indexOf(v ssa.Value) ssa.Value {
	switch v := v.(type) {
	case *ssa.UnOp:
		if at, ok := v.X.(*ssa.IndexAddr); ok {
			return at.Index
		}
	case *ssa.IndexAddr:
		return v.Index
	case *ssa.Index:
		return v.Index
	case *ssa.Lookup:
		return v.Index
	case *ssa.Extract:
		if next, ok := v.Tuple.(*ssa.Next); ok {
			return next
		}
	}
	return nil
}

// ownOfLiteral is the type of what a literal has for itself that is made in each round: what is stored in a
// variable of the round that it captures, or the element that it picks by such a variable.
func ownOfLiteral(literal *ssa.MakeClosure, again *ssa.BasicBlock) types.Type {
	fn := literal.Fn.(*ssa.Function)
	for i, bound := range literal.Bindings {
		if !changesBetween(bound, again) {
			continue
		}
		for _, ref := range *bound.Referrers() {
			if st, ok := ref.(*ssa.Store); ok && st.Addr == bound && changesBetween(indexOf(st.Val), again) {
				return st.Val.Type()
			}
		}
		for _, load := range *fn.FreeVars[i].Referrers() {
			if v, ok := load.(*ssa.UnOp); ok {
				if t := pickedBy(v); t != nil {
					return t
				}
			}
		}
	}
	return nil
}

// pickedBy is the type of the first element that is picked by a value.
func pickedBy(index ssa.Value) types.Type {
	for _, ref := range *index.Referrers() {
		if v, ok := ref.(ssa.Value); ok && indexOf(v) == index {
			return v.Type()
		}
	}
	return nil
}

// changesBetween reports whether a value is made anew whenever the code comes to a block again.
func changesBetween(v ssa.Value, again *ssa.BasicBlock) bool {
	made, ok := v.(ssa.Instruction)
	return ok && ways.Reaches(again, made.Block(), nil)
}

// runsAgain reports whether a function is itself run by several goroutines, or by
// others as often as they like, if they do that more than once; and whether it is the code
// that says so.
func (t *Topology) runsAgain(fn *ssa.Function, once bool) (again, atOnce bool) {
	for fn.Parent() != nil && t.ps.InPlainSight(fn) {
		fn = fn.Parent()
	}
	for _, e := range t.direct(fn) {
		atOnce = atOnce || e.AtOnce || e.Kind == Handler
		again = again || e.Several || e.Kind == Outside && !once
	}
	return again, atOnce
}

// hasLoop reports whether a function goes round.
func hasLoop(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool { return ways.Loops(b) })
}

// maxRound bounds the calls between what a goroutine starts with and the loop that it goes round.
const maxRound = 2

// goesRound reports whether a function goes round, or calls one of the package that does.
func (t *Topology) goesRound(fn *ssa.Function, depth int) bool {
	return hasLoop(fn) || depth > 0 && slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(instr ssa.Instruction) bool {
			call, ok := instr.(*ssa.Call)
			if !ok {
				return false
			}
			callee := t.ps.Res.Local(call.Call.StaticCallee())
			return callee != nil && t.goesRound(callee, depth-1)
		})
	})
}

// onlyReceiver reports whether some values are all the object of the method that fn is.
func onlyReceiver(fn *ssa.Function, given []ssa.Value) bool {
	return fn.Signature.Recv() != nil && !slices.ContainsFunc(given, func(v ssa.Value) bool { return v != ssa.Value(fn.Params[0]) })
}

// shared are the objects that a goroutine gets hold of, and that were not made for it in
// the function that starts it.
func shared(start ssa.CallInstruction) []ssa.Value {
	var out []ssa.Value
	values := slices.Clone(start.Common().Args)
	if !start.Common().IsInvoke() {
		values = append(values, start.Common().Value)
	}
	for len(values) > 0 {
		v := values[0]
		values = values[1:]
		switch v := v.(type) {
		case *ssa.Parameter, *ssa.Global:
			if !ssaprog.IsPlain(v.Type(), 0) && !IsContext(v.Type()) {
				out = append(out, v)
			}
		case *ssa.FreeVar: // often the address of a variable, such as the number of a turn
			if _, isBasic := ssaprog.Deref(v.Type()).Underlying().(*types.Basic); !isBasic && !IsContext(ssaprog.Deref(v.Type())) {
				out = append(out, v)
			}
		case *ssa.MakeClosure:
			values = append(values, v.Bindings...)
		case *ssa.UnOp:
			values = append(values, v.X)
		case *ssa.FieldAddr:
			values = append(values, v.X)
		case *ssa.Alloc: // a variable that holds what was given
			if v.Parent() == start.Parent() {
				values = append(values, storedParameters(v)...)
			}
			if ways.Loops(start.Block()) && !ways.Reaches(start.Block(), v.Block(), nil) && !ssaprog.IsPlain(v.Type(), 0) {
				out = append(out, v) // made once, for all that the loop starts
			}
		}
	}
	return out
}

// IsContext reports whether a type is that of a context, which says how long something goes on, and
// not what it works on.
func IsContext(t types.Type) bool {
	obj := ssaprog.Named(t)
	return obj != nil && obj.Pkg() != nil && obj.Pkg().Path() == "context"
}

// storedParameters are the parameters that a variable is assigned.
func storedParameters(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, ref := range *a.Referrers() {
		if store, ok := ref.(*ssa.Store); ok && store.Addr == ssa.Value(a) {
			if p, ok := store.Val.(*ssa.Parameter); ok {
				out = append(out, p)
			}
		}
	}
	return out
}

// used is the entry by a use of a function as a value.
func (t *Topology) used(fn *ssa.Function, u use) (Entry, bool) {
	switch instr := u.instr.(type) {
	case *ssa.MakeClosure: // of the function itself
		return Entry{}, false
	case ssa.CallInstruction:
		callee, args := calls.Callee(instr)
		if !slices.Contains(args, u.value) {
			return Entry{}, false // it is called
		}
		switch name := calledName(instr, callee); {
		case startsGoroutine(name):
			return t.started(fn, instr, instr.Pos()), true
		case takesHandler(name):
			return Entry{Kind: Handler, Fn: fn, Pos: instr.Pos(), Several: true}, true
		}
	}
	return Entry{Kind: Callback, Fn: fn, Pos: u.instr.Pos()}, true
}

// calledName is the full name of what a call calls; empty for a function value.
func calledName(call ssa.CallInstruction, callee *ssa.Function) string {
	if c := call.Common(); c.IsInvoke() {
		return c.Method.FullName()
	}
	if callee == nil {
		return ""
	}
	if o := callee.Origin(); o != nil {
		callee = o
	}
	return callee.String()
}
