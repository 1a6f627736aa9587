package analyzer

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// summary is what a call of a function means, computed from its body.
type summary int

const (
	// effectful says nothing.
	effectful summary = iota
	// readOnly has no effect; its results cannot be predicted.
	readOnly
	// pure has no effect and its results depend on its arguments only.
	pure
	// fresh has no effect and returns something that it made.
	fresh
)

var summaryNames = [...]string{"effectful", "readonly", "pure", "fresh"}

// String is the summary's word.
func (s summary) String() string {
	if s < 0 || int(s) >= len(summaryNames) {
		return "effectful"
	}
	return summaryNames[s]
}

// kind is what Lower makes of a call.
func (s summary) kind() reduce.CallKind {
	switch s {
	case readOnly:
		return reduce.CallReadOnly
	case pure:
		return reduce.CallPure
	case fresh:
		return reduce.CallFresh
	}
	return reduce.CallUnknown
}

// summaries computes the summary of each function when it is asked for. A
// function in a recursion is effectful.
type summaries struct {
	res  *resolver
	done map[*ssa.Function]summary
	// assigned are the fields and package variables that some function
	// assigns after they were made.
	assigned map[types.Object]bool
}

func newSummaries(r *resolver, funcs []*ssa.Function) *summaries {
	s := &summaries{res: r, done: map[*ssa.Function]summary{}, assigned: map[types.Object]bool{}}
	for _, fn := range funcs {
		s.findAssigned(fn)
	}
	return s
}

// findAssigned notes which fields and variables fn assigns, other than those
// of an object that it makes itself. One whose address goes elsewhere counts.
func (s *summaries) findAssigned(fn *ssa.Function) {
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.FieldAddr:
				if !isMadeHere(instr.X) && isAssigned(instr) {
					s.assigned[fieldOf(instr.X.Type(), instr.Field)] = true
				}
			case *ssa.Store:
				if g, ok := instr.Addr.(*ssa.Global); ok && g.Object() != nil {
					s.assigned[g.Object()] = true
				}
			}
		}
	}
}

// isAssigned reports whether what addr points to is assigned, as a whole or in
// part, or may be by somebody who gets the address.
func isAssigned(addr ssa.Value) bool {
	for _, ref := range *addr.Referrers() {
		switch ref := ref.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.FieldAddr:
			// A field of the field is noted by itself.
		case *ssa.IndexAddr:
			if isAssigned(ref) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// fieldOf is the field of a struct, or of what a pointer to one points to.
func fieldOf(t types.Type, i int) types.Object {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		return nil
	}
	return st.Field(i).Origin()
}

// isMadeHere reports whether v points into an object that the function with v
// in it makes.
func isMadeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return true
	case *ssa.FieldAddr:
		return isMadeHere(v.X)
	case *ssa.IndexAddr:
		return isMadeHere(v.X)
	case *ssa.Slice:
		return isMadeHere(v.X)
	}
	return false
}

// of is the summary of a function of this package.
func (s *summaries) of(fn *ssa.Function) summary {
	if sum, ok := s.done[fn]; ok {
		return sum
	}
	s.done[fn] = effectful // while looking
	sum := effectful
	if !s.res.touching[fn] && len(fn.Blocks) > 0 && fn.Recover == nil {
		sum = s.compute(fn)
	}
	s.done[fn] = sum
	return sum
}

// compute takes the least of what the instructions allow. Then it looks at
// what is returned.
func (s *summaries) compute(fn *ssa.Function) summary {
	sum := pure
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			switch s.instr(instr) {
			case effectful:
				return effectful
			case readOnly:
				sum = readOnly
			}
		}
	}
	switch made := s.returned(fn); {
	case made == allMade:
		return fresh
	case made == someMade:
		return readOnly
	}
	return sum
}

// instr is what one instruction allows the function to be: effectful,
// readOnly or pure.
func (s *summaries) instr(instr ssa.Instruction) summary {
	switch v := instr.(type) {
	case *ssa.Store:
		return pureIf(s.isOwn(v.Addr))
	case *ssa.MapUpdate:
		return pureIf(s.isOwn(v.Map))
	case *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer:
		return effectful
	case *ssa.UnOp:
		return s.unop(v)
	case *ssa.Lookup:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap && !s.isOwn(v.X) {
			return readOnly
		}
	case *ssa.Range:
		if _, isMap := v.X.Type().Underlying().(*types.Map); isMap {
			return readOnly
		}
	case *ssa.Call:
		return s.call(v)
	}
	return pure
}

func pureIf(ok bool) summary {
	if ok {
		return pure
	}
	return effectful
}

// isOwn is isMadeHere, also for what a constructor made for the function.
func (s *summaries) isOwn(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		return s.isOwn(v.X)
	case *ssa.IndexAddr:
		return s.isOwn(v.X)
	case *ssa.Call:
		return s.callSummary(v) == fresh
	case *ssa.Extract:
		call, ok := v.Tuple.(*ssa.Call)
		return ok && v.Index == 0 && s.callSummary(call) == fresh
	}
	return isMadeHere(v)
}

// unop is that of a load or a receive. Memory that the function did not make
// can change, unless nobody does: a field that is only set in constructors, an
// error variable.
func (s *summaries) unop(v *ssa.UnOp) summary {
	switch {
	case v.Op == token.ARROW:
		return effectful
	case v.Op != token.MUL || s.isOwn(v.X):
		return pure
	}
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		field := fieldOf(addr.X.Type(), addr.Field)
		if field != nil && field.Pkg() == s.res.pass.Pkg && !s.assigned[field] {
			return pure
		}
	case *ssa.Global:
		return s.global(addr)
	case *ssa.IndexAddr:
		if _, ok := addr.X.(*ssa.Parameter); ok && isBasic(v.Type()) { // variadic strings and the like
			return pure
		}
	}
	return readOnly
}

func (s *summaries) global(g *ssa.Global) summary {
	obj := g.Object()
	switch {
	case obj == nil:
		return readOnly
	case obj.Pkg() == s.res.pass.Pkg && !s.assigned[obj]:
		return pure
	case isError(obj.Type()): // io.EOF
		return pure
	}
	return readOnly
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// call is what a call allows.
func (s *summaries) call(call *ssa.Call) summary {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return s.builtin(call, b.Name())
	}
	sum := s.callSummary(call)
	ignored := sum == readOnly && len(*call.Referrers()) == 0 // logging
	if sum == fresh || ignored || s.buildsText(call) {
		return pure
	}
	return sum
}

// builtin is call for the built-in functions that write or wait.
func (s *summaries) builtin(call *ssa.Call, name string) summary {
	switch name {
	case "copy", "delete", "clear":
		return pureIf(s.isOwn(call.Call.Args[0]))
	case "close", "recover", "print", "println", "ssa:deferstack":
		return effectful
	case "len", "cap":
		switch call.Call.Args[0].Type().Underlying().(type) {
		case *types.Map, *types.Chan:
			return readOnly
		}
	}
	return pure
}

// callSummary is the summary of the callee.
func (s *summaries) callSummary(call *ssa.Call) summary {
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return effectful
	}
	fn, _ := reduce.Callee(call)
	if fn != nil && fn.Parent() != nil {
		return s.of(fn)
	}
	info, _, body := s.res.direct(call)
	if body != nil {
		return s.of(body)
	}
	switch info.Kind {
	case reduce.CallPure, reduce.CallSame, reduce.CallNoReturn:
		return pure
	case reduce.CallReadOnly, reduce.CallQuiet:
		return readOnly
	case reduce.CallFresh:
		return fresh
	}
	return effectful
}

// textBuilders write to their receiver and nothing else.
var textBuilders = map[string]bool{"strings.Builder": true, "bytes.Buffer": true}

// buildsText reports whether the call is of a method of a text builder that
// the function has made: how most keys are put together.
func (s *summaries) buildsText(call *ssa.Call) bool {
	t := targetOf(call)
	if t.obj == nil || t.recv == nil || !s.isOwn(t.recv) {
		return false
	}
	obj := named(t.recv.Type())
	return obj != nil && obj.Pkg() != nil && textBuilders[obj.Pkg().Path()+"."+obj.Name()]
}
