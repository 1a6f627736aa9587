package analyzer

import (
	"go/types"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// mutableValue reports whether a value of type t has a state behind a
// reference that somebody changes: then it matters which one of two equal
// values a goroutine has.
func (r *resolver) mutableValue(t types.Type) bool {
	return r.sums.mutable(t, map[types.Type]bool{})
}

// mutable is mutableValue for a type inside those already seen.
func (s *summaries) mutable(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] || isValueType(t) {
		return false
	}
	seen[t] = true
	if hasState(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Chan, *types.Map:
		return true
	case *types.Pointer:
		return s.mutableTarget(u.Elem(), seen)
	case *types.Interface:
		_, isParam := t.(*types.TypeParam)
		return !isParam && hasMethodNamed(u, isMutator)
	case *types.Array:
		return s.mutable(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if s.mutable(u.Field(i).Type(), seen) {
				return true
			}
		}
	}
	return false
}

// mutableTarget is mutable for what a pointer points to.
func (s *summaries) mutableTarget(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	st, ok := t.Underlying().(*types.Struct)
	switch {
	case isValueType(t):
		return false
	case !ok:
		return true // a pointer to a number is there to change it
	case s.mutable(t, seen):
		return true
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != s.res.pass.Pkg {
		return hasMutator(types.NewPointer(t))
	}
	for i := range st.NumFields() {
		if s.assigned[st.Field(i).Origin()] {
			return true
		}
	}
	return false
}

// hasMutator reports whether a type of another package has a method that, by
// its name, does more than to tell something. One that is given a copy of the value
// is believed not to, unless its name says that it does.
func hasMutator(t types.Type) bool {
	set := types.NewMethodSet(t)
	for i := range set.Len() {
		obj := set.At(i).Obj()
		if !obj.Exported() || isGetter(obj.Name()) {
			continue
		}
		if isMutator(obj.Name()) || hasPointerReceiver(obj) {
			return true
		}
	}
	return false
}

func hasPointerReceiver(method types.Object) bool {
	sig, ok := method.Type().(*types.Signature)
	if !ok || sig.Recv() == nil {
		return true
	}
	switch types.Unalias(sig.Recv().Type()).Underlying().(type) {
	case *types.Pointer, *types.Interface:
		return true
	}
	return false
}

func hasMethodNamed(t *types.Interface, ok func(string) bool) bool {
	for i := range t.NumMethods() {
		if ok(t.Method(i).Name()) {
			return true
		}
	}
	return false
}

// mutators begin the names of interface methods that change something.
var mutators = []string{
	"Close", "Stop", "Cancel", "Shutdown", "Write", "Set", "Add", "Inc", "Reset", "Remove", "Delete",
	"Put", "Push", "Store", "Register", "Lock", "Start", "Release", "Flush",
}

func isMutator(name string) bool { return hasAnyPrefix(name, mutators) }

// getters begin the names of methods that change nothing.
var getters = []string{
	"String", "GoString", "Error", "Is", "Get", "Len", "Has", "Equal", "Compare", "Less", "Marshal",
	"Format", "Name", "ID", "Kind", "Type", "Key", "Value", "Contains", "Match", "Find", "Hash", "As",
	"Unwrap", "Size", "Count", "Num", "Load", "Copy", "Clone", "DeepCopy", "Append",
}

func isGetter(name string) bool { return hasAnyPrefix(name, getters) }

func hasAnyPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// valueTypes are types whose values nobody changes, whatever is inside.
var valueTypes = map[string]bool{
	"time.Time": true, "time.Location": true, "regexp.Regexp": true, "reflect.Type": true,
	"text/template.Template": true, "html/template.Template": true, "net/url.URL": true,
	"math/big.Int": true, "net/netip.Addr": true, "strings.Replacer": true,
}

func isValueType(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	obj := named(t)
	return obj != nil && obj.Pkg() != nil && valueTypes[obj.Pkg().Path()+"."+obj.Name()]
}

// hasState reports whether t is a lock, an atomic or the like.
func hasState(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return path == "sync" || path == "sync/atomic"
}

// handsOut reports whether the values that a group finds in its cell, or stores
// there, go anywhere: as a result, as an argument, or into other memory. If all
// that is done with them is to look at what they point to, and that is a value, it
// does not matter which one of two equal ones a goroutine has:
//
//	if h := b.hash.Load(); h != nil {
//		return *h
//	}
func (f *funcInfo) handsOut(g component) bool {
	held := map[reduce.Local]bool{}
	own := map[reduce.Ref]bool{}
	for _, a := range g.accesses {
		for _, op := range a.Ops {
			own[op] = true
			in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
			if len(in.Dst) > 0 {
				held[in.Dst[0]] = true
			}
			for _, arg := range in.Args {
				held[f.n.Source(arg).Local] = true
			}
		}
	}
	delete(held, reduce.None)
	return f.goesOut(held, own)
}

// goesOut follows values through copies and choices; base operations that are
// own are no way out.
func (f *funcInfo) goesOut(held map[reduce.Local]bool, own map[reduce.Ref]bool) bool {
	uses := func(visit func(func(reduce.Local))) (found bool) {
		visit(func(l reduce.Local) { found = found || held[l] })
		return found
	}
	for n := -1; n != len(held); {
		n = len(held)
		for b, blk := range f.prog.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				switch {
				case own[reduce.Ref{Block: b, Instr: k}] || !uses(in.Uses):
				case in.Op == reduce.Copy, in.Op == reduce.Pure && in.Name == "choose":
					in.Defs(func(l reduce.Local) { held[l] = true })
				case in.Op != reduce.Pure || !onlyLooks(in.Name):
					return true
				}
			}
			if uses(blk.Term.Uses) && blk.Term.Kind != reduce.Branch {
				return true
			}
		}
	}
	return false
}

// onlyLooks reports whether a pure instruction says something about a pointer, or
// loads all that it points to.
func onlyLooks(name string) bool {
	return name == "eq" || name == "not" || hasAnyPrefix(name, []string{"load:", "is:"})
}
