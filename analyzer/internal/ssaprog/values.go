package ssaprog

import (
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"
)

func Itoa(n int) string { return strconv.Itoa(n) }

// lastTypeArg is V of Map[K, V]: of the types whose methods wrap their values.
func lastTypeArg(t types.Type) types.Type {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 {
		return nil
	}
	return n.TypeArgs().At(n.TypeArgs().Len() - 1)
}

// Unboxed is v out of its interface.
func Unboxed(v ssa.Value) ssa.Value {
	if mi, ok := v.(*ssa.MakeInterface); ok {
		return mi.X
	}
	return v
}

// Named is the type's declaration, through a pointer and instantiation.
func Named(t types.Type) *types.TypeName {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok {
		return n.Origin().Obj()
	}
	return nil
}

// FieldOf is the field of a struct, or of what a pointer to one points to.
func FieldOf(t types.Type, i int) types.Object {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || i >= st.NumFields() {
		return nil
	}
	return st.Field(i).Origin()
}

// IsMadeHere reports whether v points into an object that the function with v
// in it makes.
func IsMadeHere(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		return true
	case *ssa.FieldAddr:
		return IsMadeHere(v.X)
	case *ssa.IndexAddr:
		return IsMadeHere(v.X)
	case *ssa.Slice:
		return IsMadeHere(v.X)
	}
	return false
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// IsError reports whether a type is that of errors.
func IsError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// hasIdentity is what Lower takes for pointer-like.
func hasIdentity(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Slice, *types.Signature, *types.Interface:
		return true
	}
	return false
}

func IsNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

func AddressedField(fa *ssa.FieldAddr) *types.Var {
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

// IsPlain reports whether a value of the type leads nowhere: what is read of a
// counter is no way to the counter.
func IsPlain(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return true // also an unsafe.Pointer: making one of an address is a use
	case *types.Struct:
		for i := range u.NumFields() {
			if depth > 3 || hasState(types.Unalias(u.Field(i).Type())) || !IsPlain(u.Field(i).Type(), depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// Appended are the single values that append gets; nil if it gets a slice.
func Appended(args []ssa.Value) []ssa.Value {
	if len(args) < 2 {
		return nil
	}
	sl, ok := args[1].(*ssa.Slice)
	if !ok {
		return nil
	}
	return LiteralElements(sl)
}

// LiteralElements are the values in the array that a slice was cut from, if
// that was made for it; nil if it is not.
func LiteralElements(sl *ssa.Slice) []ssa.Value {
	a, ok := sl.X.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var values []ssa.Value
	for _, ref := range *a.Referrers() {
		ia, ok := ref.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *ia.Referrers() {
			if st, ok := use.(*ssa.Store); ok && st.Addr == ssa.Value(ia) {
				values = append(values, st.Val)
			}
		}
	}
	return values
}

func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func IsDebugRef(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.DebugRef)
	return ok
}

func IsArg(call ssa.CallInstruction, v ssa.Value) bool {
	for _, arg := range call.Common().Args {
		if arg == v {
			return true
		}
	}
	return false
}

func HasAnyPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// valueTypes are types whose values nobody changes, whatever is inside, or of whose contents nobody misses
// any: what is in a pool can be gone at any time.
var valueTypes = map[string]bool{
	"time.Time": true, "time.Location": true, "regexp.Regexp": true, "reflect.Type": true,
	"text/template.Template": true, "html/template.Template": true, "net/url.URL": true,
	"math/big.Int": true, "net/netip.Addr": true, "strings.Replacer": true, "sync.Pool": true,
}

func isValueType(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	obj := Named(t)
	return obj != nil && obj.Pkg() != nil && valueTypes[obj.Pkg().Path()+"."+obj.Name()]
}

// hasState reports whether t is a lock, an atomic or the like, and no pool.
func hasState(t types.Type) bool {
	n, ok := t.(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	path := n.Obj().Pkg().Path()
	return path == "sync" && !isValueType(t) || path == "sync/atomic"
}

// AssignsCaptured reports whether a literal assigns a variable that it captures.
func AssignsCaptured(mc *ssa.MakeClosure, v *ssa.Alloc) bool {
	fn, ok := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if b != ssa.Value(v) {
			continue
		}
		if !ok || i >= len(fn.FreeVars) {
			return true
		}
		for _, ref := range *fn.FreeVars[i].Referrers() {
			switch ref := ref.(type) {
			case *ssa.Store:
				if ref.Addr == ssa.Value(fn.FreeVars[i]) {
					return true
				}
			case *ssa.MakeClosure:
				return true // too deep to matter
			}
		}
	}
	return false
}

// StoredIn is what a variable is assigned, or a part of it.
func StoredIn(variable ssa.Value) []ssa.Value {
	var out []ssa.Value
	for _, ref := range *variable.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr == variable {
				out = append(out, ref.Val)
			}
		case *ssa.FieldAddr:
			out = append(out, StoredIn(ref)...)
		case *ssa.IndexAddr:
			out = append(out, StoredIn(ref)...)
		}
	}
	return out
}

// ParameterOf is the parameter that a value is, there or in a literal that is in the function; nil
// if it is none.
func ParameterOf(v ssa.Value) *ssa.Parameter {
	switch v := v.(type) {
	case *ssa.Parameter:
		return v
	case *ssa.FreeVar:
		if bound := BoundTo(v); len(bound) == 1 {
			return ParameterOf(bound[0])
		}
	case *ssa.Alloc:
		if stored := StoredIn(v); len(stored) == 1 {
			return ParameterOf(stored[0])
		}
	}
	return nil
}

// BoundTo is what a variable of the function around a literal is there.
func BoundTo(v *ssa.FreeVar) []ssa.Value {
	fn := v.Parent()
	var out []ssa.Value
	for _, made := range ClosuresOf(fn) {
		out = append(out, made.Bindings[slices.Index(fn.FreeVars, v)])
	}
	return out
}

// ClosuresOf are where a function literal is made, in the function around it; none of anything else, as of a
// method value.
func ClosuresOf(fn *ssa.Function) []*ssa.MakeClosure {
	if fn.Parent() == nil {
		return nil
	}
	var out []*ssa.MakeClosure
	for _, b := range fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if made, ok := instr.(*ssa.MakeClosure); ok && made.Fn == ssa.Value(fn) {
				out = append(out, made)
			}
		}
	}
	return out
}
