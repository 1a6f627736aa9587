package ssaprog

import (
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"
)

// MutableValue reports whether a value of type t has a state behind a
// reference that somebody changes: then it matters which one of two equal
// values a goroutine has.
func (r *Resolver) MutableValue(t types.Type) bool {
	return r.some(t, func(t types.Type) bool { return r.Sums.assignedState().mutable(t, map[types.Type]bool{}) })
}

// states says which types have a state that is changed, if some fields are assigned and maps of
// some types updated.
type states struct {
	*summaries
	changed
}

// assignedState goes by the fields that some function assigns which has not made the object.
func (s *summaries) assignedState() states { return states{s, changed{s.assigned, &s.updated}} }

// stateOnceMade goes by the fields that some function assigns, and the maps that it updates, of an
// object which is made already.
func (s *summaries) stateOnceMade() states {
	if s.onceMade != nil {
		return states{s, *s.onceMade}
	}
	all := changed{map[types.Object]bool{}, new(typeutil.Map)}
	setup := newSetup(s.funcs)
	for _, fn := range s.funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				if fa, ok := instr.(*ssa.FieldAddr); ok && isAssigned(fa) && !setup.inMaking(fa.X, 0) {
					all.fields[FieldOf(fa.X.Type(), fa.Field)] = true
				}
				if m := changedMap(instr); m != nil && !isMapMadeHere(m, map[ssa.Value]bool{}) && !setup.fills(m) {
					all.maps.Set(m.Type().Underlying(), true)
				}
			}
		}
	}
	s.onceMade = &all
	return states{s, all}
}

// mutable is MutableValue for a type inside those already seen.
func (s states) mutable(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] || isValueType(t) {
		return false
	}
	seen[t] = true
	if isMessage(t) {
		return s.assignedIn(t)
	}
	if hasState(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Chan:
		return true
	case *types.Map:
		return s.updates(u)
	case *types.Pointer:
		return s.mutableTarget(u.Elem(), seen)
	case *types.Interface:
		_, isParam := t.(*types.TypeParam)
		return !isParam && asksToChange(u)
	case *types.Array:
		return s.mutable(u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			if !s.hidden(field) && s.mutable(field.Type(), seen) {
				return true
			}
		}
	}
	return false
}

// hidden reports whether a field is of another package, which alone can say to what is in it, as an
// interface, that it should change: of a compiled expression nobody asks that, although its nodes
// have methods for it.
func (s states) hidden(field *types.Var) bool {
	return types.IsInterface(field.Type()) && !field.Exported() && field.Pkg() != s.res.pass.Pkg
}

// mutableTarget is mutable for what a pointer points to.
func (s states) mutableTarget(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if made := s.res.instancesOf(t); len(made) > 0 {
		return slices.ContainsFunc(made, func(t types.Type) bool { return s.mutableTarget(t, seen) })
	}
	_, ok := t.Underlying().(*types.Struct)
	switch {
	case isValueType(t):
		return false
	case !ok:
		return true // a pointer to a number is there to change it
	case isMessage(t):
		return s.assignedIn(t)
	case s.mutable(t, seen):
		return true
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != s.res.pass.Pkg {
		return hasMutator(types.NewPointer(t))
	}
	return s.assignedIn(t)
}

// assignedIn reports whether some function assigns a field of a structure.
func (s states) assignedIn(t types.Type) bool {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range st.NumFields() {
		if s.fields[st.Field(i).Origin()] {
			return true
		}
	}
	return false
}

// isMessage reports whether a type, or what it points to, is a protocol buffer: what is in there
// beside the data, with a lock in it, belongs to those who write and read them, and its methods
// change nothing that is not told by its fields.
func isMessage(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "ProtoMessage")
	m, ok := obj.(*types.Func)
	return ok && m.Signature().Params().Len()+m.Signature().Results().Len() == 0
}

// OwnState reports whether an object of type t, or what a pointer of that type points to,
// has a state of its own that somebody changes. What it refers to may be what another
// one refers to as well.
func (r *Resolver) OwnState(t types.Type) bool { return r.some(t, r.Sums.assignedState().own) }

// ChangedOnceMade is OwnState of what is changed when it is made already: by those who
// have it, and not by the functions that set it up.
func (r *Resolver) ChangedOnceMade(t types.Type) bool { return r.some(t, r.changedOnceMade) }

func (r *Resolver) changedOnceMade(t types.Type) bool {
	if r.Sums.isElsewhere(t) && !hasToEnd(t) {
		return r.Sums.changedElsewhere()[Named(t)]
	}
	return r.Sums.stateOnceMade().own(t)
}

// ends begin the names of methods that end what has begun, or have others wait: what has one does more
// than answer who calls it.
var ends = []string{
	"Close", "Stop", "Cancel", "Shutdown", "Disconnect", "Release", "Unlock", "Wait", "Done", "Quit", "Terminate", "Unregister", "Unsubscribe", "Flush",
}

// hasToEnd reports whether a type has such a method, or there are pointers to it that do.
func hasToEnd(t types.Type) bool {
	if !isPointer(t) && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		if begins(set.At(i).Obj().Name(), ends) {
			return true
		}
	}
	return false
}

// Ends reports whether a function ends what has begun, or has others wait, as its name says: "(*net.Conn).Close".
func Ends(name string) bool { return begins(name[strings.LastIndexByte(name, '.')+1:], ends) }

// own is OwnState.
func (s states) own(t types.Type) bool {
	t = types.Unalias(t)
	p, isPointer := t.Underlying().(*types.Pointer)
	if isValueType(t) {
		return false
	}
	if isMessage(t) {
		return s.assignedIn(t)
	}
	if isPointer {
		t = types.Unalias(p.Elem())
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			return false // there is a pointer because there may be no text yet
		}
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || Named(t) == nil || Named(t).Pkg() != s.res.pass.Pkg {
		return s.mutable(t, map[types.Type]bool{}) || isPointer && s.mutable(p, map[types.Type]bool{})
	}
	return s.ownState(st, isPointer)
}

// ownState is OwnState for a struct, to which there are pointers or not.
func (s states) ownState(st *types.Struct, pointed bool) bool {
	for i := range st.NumFields() {
		f := st.Field(i)
		t := types.Unalias(f.Type())
		if s.onlyCounted(f) {
			continue
		}
		if hasState(t) || pointed && s.fields[f.Origin()] {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Chan:
			return true
		case *types.Map:
			if s.updates(u) {
				return true
			}
		case *types.Pointer: // a lock, or a map, is hardly ever somebody else's
			if hasState(types.Unalias(u.Elem())) {
				return true
			}
		case *types.Struct:
			if !isValueType(t) && s.ownState(u, pointed) {
				return true
			}
		}
	}
	return false
}

// Counts reports whether a type is a pointer to a struct of the package with a number in it that is only counted, and told, and a method
// by which other packages count there.
func (r *Resolver) Counts(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok || Named(p.Elem()) == nil || Named(p.Elem()).Pkg() != r.pass.Pkg || !hasMutator(t) {
		return false
	}
	st, ok := p.Elem().Underlying().(*types.Struct)
	for i := 0; ok && i < st.NumFields(); i++ {
		if r.Sums.onlyCounted(st.Field(i)) {
			return true
		}
	}
	return false
}

// hasMutator reports whether a type of another package has a method that changes
// something, by its name, or because it gives nothing and so is called for what it does.
// That a method has a pointer as its receiver says nothing: so has one of what is compiled
// once, and then asked for matches.
func hasMutator(t types.Type) bool {
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		obj := set.At(i).Obj()
		sig, ok := obj.Type().(*types.Signature)
		if ok && obj.Exported() && (isMutator(obj.Name()) || sig.Results().Len() == 0 && isPointer(sig.Recv().Type())) && !writesOut(sig) {
			return true
		}
	}
	return false
}

// writesOut reports whether a method is given something to write to: it is called for that, and
// changes nothing of its own, as what prints a compiled program.
func writesOut(sig *types.Signature) bool {
	for p := range sig.Params().Variables() {
		if obj, _, _ := types.LookupFieldOrMethod(p.Type(), true, nil, "Write"); obj != nil {
			return true
		}
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// asksToChange reports whether an interface has a method that changes something, by its name.
func asksToChange(t *types.Interface) bool {
	for m := range t.Methods() {
		if isMutator(m.Name()) && !writesOut(m.Signature()) {
			return true
		}
	}
	return false
}

// mutators are the first words of the names of interface methods that change something.
var mutators = []string{
	"Close", "Stop", "Cancel", "Shutdown", "Write", "Set", "Add", "Inc", "Reset", "Remove", "Delete",
	"Put", "Push", "Store", "Register", "Lock", "Start", "Release", "Flush", "Acquire", "Allow", "Broadcast",
	"Dec", "Done", "Forget", "Insert", "Next", "Notify", "Observe", "Publish", "Read", "Record", "Reserve", "Send",
	"Signal", "Subscribe", "Swap", "Take", "Update", "Wait",
	"Incr", "Increment", "Increase", "Decr", "Decrement", "Decrease", "Setup", "Unlock", "Unregister", "Unsubscribe",
}

// isMutator reports whether a name begins with such a word.
func isMutator(name string) bool { return begins(name, mutators) }

// begins reports whether a name begins with one of some words: who decodes does not count down, and an
// address is nothing that is added.
func begins(name string, words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		rest, ok := strings.CutPrefix(name, word)
		next, _ := utf8.DecodeRuneInString(rest)
		return ok && (rest == "" || !unicode.IsLower(next))
	})
}

// getters begin the names of methods that change nothing.
var getters = []string{
	"String", "GoString", "Error", "Is", "Get", "Len", "Has", "Equal", "Compare", "Less", "Marshal",
	"Format", "Name", "ID", "Kind", "Type", "Key", "Value", "Contains", "Match", "Find", "Hash", "As",
	"Unwrap", "Size", "Count", "Num", "Load", "Copy", "Clone", "DeepCopy", "Append",
}

func IsGetter(name string) bool { return HasAnyPrefix(name, getters) }

// updates reports whether the package changes maps of a type. One that it only fills
// where it makes it is a table that nobody changes: several goroutines have it, and
// nothing but a lock of the package would let them.
func (s states) updates(t *types.Map) bool { return s.maps.At(t) != nil }
