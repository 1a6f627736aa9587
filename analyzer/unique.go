package analyzer

import (
	"context"
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
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

// withTwins is why a violation is not reported that is gone if no two objects have
// one id.
func (c *checked) withTwins(x *Extension, f *funcInfo, g component) string {
	p, unique := x.problem, c.judge.worlds.unique
	if p.Env != absint.Package || len(unique) == 0 {
		return ""
	}
	region := f.underOwnKeys(p.Region, g.accesses, unique)
	any := region != nil
	if any {
		p.Region = region
	}
	steps := rewritten(x.rivals, func(s *worldStep) *reduce.Program {
		prog := s.from.underOwnKeys(s.step.Program, s.accesses, unique)
		any = any || prog != nil
		return prog
	})
	if !any {
		return ""
	}
	p.Steps = stepsFor(steps, p.Region)
	if res, err := absint.Check(context.Background(), p); err != nil || res.Verdict != absint.Verified {
		return ""
	}
	return "only if two objects have one id, and a counter hands those out"
}

// underOwnKeys is a program, cut out of f, in which an object that is stored under an
// id of its own is the one object with that id; nil if there is none.
func (f *funcInfo) underOwnKeys(prog *reduce.Program, accesses []*reduce.Access, unique map[string]bool) *reduce.Program {
	var stores []reduce.Pos
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
			v, ok := storedOperand(in)
			if !ok {
				continue
			}
			key, _ := f.n.Def(f.prog.Cells[in.Cell].Key)
			if key != nil && key.Op == reduce.Pure && unique[key.Name] && f.n.Source(key.Args[0]) == f.n.Source(v) {
				stores = append(stores, in.Pos)
			}
		}
	}
	if len(stores) == 0 {
		return nil
	}
	return remember(prog, stores)
}

// uniqueFields are the fields, by their names, that are another one in each object.
func uniqueFields(funcs []*ssa.Function) map[string]bool {
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
	if !made || counter == nil || alloc.Block() != fa.Block() || u.allocs[alloc][name] || fieldOf(fa.X.Type(), fa.Field).Exported() {
		return false
	}
	owner := deref(alloc.Type())
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
		t = deref(alloc.Type())
	}
	for name, owner := range u.owners {
		if t != nil && types.Identical(t, owner) && !u.allocs[alloc][name] {
			u.not[name] = true
		}
	}
}

func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// reset looks for anything that is done to a counter but to count on.
func (u *uniqueness) reset(instr ssa.Instruction) {
	for name, counter := range u.counters {
		if isDebugRef(instr) || !slices.ContainsFunc(instr.Operands(nil), func(v *ssa.Value) bool { return *v == counter }) {
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
	if n := len(slices.DeleteFunc(slices.Clone(*v.Referrers()), isDebugRef)); n != 1 {
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
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync/atomic" || len(call.Call.Args) != 2 || !hasAnyPrefix(fn.Name(), []string{"Add"}) {
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
	return fn != nil && fn.Pkg != nil && fn.Pkg.Pkg.Path() == "sync/atomic" && hasAnyPrefix(fn.Name(), []string{"Load"})
}

func isDebugRef(instr ssa.Instruction) bool {
	_, ok := instr.(*ssa.DebugRef)
	return ok
}
