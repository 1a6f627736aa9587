package analyzer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// findSolo has, for each operation that only one goroutine makes on an object,
// the function that this goroutine runs. That is one which a single go statement
// starts, once for each object that it makes:
//
//	r := &reader{}
//	go r.loop()
//
// or once for all objects: see startedOnce.
//
// Others may use the object at the same time, but not from that function.
func (c *checked) findSolo() map[reduce.Pos]*ssa.Function {
	solo := map[reduce.Pos]*ssa.Function{}
	many := map[reduce.Pos]bool{}
	for _, f := range c.outer {
		owners, once := c.ps.startedWith(f.fn), c.ps.startedOnce(f.fn)
		for _, a := range f.find.accesses {
			mine := once || f.partOf(a.Cell, owners)
			for _, pos := range f.positions([]*reduce.Access{a}) {
				if fn, known := solo[pos]; !mine || known && fn != f.fn || !c.ps.onlyFrom(c.ps.functionAt(c.ps.res.opName(pos).Pos), f.fn, map[*ssa.Function]bool{}) {
					many[pos] = true
				}
				solo[pos] = f.fn
			}
		}
	}
	for pos := range many {
		delete(solo, pos)
	}
	return solo
}

// onlyFrom reports whether fn is only ever called from root, directly or not. What
// is inlined in root does not tell, since calls are followed to a limited depth.
func (ps *programs) onlyFrom(fn, root *ssa.Function, seen map[*ssa.Function]bool) bool {
	if fn == nil || fn == root || seen[fn] {
		return fn != nil
	}
	seen[fn] = true
	switch {
	case fn.Parent() != nil && ps.inPlainSight(fn):
		return ps.onlyFrom(fn.Parent(), root, seen)
	case ps.exported(fn), ps.escapes(fn), ps.started(fn), len(ps.callers(fn)) == 0:
		return false
	}
	return !slices.ContainsFunc(ps.callers(fn), func(call ssa.CallInstruction) bool {
		return !ps.onlyFrom(call.Parent(), root, seen)
	})
}

// soloOf is the function that makes all of the operations alone; nil if none
// does.
func (w *worlds) soloOf(positions []reduce.Pos) *ssa.Function {
	var fn *ssa.Function
	for i, pos := range positions {
		if i > 0 && w.solo[pos] != fn {
			return nil
		}
		fn = w.solo[pos]
	}
	return fn
}

// partOf reports whether the map of a cell is a part of what a parameter with
// one of the names points to, or that itself.
func (f *funcInfo) partOf(cell int, names map[string]bool) bool {
	op := f.prog.Cells[cell].Map
	for range maxRoot {
		op = f.n.Source(op)
		_, from, pointer, ok := f.names().step(op)
		if !ok {
			break
		}
		if pointer {
			return false // a pointer in it may be in others as well
		}
		op = from
	}
	for _, l := range f.prog.Params {
		if op.Local == l && !op.IsLit() {
			return names[f.prog.Names[l]]
		}
	}
	return false
}

// startedWith are the names of the parameters and captured variables of fn that
// are an object of its own: fn is only ever started by one go statement, in the
// function that makes the object, and not again until there is another one.
func (ps *programs) startedWith(fn *ssa.Function) map[string]bool {
	starts := ps.refs.started[fn]
	if len(starts) != 1 || ps.exported(fn) || ps.escapes(fn) || len(ps.callers(fn)) > 0 {
		return nil
	}
	names := map[string]bool{}
	start := starts[0]
	_, args := reduce.Callee(start)
	for i, p := range fn.Params {
		if i < len(args) && madeFor(args[i], start) {
			names[p.Name()] = true
		}
	}
	if mc, ok := start.Common().Value.(*ssa.MakeClosure); ok {
		for i, fv := range fn.FreeVars {
			if i < len(mc.Bindings) && madeFor(mc.Bindings[i], start) {
				names[fv.Name()] = true
			}
		}
	}
	return names
}

// madeFor reports whether v is, or is a variable that always holds, an object
// that is made again before at runs again.
func madeFor(v ssa.Value, at ssa.Instruction) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return madeFor(v.X, at)
	case *ssa.Alloc:
		if !v.Heap || v.Parent() != at.Parent() || blockReaches(at.Block(), at.Block(), v.Block()) {
			return false
		}
		return holdsMade(v, at)
	}
	return false
}

// holdsMade reports whether a variable, if it is one of pointers, gets no other
// pointer than to an object made for at.
func holdsMade(v *ssa.Alloc, at ssa.Instruction) bool {
	for _, ref := range *v.Referrers() {
		switch ref := ref.(type) {
		case *ssa.Store:
			if ref.Addr != ssa.Value(v) || isPlain(ref.Val.Type(), 0) {
				continue
			}
			if made, ok := ref.Val.(*ssa.Alloc); !ok || !madeFor(made, at) {
				return false
			}
		case *ssa.MakeClosure:
			if assignsCaptured(ref, v) {
				return false
			}
		}
	}
	return true
}

// assignsCaptured reports whether a literal assigns a variable that it captures.
func assignsCaptured(mc *ssa.MakeClosure, v *ssa.Alloc) bool {
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
