package ownership

import (
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// FindSolo has, for each operation that only one goroutine makes on an object,
// the function that this goroutine runs. That is one which a single go statement
// starts, once for each object that it makes:
//
//	r := &reader{}
//	go r.loop()
//
// or once for all objects: see StartedOnce.
//
// Others may use the object at the same time, but not from that function.
func FindSolo(ps *ssaprog.Programs, outer []*Function) map[register.Pos]*ssa.Function {
	solo := map[register.Pos]*ssa.Function{}
	many := map[register.Pos]bool{}
	for _, f := range outer {
		owners, once := startedWith(ps, f.Fn), ps.StartedOnce(f.Fn)
		for _, a := range f.Find.Accesses {
			mine := once || f.PartOf(a.Cell, owners)
			for _, pos := range f.Positions([]*register.Access{a}) {
				if fn, known := solo[pos]; !mine || known && fn != f.Fn || !ps.OnlyFrom(ps.FunctionAt(ps.Res.OpName(pos).Pos), f.Fn, map[*ssa.Function]bool{}) {
					many[pos] = true
				}
				solo[pos] = f.Fn
			}
		}
	}
	for pos := range many {
		delete(solo, pos)
	}
	return solo
}

// PartOf reports whether the map of a cell is a part of what one of
// some parameters points to, or that itself.
func (f *Function) PartOf(cell int, of map[ssa.Value]bool) bool {
	op := f.Prog.Cells[cell].Map
	for range maxRoot {
		op = f.N.Source(op)
		_, from, pointer, ok := f.names().step(op)
		if !ok {
			break
		}
		if pointer {
			return false // a pointer in it may be in others as well
		}
		op = from
	}
	return !op.IsLit() && of[f.Parameter(op.Local)]
}

// startedWith are the parameters and captured variables of fn that
// are an object of its own: fn is only ever started by one go statement, in the
// function that makes the object, and not again until there is another one.
func startedWith(ps *ssaprog.Programs, fn *ssa.Function) map[ssa.Value]bool {
	starts := ps.Refs.Started[fn]
	if len(starts) != 1 || ps.Exported(fn) || ps.Escapes(fn) || len(ps.Callers(fn)) > 0 {
		return nil
	}
	own := map[ssa.Value]bool{}
	start := starts[0]
	_, args := calls.Begins(start)
	for i, p := range fn.Params {
		if i < len(args) && madeFor(args[i], start) {
			own[p] = true
		}
	}
	if mc, ok := calls.Beginning(start).(*ssa.MakeClosure); ok {
		for i, fv := range fn.FreeVars {
			if i < len(mc.Bindings) && madeFor(mc.Bindings[i], start) {
				own[fv] = true
			}
		}
	}
	return own
}

// madeFor reports whether v is, or is a variable that always holds, an object
// that is made again before at runs again.
func madeFor(v ssa.Value, at ssa.Instruction) bool {
	switch v := v.(type) {
	case *ssa.UnOp:
		return madeFor(v.X, at)
	case *ssa.Alloc:
		if !v.Heap || v.Parent() != at.Parent() || ways.Reaches(at.Block(), at.Block(), v.Block()) {
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
			if ref.Addr != ssa.Value(v) || ssaprog.IsPlain(ref.Val.Type(), 0) {
				continue
			}
			if made, ok := ref.Val.(*ssa.Alloc); !ok || !madeFor(made, at) {
				return false
			}
		case *ssa.MakeClosure:
			if ssaprog.AssignsCaptured(ref, v) {
				return false
			}
		}
	}
	return true
}
