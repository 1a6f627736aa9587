package ownership

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/reduce"
)

// Objects that are kept under an id of their own are never in each other's place:
//
//	c := &conn{id: lastID.Add(1)}
//	…
//	p.conns.Store(c.id, c)
//
// What is found under an id a second time is what was found there before, however
// often it was removed and stored in between. A name, or what a client calls itself,
// is no such id: somebody else may come with the same one.
//
// The id is that if the package sets it once, to the next number of a counter, for
// each object that it makes. It cannot be seen whether another package makes an
// object without one, or copies it, so that a violation which is gone then stays a
// violation, and is not reported.

// UniqueFields are the fields, by their names, that are another one in each object.
func UniqueFields(funcs []*ssa.Function) map[string]bool {
	u := &uniqueness{counters: map[string]*ssa.Global{}, owners: map[string]types.Type{}, not: map[string]bool{}, allocs: map[*ssa.Alloc]map[string]bool{}}
	each := func(visit func(ssa.Instruction)) {
		for _, fn := range funcs {
			for _, b := range fn.Blocks {
				for _, instr := range b.Instrs {
					visit(instr)
				}
			}
		}
	}
	each(u.assignment)
	if len(u.counters) == 0 {
		return nil
	}
	each(u.omission)
	each(u.reset)
	out := map[string]bool{}
	for name := range u.counters {
		if !u.not[name] {
			out[name] = true
		}
	}
	return out
}

type uniqueness struct {
	// counters are what fields are set from.
	counters map[string]*ssa.Global
	owners   map[string]types.Type
	not      map[string]bool
	// allocs are the fields that objects are given that way.
	allocs map[*ssa.Alloc]map[string]bool
}

// assignment looks at all that is done to a field but to load it.
func (u *uniqueness) assignment(instr ssa.Instruction) {
	fa, ok := instr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	name := reduce.MemoryName(fa)
	for _, ref := range *fa.Referrers() {
		switch ref := ref.(type) {
		case *ssa.DebugRef, *ssa.UnOp:
		case *ssa.Store:
			if ref.Addr != fa || !u.drawn(name, fa, ref.Val) {
				u.not[name] = true
			}
		default:
			u.not[name] = true
		}
	}
}

// drawn reports whether a field is set to the next number of its one counter, and the
// object is made at the same time, once for each number.
func (u *uniqueness) drawn(name string, fa *ssa.FieldAddr, v ssa.Value) bool {
	alloc, made := fa.X.(*ssa.Alloc)
	counter := nextNumber(v, fa.Block(), 2)
	if !made || counter == nil || alloc.Block() != fa.Block() || u.allocs[alloc][name] || ssaprog.FieldOf(fa.X.Type(), fa.Field).Exported() {
		return false
	}
	owner := ssaprog.Deref(alloc.Type())
	if c := u.counters[name]; c != nil && (c != counter || !types.Identical(u.owners[name], owner)) {
		return false
	}
	u.counters[name], u.owners[name] = counter, owner
	if u.allocs[alloc] == nil {
		u.allocs[alloc] = map[string]bool{}
	}
	u.allocs[alloc][name] = true
	return true
}

// omission looks for objects that are made without an id, or copied.
func (u *uniqueness) omission(instr ssa.Instruction) {
	var t types.Type
	alloc, _ := instr.(*ssa.Alloc)
	if store, ok := instr.(*ssa.Store); ok {
		t = store.Val.Type()
	} else if alloc != nil {
		t = ssaprog.Deref(alloc.Type())
	}
	for name, owner := range u.owners {
		if t != nil && types.Identical(t, owner) && !u.allocs[alloc][name] {
			u.not[name] = true
		}
	}
}

// reset looks for anything that is done to a counter but to count on.
func (u *uniqueness) reset(instr ssa.Instruction) {
	for name, counter := range u.counters {
		if ssaprog.IsDebugRef(instr) || !slices.ContainsFunc(instr.Operands(nil), func(v *ssa.Value) bool { return *v == counter }) {
			continue
		}
		call, ok := instr.(*ssa.Call)
		if !ok || countsOn(call) != counter && !isLoadCall(call) {
			u.not[name] = true
		}
	}
}

// nextNumber is the counter, if any, of which v is the next number, drawn in block b
// and given to one field.
func nextNumber(v ssa.Value, b *ssa.BasicBlock, depth int) *ssa.Global {
	if v.Referrers() == nil {
		return nil
	}
	if n := len(slices.DeleteFunc(slices.Clone(*v.Referrers()), ssaprog.IsDebugRef)); n != 1 {
		return nil
	}
	switch v := v.(type) {
	case *ssa.Convert:
		return nextNumber(v.X, b, depth)
	case *ssa.ChangeType:
		return nextNumber(v.X, b, depth)
	case *ssa.Call:
		if v.Block() != b {
			return nil
		}
		if g := countsOn(v); g != nil {
			return g
		}
		fn := v.Call.StaticCallee()
		if fn == nil || len(fn.Blocks) != 1 || depth == 0 {
			return nil
		}
		ret, ok := fn.Blocks[0].Instrs[len(fn.Blocks[0].Instrs)-1].(*ssa.Return)
		if !ok || len(ret.Results) != 1 {
			return nil
		}
		return nextNumber(ret.Results[0], fn.Blocks[0], depth-1)
	}
	return nil
}

// countsOn is the package variable that a call adds a constant to.
func countsOn(call *ssa.Call) *ssa.Global {
	fn := call.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync/atomic" || len(call.Call.Args) != 2 || !ssaprog.HasAnyPrefix(fn.Name(), []string{"Add"}) {
		return nil
	}
	delta, ok := call.Call.Args[1].(*ssa.Const)
	if !ok || delta.Value == nil || constant.Sign(delta.Value) == 0 {
		return nil
	}
	g, _ := call.Call.Args[0].(*ssa.Global)
	return g
}

func isLoadCall(call *ssa.Call) bool {
	fn := call.Call.StaticCallee()
	return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" && ssaprog.HasAnyPrefix(fn.Name(), []string{"Load"})
}
