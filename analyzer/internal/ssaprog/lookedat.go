package ssaprog

import (
	"go/token"
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/ways"
	"github.com/mapatom/mapatom/reduce"
	"golang.org/x/tools/go/ssa"
)

// An object that somebody puts in a map, and that all who find it there only look at, is missed by nobody if
// another one like it takes its place, whatever is done with other objects of its type:
//
//	func (s *Schemas) Of(name string) *Schema {
//		if v, ok := s.known.Load(name); ok { return v.(*Schema) }
//		out := parse(name) // a Schema has methods that change it, which are called here
//		s.known.Store(name, out)
//		return out
//	}
//
// What is found is followed through the package. Somebody changes it who assigns a field of it, fills a container
// in it, sends, waits, compares it with another one, or holds a lock in it that is there for others. Where it leaves the package it is what
// its type lets others do with it. A part that is filled when it is asked for the first time is no
// state: who has the other object fills that.

// OnlyLookedAt reports whether nobody changes the objects of type made that are found in a field or a package variable, or
// what that has in it, nor those that are put there, after that. The memory is named as reduce has it.
func (ps *Programs) OnlyLookedAt(memory string, made types.Type) bool {
	f := &follower{ps: ps, made: made, seen: map[followed]bool{}, fills: map[*ssa.Function]bool{}, shown: map[types.Type]bool{}}
	for _, fn := range ps.Funcs {
		for _, b := range fn.Blocks {
			for _, instr := range b.Instrs {
				f.begin(memory, instr)
			}
		}
	}
	return f.finds && !f.changed && !slices.ContainsFunc(f.locks, func(fn *ssa.Function) bool { return !f.fills[fn] })
}

// begin follows the memory from an instruction that names it.
func (f *follower) begin(memory string, instr ssa.Instruction) {
	if fa, ok := instr.(*ssa.FieldAddr); ok && reduce.MemoryName(fa) == memory {
		f.follow(followed{v: fa, keeps: true})
	}
	for _, op := range instr.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok && reduce.MemoryName(g) == memory {
			f.look(followed{v: g, keeps: true}, instr)
		}
	}
}

// follower follows objects to what is done with them.
type follower struct {
	ps   *Programs
	made types.Type
	seen map[followed]bool
	// shown are the types of which what others may do is followed.
	shown map[types.Type]bool
	// fills are the functions that fill a part of an object when it is asked for, and locks those that take a
	// lock in it.
	fills map[*ssa.Function]bool
	locks []*ssa.Function
	// finds says that some object was come to, and changed that one is, or may be.
	finds, changed bool
}

// followed is a value that is such an object, a part of one, the variable that one is in, or what keeps them; only what comes
// after an instruction counts, if there is one.
type followed struct {
	v                     ssa.Value
	part, variable, keeps bool
	after                 ssa.Instruction
}

// as is what another value is that comes of it, which nothing is but an object.
func (x followed) as(v ssa.Value) followed {
	x.v, x.after = v, nil
	return x
}

// maxFollowed bounds the values that are followed.
const maxFollowed = 2000

// arguments are those of a call that can be such an object.
func (f *follower) arguments(c *ssa.CallCommon) (all []ssa.Value) {
	all = c.Args
	if !c.IsInvoke() && c.Signature().Recv() != nil {
		all = all[1:]
	}
	if i := slices.IndexFunc(all, func(arg ssa.Value) bool { return types.Identical(Unboxed(arg).Type(), f.made) }); i >= 0 {
		return all[i : i+1]
	}
	return all
}

// putValue follows a value that is put somewhere, with what it is an alias of.
func (f *follower) putValue(v ssa.Value, at ssa.Instruction, seen map[ssa.Value]bool) {
	if seen[v] || isPlainValue(v.Type()) || functionOf(v) != nil {
		return
	}
	seen[v] = true
	f.follow(followed{v: v, after: at})
	switch v := v.(type) {
	case *ssa.MakeInterface:
		f.putValue(v.X, at, seen)
	case *ssa.ChangeType:
		f.putValue(v.X, at, seen)
	case *ssa.ChangeInterface:
		f.putValue(v.X, at, seen)
	case *ssa.TypeAssert:
		f.putValue(v.X, at, seen)
	case *ssa.Extract:
		f.putValue(v.Tuple, at, seen)
	case *ssa.Phi:
		for _, edge := range v.Edges {
			f.putValue(edge, at, seen)
		}
	case *ssa.UnOp:
		if alloc, ok := v.X.(*ssa.Alloc); ok && v.Op == token.MUL {
			f.follow(followed{v: alloc, variable: true, after: at})
			for _, val := range StoredIn(alloc) {
				f.putValue(val, at, seen)
			}
		}
	case *ssa.Parameter:
		f.given(v)
	}
	f.runs(v, 0)
}

// given follows what callers give for a parameter that is put somewhere, after their calls.
func (f *follower) given(p *ssa.Parameter) {
	fn := p.Parent()
	i := slices.Index(fn.Params, p)
	if f.ps.Exported(fn) || f.ps.Escapes(fn) {
		f.leaves(p.Type(), false)
	}
	for _, call := range f.ps.Callers(fn) {
		if args := call.Common().Args; i < len(args) {
			f.putValue(args[i], call, map[ssa.Value]bool{})
		}
	}
}

// follow follows a value to its uses.
func (f *follower) follow(x followed) {
	if f.changed || f.seen[x] || x.v.Referrers() == nil || isPlainValue(x.v.Type()) {
		return
	}
	f.seen[x] = true
	if len(f.seen) > maxFollowed {
		f.changed = true
	}
	f.finds = f.finds || !x.keeps
	for _, ref := range *x.v.Referrers() {
		f.look(x, ref)
	}
}

// look follows a value over one of its uses.
func (f *follower) look(x followed, ref ssa.Instruction) {
	v, ok := ref.(ssa.Value)
	switch {
	case ok && isAlias(x, v):
		f.follow(followed{v: v, part: x.part || !x.keeps && isPart(ref), keeps: x.keeps && !f.isObject(v.Type()), after: x.after})
	case x.after != nil && x.after.Parent() == ref.Parent() && (x.after == ref || !ways.Follows(x.after, ref)):
	case x.keeps:
		f.kept(x, ref)
	default:
		f.use(x, ref)
	}
}

// isObject reports whether a value of a type can be an object that is kept: a field that one is in has another type.
func (f *follower) isObject(t types.Type) bool {
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		return f.isObject(tuple.At(0).Type()) || tuple.Len() == 3 && f.isObject(tuple.At(2).Type())
	}
	return types.IsInterface(t) || types.Identical(t, f.made)
}

// kept is what an instruction does with what keeps objects.
func (f *follower) kept(x followed, ref ssa.Instruction) {
	switch ref := ref.(type) {
	case *ssa.MapUpdate:
		f.putValue(ref.Value, ref, map[ssa.Value]bool{})
	case *ssa.Store:
		if alloc, ok := ref.Addr.(*ssa.Alloc); ok && ref.Val == x.v {
			f.follow(x.as(alloc))
		} else if ref.Val != x.v && f.isObject(ref.Val.Type()) {
			f.putValue(ref.Val, ref, map[ssa.Value]bool{})
		}
	case *ssa.MakeClosure:
		f.captured(x, ref)
	case *ssa.Return:
		f.returned(x, ref)
	case ssa.CallInstruction:
		f.keeper(x, ref)
	}
}

// keeper is what a call does with what keeps objects: it finds them, and puts them there.
func (f *follower) keeper(x followed, call ssa.CallInstruction) {
	c := call.Common()
	if _, ok := c.Value.(*ssa.Builtin); ok {
		return
	}
	if body := f.ps.Res.Local(c.StaticCallee()); body != nil {
		f.enters(x, body, c)
		return
	}
	if v, ok := call.(*ssa.Call); ok {
		f.follow(followed{v: v})
	}
	for _, arg := range c.Args { // what a Range calls
		if literal := functionOf(arg); literal != nil {
			for _, p := range literal.Params {
				f.follow(followed{v: p})
			}
		}
	}
	for _, arg := range f.arguments(c) {
		f.putValue(arg, call, map[ssa.Value]bool{})
	}
}

// isAlias reports whether an instruction gives the same object, or a part of it.
func isAlias(x followed, v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Phi, *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Convert, *ssa.Slice,
		*ssa.SliceToArrayPointer, *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Extract, *ssa.Range, *ssa.Next:
		return true
	case *ssa.Lookup:
		return v.X == x.v
	case *ssa.UnOp:
		return v.Op == token.MUL
	}
	return false
}

// isPart reports whether an instruction gives what is in an object.
func isPart(instr ssa.Instruction) bool {
	switch instr.(type) {
	case *ssa.FieldAddr, *ssa.Field, *ssa.IndexAddr, *ssa.Index, *ssa.Lookup, *ssa.Next:
		return true
	}
	return false
}

// use is what an instruction does with an object.
func (f *follower) use(x followed, ref ssa.Instruction) {
	switch ref := ref.(type) {
	case *ssa.Store:
		f.stored(x, ref)
	case *ssa.MapUpdate:
		f.onOrWith(ref.Map == x.v, x)
	case *ssa.Send:
		f.onOrWith(ref.Chan == x.v, x)
	case *ssa.Select:
		f.onOrWith(slices.ContainsFunc(ref.States, func(s *ssa.SelectState) bool { return s.Chan == x.v }), x)
	case *ssa.UnOp:
		f.changed = f.changed || ref.Op == token.ARROW
	case *ssa.BinOp:
		f.changed = f.changed || !x.part && hasIdentity(x.v.Type()) && !IsError(x.v.Type()) && !IsNil(ref.X) && !IsNil(ref.Y)
	case *ssa.MakeClosure:
		f.captured(x, ref)
	case *ssa.Return:
		f.returned(x, ref)
	case ssa.CallInstruction:
		f.call(x, ref)
	}
}

// captured follows a value into a literal.
func (f *follower) captured(x followed, mc *ssa.MakeClosure) {
	fn, ok := mc.Fn.(*ssa.Function)
	for i, b := range mc.Bindings {
		if ok && b == x.v && i < len(fn.FreeVars) {
			f.follow(x.as(fn.FreeVars[i]))
		}
	}
}

// onOrWith is for what changes one thing, and keeps another one in it.
func (f *follower) onOrWith(on bool, x followed) {
	if on {
		f.changed = true
		return
	}
	f.leaves(x.v.Type(), x.part)
}

// stored is for what is assigned to an object, or keeps it.
func (f *follower) stored(x followed, st *ssa.Store) {
	alloc, isVariable := st.Addr.(*ssa.Alloc)
	switch {
	case st.Val == x.v && isVariable:
		f.follow(followed{v: alloc, part: x.part, variable: true, after: x.after})
	case st.Val == x.v:
		f.leaves(x.v.Type(), x.part)
	case x.variable:
	case f.fillsOnce(st):
		f.fills[outermost(st.Parent())] = true
	default:
		f.changed = true
	}
}

// returned follows what a function gives to those who call it.
func (f *follower) returned(x followed, ret *ssa.Return) {
	fn := ret.Parent()
	for i, r := range ret.Results {
		if r != x.v {
			continue
		}
		if f.ps.Exported(fn) || f.ps.Escapes(fn) || fn.Parent() != nil {
			f.changed = f.changed || x.keeps
			f.leaves(r.Type(), x.part)
		}
		for _, call := range f.ps.Callers(fn) {
			v, ok := call.(*ssa.Call)
			switch {
			case !ok:
			case len(ret.Results) == 1:
				f.follow(x.as(v))
			default:
				for _, ref := range *v.Referrers() {
					if e, ok := ref.(*ssa.Extract); ok && e.Index == i {
						f.follow(x.as(e))
					}
				}
			}
		}
	}
}

// outermost is the function that a literal is in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// isPlainValue reports whether a value of type t is the same as any other one that looks like it.
func isPlainValue(t types.Type) bool { return isValueType(t) || IsError(t) || isPlain(t) }
