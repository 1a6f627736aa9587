package evidence

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two steps that both hold a lock of the same kind, the same field of whichever objects,
// are likely kept apart by it: somebody has thought of them both. It is certain only if
// the objects are the same, which is not known of one that was looked up.
//
//	t.mu.Lock()
//	n := t.find(name)
//	if _, ok := n.subs.Load(k); !ok { n.subs.Store(k, s) }
//	t.mu.Unlock()
//
// A lock that has nothing to do with the way to the cell is another one: that of the
// object that something is taken from, or of a handle on what others have as well.

// likeLocks is why a violation is not shown that is gone without the steps that hold a
// lock of a kind that is held here as well.
func (e *Weigher) likeLocks(f *violation) string {
	if f.x.Several || f.x.Environment != absint.Package {
		return ""
	}
	return e.underLock(f, "all that would interrupt it holds %s as well")
}

// locksItself is why a violation is not shown that only another package could bring
// about, by what it can reach, since the package itself always holds a lock.
func (e *Weigher) locksItself(f *violation) string {
	if f.x.Several || f.x.Environment != absint.Open || e.judge.Env != config.EnvAuto || f.evicted() {
		return ""
	}
	return e.underLock(f, "only another package could do it; here %s is always held")
}

// underLock says of a violation that is gone without the steps that hold a lock of the
// same kind which lock that is; empty if it is not gone.
func (e *Weigher) underLock(f *violation, says string) string {
	apart, alike := e.holdsAlike(f)
	if apart == nil || !e.goneWithout(f, apart) {
		return ""
	}
	return fmt.Sprintf(says, alike)
}

// holdsAlike tells the steps that hold a lock of a kind which is held over a violation as well,
// and what that is; nil if none is.
func (e *Weigher) holdsAlike(f *violation) (keeper, string) {
	mine := e.lockClasses(f)
	alike := excludes(mine, mine)
	if alike == "" || e.confinements().Lent(f.Root(f.g.Cells[0])) {
		return nil, ""
	}
	return func(s *rivals.Step) bool {
		return s.From != nil && excludes(mine, holding{s.From, s.Accesses}.classes()) != ""
	}, alike
}

// excludes is a lock of both that one of them holds exclusively; empty if there is none.
func excludes(mine, theirs map[string]bool) string {
	best := ""
	for name, exclusive := range mine {
		if other, held := theirs[name]; held && (exclusive || other) && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

// lockClasses are the kinds of locks that are held over a group: taken in its function,
// or on all ways to it that are seen, if it is a helper.
func (e *Weigher) lockClasses(f *violation) map[string]bool {
	mine := holding{f.Function, f.g.Accesses}.classes()
	if fn := f.Fn; e.ps.Exported(fn) || e.ps.Escapes(fn) || e.ps.Started(fn) {
		return mine
	}
	var callers map[string]bool
	positions := f.Positions(f.g.Accesses)
	for _, s := range e.judge.World.Steps[f.Root(f.g.Cells[0])] {
		if s.From == nil || s.Fn == f.Fn || !isSubset(positions, s.Positions) {
			continue
		}
		theirs := holding{s.From, accessesAt(s, positions)}.classes()
		if callers == nil {
			callers = theirs
			continue
		}
		for name := range callers {
			if _, held := theirs[name]; !held {
				delete(callers, name)
			}
		}
	}
	for name, exclusive := range callers {
		mine[name] = mine[name] || exclusive
	}
	return mine
}

// accessesAt are those accesses of a step that make some operations.
func accessesAt(s *rivals.Step, positions []register.Pos) []*register.Access {
	var out []*register.Access
	for _, a := range s.Accesses {
		at := s.From.Positions([]*register.Access{a})
		if slices.ContainsFunc(at, func(pos register.Pos) bool { return slices.Contains(positions, pos) }) {
			out = append(out, a)
		}
	}
	return out
}

// A singleflight group runs what it is given once at a time for each key:
//
//	v, err, _ := p.group.Do(addr, func() (any, error) {
//		if c, ok := p.conns.Load(addr); ok { return c, nil }
//		c := dial(addr)
//		p.conns.Store(addr, c)
//		return c, nil
//	})
//
// Seen by itself the literal holds no lock. What comes in between is the same literal, in
// another call of the function around it.

// flights are the methods that run a function so.
var flights = map[string]bool{"Do": true, "DoChan": true}

// inFlight is why a violation is not shown in a function literal that a singleflight group runs
// under the key that the step is about.
func (e *Weigher) inFlight(f *violation) string {
	own := e.sharesFlight(f)
	if own == nil || !e.goneWithout(f, own) {
		return ""
	}
	return "a singleflight group runs it once at a time for each key"
}

// sharesFlight tells the steps of a literal that a singleflight group runs; nil if that does not run
// what a violation is in.
func (e *Weigher) sharesFlight(f *violation) keeper {
	if f.x.Several || !f.underFlight() {
		return nil
	}
	return func(s *rivals.Step) bool { return e.writesWithin(s, f.Fn) }
}

// underFlight reports whether a literal is given to a singleflight group, with the key of
// the cell.
func (f *violation) underFlight() bool {
	return slices.ContainsFunc(flightsOf(f.Fn), func(made *ssa.MakeClosure) bool { return f.bindsKey(made, flightKey(made)) })
}

// flightsOf are the values of a literal that are given to a singleflight group.
func flightsOf(lit *ssa.Function) []*ssa.MakeClosure {
	return slices.DeleteFunc(ssaprog.ClosuresOf(lit), func(made *ssa.MakeClosure) bool { return flightKey(made) == nil })
}

// flightKey is the key that a function literal is given to a singleflight group with; nil if
// anything else is done with it.
func flightKey(made *ssa.MakeClosure) ssa.Value {
	refs := made.Referrers()
	if refs == nil || len(*refs) != 1 {
		return nil
	}
	call, ok := (*refs)[0].(ssa.CallInstruction)
	if !ok || call.Common().StaticCallee() == nil {
		return nil
	}
	m, ok := call.Common().StaticCallee().Object().(*types.Func)
	if !ok || m.Pkg() == nil || m.Pkg().Name() != "singleflight" || !flights[m.Name()] || len(call.Common().Args) != 3 {
		return nil
	}
	return call.Common().Args[1]
}

// bindsKey reports whether the key of the cell is a variable around the literal, with the
// value that another one has there.
func (f *violation) bindsKey(made *ssa.MakeClosure, key ssa.Value) bool {
	op := f.N.Source(f.Prog.Cells[f.g.Cells[0]].Key)
	if op.IsNone() || op.IsLit() {
		return false
	}
	free, ok := f.Parameter(op.Local).(*ssa.FreeVar)
	if !ok {
		if def := f.Prog.OnlyDef(op.Local); def == nil || len(def.Args) != 1 {
			return false
		} else if free, ok = f.Parameter(f.N.Source(def.Args[0]).Local).(*ssa.FreeVar); !ok {
			return false
		}
	}
	bound := made.Bindings[slices.Index(f.Fn.FreeVars, free)]
	load, ok := key.(*ssa.UnOp)
	return bound == key || ok && load.X == bound
}

// writesWithin reports whether all that a step writes is written in a function literal.
func (e *Weigher) writesWithin(s *rivals.Step, lit *ssa.Function) bool {
	return s.From != nil && !slices.ContainsFunc(s.Accesses, func(a *register.Access) bool {
		return a.Writes && slices.ContainsFunc(s.From.Positions([]*register.Access{a}), func(pos register.Pos) bool {
			return e.ps.FunctionAt(e.position(pos)) != lit
		})
	})
}
