package analyzer

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// A function that runs one that it was given, and then looks again, does so because
// the world may have changed meanwhile:
//
//	if b.state.Load() == open {
//		return errOpen
//	}
//	err := fn()
//	if b.state.Load() == halfOpen && err == nil {
//		b.state.CompareAndSwap(halfOpen, closed)
//	}
//
// The caller's function may take as long as it likes, and call whatever it likes.
// What is done before it and what is done after it are one step each, unless
// something is carried over: v := m.Load(k); w := fn(v); m.Store(k, w).

// looksAgain is why a violation is not reported of which the accesses fall apart
// into those before a call of a function parameter and those after it, the first one
// of which looks, and there is nothing wrong with either.
func (c *checked) looksAgain(x *Extension, f *funcInfo, g component) string {
	if x.Category != absint.InconsistentRead {
		return ""
	}
	for _, call := range f.callbacks(c.ps.res) {
		before, after := f.around(g, call)
		if len(before) > 0 && len(after) > 0 && f.freshLook(before, after) && c.isAtomic(f, g, before) && c.isAtomic(f, g, after) {
			return "it looks again after it has called a function that it was given"
		}
	}
	return ""
}

// callbacks are the places of the program where the function calls its parameters.
func (f *funcInfo) callbacks(r *resolver) []reduce.Ref {
	calls := map[reduce.Pos]bool{}
	for _, b := range f.fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			if _, isParam := call.Call.Value.(*ssa.Parameter); !isParam {
				continue
			}
			if _, isFunc := call.Call.Value.Type().Underlying().(*types.Signature); isFunc {
				at, _, _ := r.place(call)
				calls[r.posText(at)] = true
			}
		}
	}
	var out []reduce.Ref
	for b, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; calls[in.Pos] && (in.Op == reduce.Unknown || in.Op == reduce.Effect) {
				out = append(out, reduce.Ref{Block: b, Instr: i})
			}
		}
	}
	return out
}

// around divides the accesses of a group into those that only happen before a place
// and those that only happen after it; nil if some do neither.
func (f *funcInfo) around(g component, at reduce.Ref) (before, after []*reduce.Access) {
	call := &reduce.Access{Start: at}
	for _, a := range g.accesses {
		switch {
		case f.find.dominates(call, a) && !f.find.precedes(a, call):
			after = append(after, a)
		case !f.find.precedes(call, a):
			before = append(before, a)
		default:
			return nil, nil
		}
	}
	return before, after
}

// freshLook reports whether each of the later accesses that writes comes after one
// that looks, and none is given what the earlier ones found.
func (f *funcInfo) freshLook(before, after []*reduce.Access) bool {
	for _, b := range after {
		looked := func(a *reduce.Access) bool { return !a.Writes && f.find.dominates(a, b) }
		if b.Writes && !slices.ContainsFunc(after, looked) {
			return false
		}
		for i, a := range f.find.accesses {
			if slices.Contains(before, a) && f.find.arguments(i, b) {
				return false
			}
		}
	}
	return true
}
