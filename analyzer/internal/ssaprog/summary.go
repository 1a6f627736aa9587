package ssaprog

import (
	"go/token"
	"go/types"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// summary is what a call of a function means, computed from its body.
type summary int

const (
	// Effectful says nothing.
	Effectful summary = iota
	// drawn has no effect, and gives something else at each call.
	drawn
	// readOnly has no effect; its results cannot be predicted.
	readOnly
	// Pure has no effect and its results depend on its arguments only.
	Pure
	// fresh has no effect and returns something that it made.
	fresh
)

var summaryNames = [...]string{"effectful", "drawn", "readonly", "pure", "fresh"}

// String is the summary's word.
func (s summary) String() string {
	if s < 0 || int(s) >= len(summaryNames) {
		return "effectful"
	}
	return summaryNames[s]
}

// kind is what Lower makes of a call.
func (s summary) kind() calls.Kind {
	switch s {
	case drawn:
		return calls.Drawn
	case readOnly:
		return calls.ReadOnly
	case Pure:
		return calls.Pure
	case fresh:
		return calls.Fresh
	}
	return calls.Unknown
}

// changed are fields that are assigned, and types of maps that are updated.
type changed struct {
	fields map[types.Object]bool
	maps   *typeutil.Map
}

// summaries computes the summary of each function when it is asked for. A
// function in a recursion is effectful.
type summaries struct {
	res  *Resolver
	done map[*ssa.Function]summary
	// assigned are the fields and package variables that some function
	// assigns after they were made.
	assigned map[types.Object]bool
	// onceMade is the state that is not only set up, found when it is asked for, and funcs
	// are the functions to look at.
	onceMade *changed
	// elsewhere are types of other modules of which something is changed, found when it is asked for.
	elsewhere map[*types.TypeName]bool
	funcs     []*ssa.Function
	// goneBy are the fields with a number that somebody goes by, and told those of which something is written as a text,
	// found when it is asked for.
	goneBy, told map[types.Object]bool
	// later are the fields that are assigned to an object which somebody may have by then.
	later map[types.Object]bool
	// updated are the types of the maps that some function changes which has not made
	// them.
	updated typeutil.Map
}

func newSummaries(r *Resolver, funcs []*ssa.Function) *summaries {
	s := &summaries{
		res: r, done: map[*ssa.Function]summary{}, funcs: funcs,
		assigned: map[types.Object]bool{}, later: map[types.Object]bool{},
	}
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
				if !isAssigned(instr) {
					continue
				}
				field := FieldOf(instr.X.Type(), instr.Field)
				if !IsMadeHere(instr.X) {
					s.assigned[field] = true
				}
				if !fieldAtBirth(instr) {
					s.later[field] = true
				}
			case *ssa.Store:
				if g, ok := instr.Addr.(*ssa.Global); ok && g.Object() != nil {
					s.assigned[g.Object()] = true
				}
				s.assignedWhole(instr)
			default:
				if m := changedMap(instr); m != nil && !isMapMadeHere(m, map[ssa.Value]bool{}) {
					s.updated.Set(m.Type().Underlying(), true)
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

// Of is the summary of a function of this package.
func (s *summaries) Of(fn *ssa.Function) summary {
	if sum, ok := s.done[fn]; ok {
		return sum
	}
	s.done[fn] = Effectful // while looking
	sum := Effectful
	if !s.res.touching[fn] && len(fn.Blocks) > 0 && fn.Recover == nil {
		sum = s.compute(fn)
	}
	s.done[fn] = sum
	return sum
}

// compute takes the least of what the instructions allow. Then it looks at
// what is returned.
func (s *summaries) compute(fn *ssa.Function) summary {
	sum := Pure
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			allows := s.instr(instr)
			if allows == Effectful {
				return Effectful
			}
			sum = min(sum, allows)
		}
	}
	switch made := s.Returned(fn); {
	case made == AllMade:
		return fresh
	case made == someMade:
		return min(sum, readOnly)
	}
	return sum
}

// instr is what one instruction allows the function to be: effectful,
// drawn, read only or pure.
func (s *summaries) instr(instr ssa.Instruction) summary {
	switch v := instr.(type) {
	case *ssa.Store:
		return pureIf(s.isOwn(v.Addr))
	case *ssa.MapUpdate:
		return pureIf(s.isOwn(v.Map))
	case *ssa.Send, *ssa.Select, *ssa.Go, *ssa.Defer:
		return Effectful
	case *ssa.UnOp:
		return s.unop(v)
	case *ssa.Lookup:
		if IsMap(v.X.Type()) && !s.isOwn(v.X) {
			return readOnly
		}
	case *ssa.Range:
		if IsMap(v.X.Type()) {
			return readOnly
		}
	case *ssa.Call:
		return s.call(v)
	}
	return Pure
}

func pureIf(ok bool) summary {
	if ok {
		return Pure
	}
	return Effectful
}

// isOwn is IsMadeHere, also for what a constructor made for the function.
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
	return IsMadeHere(v)
}

// unop is that of a load or a receive. Memory that the function did not make
// can change, unless nobody does: a field that is only set in constructors, an
// error variable.
func (s *summaries) unop(v *ssa.UnOp) summary {
	switch {
	case v.Op == token.ARROW:
		return Effectful
	case v.Op != token.MUL || s.isOwn(v.X):
		return Pure
	}
	switch addr := v.X.(type) {
	case *ssa.FieldAddr:
		field := FieldOf(addr.X.Type(), addr.Field)
		if field != nil && field.Pkg() == s.res.pass.Pkg && !s.assigned[field] {
			return Pure
		}
	case *ssa.Global:
		return s.global(addr)
	case *ssa.IndexAddr:
		if _, ok := addr.X.(*ssa.Parameter); ok && isBasic(v.Type()) { // variadic strings and the like
			return Pure
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
		return Pure
	case IsError(obj.Type()): // io.EOF
		return Pure
	}
	return readOnly
}

// call is what a call allows.
func (s *summaries) call(call *ssa.Call) summary {
	if b, ok := call.Call.Value.(*ssa.Builtin); ok {
		return s.builtin(call, b.Name())
	}
	sum := s.callSummary(call)
	ignored := (sum == readOnly || sum == drawn) && len(*call.Referrers()) == 0 // logging
	if sum == fresh || ignored || s.buildsText(call) {
		return Pure
	}
	return sum
}

// builtin is call for the built-in functions that write or wait.
func (s *summaries) builtin(call *ssa.Call, name string) summary {
	switch name {
	case "copy", "delete", "clear":
		return pureIf(s.isOwn(call.Call.Args[0]))
	case "close", "recover", "print", "println", "ssa:deferstack":
		return Effectful
	case "len", "cap":
		switch call.Call.Args[0].Type().Underlying().(type) {
		case *types.Map, *types.Chan:
			return readOnly
		}
	}
	return Pure
}

// callSummary is the summary of the callee.
func (s *summaries) callSummary(call *ssa.Call) summary {
	if _, ok := call.Call.Value.(*ssa.Builtin); ok {
		return Effectful
	}
	fn, _ := calls.Callee(call)
	if fn != nil && fn.Parent() != nil {
		return s.Of(fn)
	}
	info, _, body := s.res.direct(call)
	if body != nil {
		return s.Of(body)
	}
	switch info.Kind {
	case calls.Pure, calls.Same, calls.NoReturn:
		return Pure
	case calls.Drawn:
		return drawn
	case calls.ReadOnly, calls.Quiet:
		return readOnly
	case calls.Fresh:
		return fresh
	}
	return Effectful
}

// textBuilders write to their receiver and nothing else; so do hashes, whichever is made.
var textBuilders = map[string]bool{
	"strings.Builder": true, "bytes.Buffer": true,
	"hash.Hash": true, "hash.Hash32": true, "hash.Hash64": true, "hash/maphash.Hash": true,
}

// buildsText reports whether the call is of a method of a text builder, or of a hash, that
// the function has made: how most keys are put together, and most shards are found.
func (s *summaries) buildsText(call *ssa.Call) bool {
	t := targetOf(call)
	if t.obj == nil || t.recv == nil || !s.isOwn(t.recv) {
		return false
	}
	obj := Named(t.recv.Type())
	return obj != nil && obj.Pkg() != nil && textBuilders[obj.Pkg().Path()+"."+obj.Name()]
}

// puts reports whether a function puts a text, or a hash, together from its arguments: of that a
// summary says more than its body, whatever its size.
func (s *summaries) puts(fn *ssa.Function) bool {
	if s.Of(fn) != Pure {
		return false
	}
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(*ssa.Call); ok && s.buildsText(call) {
				return true
			}
		}
	}
	return false
}

// making says which of the returned objects the function made.
type making int

const (
	noneMade making = iota
	someMade
	AllMade
)

// Returned looks at the first result with an identity, which is the one that
// calls.Fresh makes new. Errors are compared by contents: they have none.
func (s *summaries) Returned(fn *ssa.Function) making {
	first := -1
	results := fn.Signature.Results()
	for i := results.Len() - 1; i >= 0; i-- {
		if t := results.At(i).Type(); hasIdentity(t) && !IsError(t) {
			first = i
		}
	}
	if first < 0 {
		return noneMade
	}
	all, some := true, false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i, v := range ret.Results {
			made := s.origin(v, map[ssa.Value]bool{})
			if i == first && made != AllMade && !(IsNil(v) && fails(ret)) {
				all = false
			}
			if hasIdentity(v.Type()) && !IsError(v.Type()) && made != noneMade {
				some = true
			}
		}
	}
	switch {
	case all && some:
		return AllMade
	case some:
		return someMade
	}
	return noneMade
}

// alwaysFails reports whether all that a function returns last are errors that it makes.
func (s *summaries) alwaysFails(fn *ssa.Function) bool {
	results := fn.Signature.Results()
	if results.Len() == 0 || !IsError(results.At(results.Len()-1).Type()) {
		return false
	}
	some := false
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if some = true; !makesError(ret.Results[len(ret.Results)-1]) {
			return false
		}
	}
	return some
}

// makesError reports whether a value is an object that was made an error there, or what a function of the standard
// library gives that makes errors.
func makesError(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.MakeInterface:
		return !hasIdentity(v.X.Type()) || IsMadeHere(v.X)
	case *ssa.Call:
		t := targetOf(v)
		return t.obj != nil && (t.obj.FullName() == "errors.New" || t.obj.FullName() == "fmt.Errorf")
	}
	return false
}

// fails reports whether a return has an error that is not nil.
func fails(ret *ssa.Return) bool {
	for _, v := range ret.Results {
		if IsError(v.Type()) && !IsNil(v) {
			return true
		}
	}
	return false
}

// origin says whether the function made what v is.
func (s *summaries) origin(v ssa.Value, seen map[ssa.Value]bool) making {
	if seen[v] {
		return AllMade // what the other ways say
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Alloc:
		return AllMade
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice, *ssa.MakeClosure:
		return AllMade
	case *ssa.MakeInterface:
		if !hasIdentity(v.X.Type()) {
			return noneMade
		}
		return s.origin(v.X, seen)
	case *ssa.ChangeType:
		return s.origin(v.X, seen)
	case *ssa.ChangeInterface:
		return s.origin(v.X, seen)
	case *ssa.Slice:
		return s.origin(v.X, seen)
	case *ssa.FieldAddr:
		return s.origin(v.X, seen)
	case *ssa.IndexAddr:
		return s.origin(v.X, seen)
	case *ssa.Call, *ssa.Extract:
		if s.isOwn(v) {
			return AllMade
		}
	case *ssa.Phi:
		return s.originPhi(v, seen)
	}
	return noneMade
}

// originPhi is AllMade if all ways are.
func (s *summaries) originPhi(v *ssa.Phi, seen map[ssa.Value]bool) making {
	all, some := true, false
	for _, edge := range v.Edges {
		m := s.origin(edge, seen)
		all = all && m == AllMade
		some = some || m != noneMade
	}
	switch {
	case all:
		return AllMade
	case some:
		return someMade
	}
	return noneMade
}
