package evidence

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
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
func (e *Weigher) looksAgain(f *violation) string {
	if f.x.Several || f.x.Category != absint.InconsistentRead {
		return ""
	}
	for _, call := range f.callbacks(e.ps.Res) {
		before, after := f.around(call)
		if len(before) > 0 && len(after) > 0 && f.freshLook(before, after) && e.isAtomic(f, before) && e.isAtomic(f, after) {
			return "it looks again after it has called a function that it was given"
		}
	}
	return ""
}

// callbacks are the places of the program where the function calls its parameters.
func (f *violation) callbacks(r *ssaprog.Resolver) []register.Ref {
	calls := map[register.Pos]bool{}
	for _, b := range f.Fn.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok || call.Call.IsInvoke() {
				continue
			}
			if _, isParam := call.Call.Value.(*ssa.Parameter); !isParam {
				continue
			}
			if _, isFunc := call.Call.Value.Type().Underlying().(*types.Signature); isFunc {
				at, _, _ := r.Place(call)
				calls[r.PosText(at)] = true
			}
		}
	}
	var out []register.Ref
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; calls[in.Pos] && (in.Op == register.Unknown || in.Op == register.Effect) {
				out = append(out, register.Ref{Block: b, Instr: i})
			}
		}
	}
	return out
}

// around divides the accesses of a group into those that only happen before a place
// and those that only happen after it; nil if some do neither.
func (f *violation) around(at register.Ref) (before, after []*register.Access) {
	call := &register.Access{Start: at}
	for _, a := range f.g.Accesses {
		switch {
		case f.Find.Dominates(call, a) && !f.Find.Precedes(a, call):
			after = append(after, a)
		case !f.Find.Precedes(call, a):
			before = append(before, a)
		default:
			return nil, nil
		}
	}
	return before, after
}

// freshLook reports whether each of the later accesses that writes comes after one
// that looks, and none is given what the earlier ones found.
func (f *violation) freshLook(before, after []*register.Access) bool {
	for _, b := range after {
		looked := func(a *register.Access) bool { return !a.Writes && f.Find.Dominates(a, b) }
		if b.Writes && !slices.ContainsFunc(after, looked) {
			return false
		}
		for i, a := range f.Find.Accesses {
			if slices.Contains(before, a) && f.Find.Arguments(i, b) {
				return false
			}
		}
	}
	return true
}
