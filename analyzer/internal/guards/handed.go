package guards

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A guard keeps a value, and lends it to functions that it calls under its lock:
//
//	func (g *Guard[T]) With(f func(*T)) {
//		g.mu.Lock()
//		defer g.mu.Unlock()
//		f(&g.value)
//	}
//
// What such a function does to what it is lent is done to the field of the guard, or, if it is
// lent a map, to its entries.

// A field can be a map in one instance of its type and a number in another one: what is lent is then
// a memory by itself, one for each type.

// instance is such a memory.
type instance struct {
	in *types.Var
	of string
}

// lent is the field that a parameter leads to in all calls of its function, each of which is one of
// a function value that is followed, or the memory for one type of what is in it; nil if that is not so.
func (in *inference) lent(p *ssa.Parameter) *types.Var {
	if v, ok := in.known[p]; ok {
		return v
	}
	in.known[p] = nil
	v := in.findLent(p)
	if t := held(p); v != nil && !types.Identical(t, v.Type()) {
		key := instance{v, types.TypeString(t, nil)}
		if in.instances[key] == nil {
			in.instances[key] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), t)
			in.instanceOf[in.instances[key]] = v
		}
		v = in.instances[key]
	}
	in.known[p] = v
	return v
}

func (in *inference) findLent(p *ssa.Parameter) *types.Var {
	fn := p.Parent()
	s := in.sites[fn]
	if s == nil || s.open || len(s.calls) == 0 {
		return nil
	}
	i := slices.Index(fn.Params, p)
	var lent *types.Var
	for _, call := range s.calls {
		c := call.Common()
		if c.IsInvoke() || i >= len(c.Args) {
			return nil
		}
		if c.StaticCallee() != nil { // it is lent on
			from, ok := c.Args[i].(*ssa.Parameter)
			if !ok || lent != nil && lent != in.lent(from) {
				return nil
			}
			if lent = in.lent(from); lent == nil {
				return nil
			}
			continue
		}
		place := placeLent(c.Args[i])
		if place == nil || field(place) == nil || lent != nil && field(place) != lent {
			return nil
		}
		lent = field(place)
	}
	return lent
}

// placeLent is the field of which the address is lent, or the map that it holds; nil if it is
// something else.
func placeLent(arg ssa.Value) *ssa.FieldAddr {
	if load := loadedFrom(arg); load != nil {
		if !lendsMap(arg.Type()) {
			return nil
		}
		arg = load
	}
	place, _ := arg.(*ssa.FieldAddr)
	return place
}

// lendsMap reports whether a value is a map for some of those who are lent it.
func lendsMap(t types.Type) bool {
	_, isParam := types.Unalias(t).(*types.TypeParam)
	return isParam || isMap(t)
}

// lendsTo reports whether all that becomes of a field's address, or of the map that it holds, is that
// functions are called with it that are followed.
func (in *inference) lendsTo(v ssa.Value) bool {
	for _, ref := range *v.Referrers() {
		if _, ok := ref.(*ssa.DebugRef); ok {
			continue
		}
		call, ok := ref.(*ssa.Call)
		if !ok || !in.lentBy[call] {
			return false
		}
	}
	return true
}

// findLenders notes the calls of parameters that only go to functions which are followed.
func (in *inference) findLenders() {
	open := map[ssa.CallInstruction]bool{}
	for _, fn := range in.funcs {
		for i, p := range fn.Params {
			if _, ok := p.Type().Underlying().(*types.Signature); !ok {
				continue
			}
			calls, ok := in.callsOf(fn, i)
			closed := ok && in.followsAll(fn, i)
			for _, call := range calls {
				open[call] = open[call] || !closed
				in.lentBy[call] = !open[call]
			}
		}
	}
}

// followsAll reports whether all functions are followed that callers in this package give fn as an
// argument. Others are not seen: what they do is done under the lock.
func (in *inference) followsAll(fn *ssa.Function, i int) bool {
	return !slices.ContainsFunc(in.sites[fn].calls, func(call ssa.CallInstruction) bool {
		args := call.Common().Args
		if i >= len(args) {
			return true
		}
		given, _ := args[i].(*ssa.Function)
		if mc, ok := args[i].(*ssa.MakeClosure); ok {
			given = mc.Fn.(*ssa.Function)
		}
		given = in.local(given)
		return given == nil || in.sites[given].open
	})
}

// Lends reports whether an access does no more than to lend what is there to others: the address of
// a field, or the map in it.
func (g *Guards) Lends(a *Access) bool {
	switch instr := a.Instr.(type) {
	case *ssa.FieldAddr:
		return g.in.lendsTo(instr)
	case *ssa.UnOp:
		return lendsMap(instr.Type()) && g.in.lendsTo(instr)
	}
	return false
}

// lentAlone reports whether a memory is all that its field is: if it is for one type of that, nothing else
// is done to the field but to lend it, and if not, there is none for a type.
func (g *Guards) lentAlone(mem *types.Var) bool {
	if in := g.in.instanceOf[mem]; in != nil {
		return !slices.ContainsFunc(g.in.accesses[in], func(a *Access) bool { return !a.Construction && !g.Lends(a) })
	}
	for _, field := range g.in.instanceOf {
		if field == mem {
			return false
		}
	}
	return true
}
