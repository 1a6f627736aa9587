package topology

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
)

// That several goroutines come to a function says nothing of one object if each has its own:
//
//	for {
//		conn, err := listener.Accept()
//		go s.serve(conn)              // several goroutines, on one server
//	}
//
//	func (s *server) serve(conn net.Conn) {
//		c := &client{conn: conn, topics: map[string]bool{}}
//		for { c.handle(c.next()) }    // each on a client of its own
//	}
//
// So the way back from a function to where it is entered follows the object as well, from
// parameter to argument, and ends where somebody makes it.

// Parts says of a type whether a pointer of it only leads to a part of what it is kept in: going
// through that, one is still with the same object.
type Parts func(types.Type) bool

// with is a function with the parameter, or the captured variable, that its object is; nil if it is
// not known which.
type with struct {
	fn     *ssa.Function
	object ssa.Value
}

// objectWalk goes back from a function to its entries.
type objectWalk struct {
	*Topology
	parts Parts
	found map[Entry]bool
	seen  map[with]bool
}

// EntriesOn are the entries from which a function is reached on one object, in the order of the
// source: the object is, or is a part of, one of some parameters or captured variables of the
// function. Where a caller makes the object, he is the entry.
func (t *Topology) EntriesOn(fn *ssa.Function, objects []ssa.Value, parts Parts) []Entry {
	if len(objects) == 0 {
		return t.Entries(fn)
	}
	w := objectWalk{Topology: t, parts: parts, found: map[Entry]bool{}, seen: map[with]bool{}}
	for _, o := range objects {
		w.visit(with{fn, o})
	}
	return sorted(w.found)
}

func (w *objectWalk) visit(at with) {
	if w.seen[at] {
		return
	}
	w.seen[at] = true
	if at.object == nil {
		w.collect(at.fn, w.found, map[*ssa.Function]bool{})
		return
	}
	for _, e := range w.direct(at.fn) {
		w.found[w.given(e, at)] = true
	}
	fn := at.fn
	if free, ok := at.object.(*ssa.FreeVar); ok {
		w.captured(fn, free)
		return
	}
	i := slices.Index(fn.Params, at.object.(*ssa.Parameter))
	for _, call := range w.ps.Callers(fn) {
		if _, args := calls.Callee(call); i < len(args) {
			w.argument(args[i], call)
		} else {
			w.visit(with{fn: call.Parent()})
		}
	}
	if fn.Signature.Recv() == nil {
		return
	}
	for _, call := range w.invoked[fn.Name()] {
		if _, starts := call.(*ssa.Go); !starts && mayGoTo(call, fn) {
			w.visit(with{fn: call.Parent()})
		}
	}
}

// captured goes on where a function literal is made that has the object in a variable, if it is
// called there.
func (w *objectWalk) captured(fn *ssa.Function, free *ssa.FreeVar) {
	if !w.ps.InPlainSight(fn) {
		return
	}
	i := slices.Index(fn.FreeVars, free)
	for _, u := range w.uses[ssaprog.Declared(fn)] {
		if made, ok := u.instr.(*ssa.MakeClosure); ok {
			w.argument(made.Bindings[i], made)
		}
	}
}

// argument goes on with what is given as the object.
func (w *objectWalk) argument(v ssa.Value, at ssa.Instruction) {
	from := w.sources(v, map[ssa.Value]bool{})
	for _, o := range from.given {
		w.visit(with{at.Parent(), o})
	}
	if from.unknown {
		w.visit(with{fn: at.Parent()})
	}
	for _, made := range from.made {
		w.found[Entry{Kind: Maker, Fn: at.Parent(), Pos: made.Pos()}] = true
	}
}

// given is an entry of a function, with what it says of the object that the function is given.
func (w *objectWalk) given(e Entry, at with) Entry {
	if e.Kind != Started {
		return e
	}
	starts := w.ps.Refs.Started[at.fn]
	i := slices.IndexFunc(starts, func(s ssa.CallInstruction) bool { return s.Pos() == e.Pos })
	if i < 0 {
		return e
	}
	start := starts[i]
	from := w.sources(boundAt(start, at), map[ssa.Value]bool{})
	if from.unknown || len(from.given) > 0 || len(from.made) == 0 {
		return e
	}
	round := ways.Loops(start.Block())
	e.Several = slices.ContainsFunc(from.made, func(made ssa.Instruction) bool {
		return round && !ways.Reaches(start.Block(), made.Block(), nil)
	})
	e.AtOnce, e.Alone = e.Several, !e.Several
	return e
}

// boundAt is what a go statement, or a call such as WaitGroup.Go, gives a function as its object; nil if that is not seen.
func boundAt(start ssa.CallInstruction, at with) ssa.Value {
	if free, ok := at.object.(*ssa.FreeVar); ok {
		if made, ok := calls.Beginning(start).(*ssa.MakeClosure); ok {
			return made.Bindings[slices.Index(at.fn.FreeVars, free)]
		}
		return nil
	}
	_, args := calls.Begins(start)
	if i := slices.IndexFunc(at.fn.Params, func(p *ssa.Parameter) bool { return p == at.object }); i >= 0 && i < len(args) {
		return args[i]
	}
	return nil
}

// sources are where a value can be from, in one function.
type sources struct {
	// given are parameters and captured variables, made what makes it there.
	given   []ssa.Value
	made    []ssa.Instruction
	unknown bool
}

func (s *sources) add(o sources) {
	s.given, s.made, s.unknown = append(s.given, o.given...), append(s.made, o.made...), s.unknown || o.unknown
}

// sources follows a value back to what it is, or is a part of.
func (w *objectWalk) sources(v ssa.Value, seen map[ssa.Value]bool) sources {
	if v == nil || seen[v] {
		return sources{unknown: v == nil}
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		return sources{given: []ssa.Value{v}}
	case *ssa.Alloc:
		return w.variable(v, seen)
	case *ssa.FieldAddr:
		return w.sources(v.X, seen)
	case *ssa.IndexAddr:
		return w.sources(v.X, seen)
	case *ssa.ChangeType:
		return w.sources(v.X, seen)
	case *ssa.MakeInterface:
		return w.sources(v.X, seen)
	case *ssa.TypeAssert:
		return w.sources(v.X, seen)
	case *ssa.UnOp:
		return w.loaded(v, seen)
	case *ssa.Phi:
		var out sources
		for _, e := range v.Edges {
			out.add(w.sources(e, seen))
		}
		return out
	case *ssa.Extract:
		if call, ok := v.Tuple.(*ssa.Call); ok && v.Index == 0 && w.makes(call) {
			return sources{made: []ssa.Instruction{call}}
		}
	case *ssa.Call:
		if w.makes(v) {
			return sources{made: []ssa.Instruction{v}}
		}
	case *ssa.Const:
		return sources{}
	}
	return sources{unknown: true}
}

// variable is what a variable holds: the object itself, or what is stored in it.
func (w *objectWalk) variable(a *ssa.Alloc, seen map[ssa.Value]bool) sources {
	if !refers(ssaprog.Deref(a.Type())) {
		return sources{made: []ssa.Instruction{a}}
	}
	var out sources
	stored := ssaprog.StoredIn(a)
	for _, val := range stored {
		out.add(w.sources(val, seen))
	}
	out.unknown = out.unknown || len(stored) == 0
	return out
}

// loaded is for what is loaded from a variable, and for a pointer that leads from an object to a
// part of it.
func (w *objectWalk) loaded(load *ssa.UnOp, seen map[ssa.Value]bool) sources {
	switch load.X.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		return w.sources(load.X, seen)
	}
	if load.Op != token.MUL || refers(load.Type()) && !w.parts(load.Type()) {
		return sources{unknown: true}
	}
	return w.sources(load.X, seen)
}

// refers reports whether a value of a type is an object somewhere else.
func refers(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

// makes reports whether a call is of a function of the package that returns what it has made.
func (w *objectWalk) makes(call *ssa.Call) bool {
	fn := w.ps.Res.Local(call.Call.StaticCallee())
	return fn != nil && w.ps.Res.Sums.Returned(fn) == ssaprog.AllMade
}
