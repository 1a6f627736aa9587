package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A function that other packages can call is not called by several goroutines for that: a
// program calls its own functions from where it does, which its packages say together.
//
//	func (p *Pump) Run() { go p.loop() }
//
//	func (p *Pump) loop() {
//		for order := range p.orders { p.stock.Take(order) } // Take is exported, of another package
//	}
//
// When a package is analysed, those that import it have not been seen. So a violation says
// on which functions it stands, and who has seen all packages asks again (callers.Graph).

// calledByOne is why one goroutine of a program makes a step, and all that would interrupt
// it. Of the packages of a program only that of main can be asked alone.
func (e *Weigher) calledByOne(f *violation) string {
	if g := e.program(); g != nil {
		return g.One(e.standsOn(f))
	}
	return ""
}

// program are the calls of the package, if it is a program itself; nil if not.
func (e *Weigher) program() *callers.Graph {
	if e.graph == nil && e.ps.Pass.Pkg.Name() == "main" {
		e.graph = callers.Join([]*callers.Calls{callers.Find(e.ps.Pass)}, false, false)
	}
	return e.graph
}

// What is kept under an object for the time of one request has a key that is made for each:
//
//	func (w *web) Begin(f *Flow) { … w.state[f] = started … } // of another package than
//
//	f := newFlow(r)
//	for _, a := range addons { a.Begin(f) }
//
// Two requests come to Begin, and not with one flow.

// OwnKey is the number of the rule that says so, which packages of a program answer together.
const OwnKey = "E51"

// ownKey is why two are not seen to come to one entry in a program.
func (e *Weigher) ownKey(f *violation) string {
	if g, keys := e.program(), e.keys(f); g != nil && len(keys) > 0 && !g.Share(keys) {
		return OwnKeySays
	}
	return ""
}

// OwnKeySays is what the rule says.
const OwnKeySays = "the key is an object that is made for each who comes"

// keys are the functions that come together in a violation, as those to which goroutines come with
// the key of the entry, where that is an object; none if it is not known of one of them.
func (e *Weigher) keys(f *violation) []callers.Point {
	if f.x.Several || !f.onMap() || f.x.Environment != absint.Package {
		return nil
	}
	mine, known := keyAt(callers.ID(e.ps.Pass.Fset, f.Fn), f.Function, f.g.Accesses)
	out := []callers.Point{mine}
	for _, s := range f.comeBetween() {
		if !known || s.From == nil {
			return nil
		}
		if makesKey(s.From, s.Accesses) {
			continue
		}
		var p callers.Point
		p, known = keyAt(callers.ID(e.ps.Pass.Fset, s.From.Fn), s.From, s.Accesses)
		out = append(out, p)
	}
	if !known {
		return nil
	}
	return out
}

// standsOn are the functions that come together in a violation: that of the step, and all
// that write what it is about. None if one of them has no name.
func (e *Weigher) standsOn(f *violation) []string {
	if f.x.Environment != absint.Package {
		return nil // other packages may come to it without any function of this one
	}
	out := []string{callers.ID(e.ps.Pass.Fset, f.Fn)}
	for _, s := range f.x.Rivals {
		if s.Writes {
			out = append(out, e.makers(s)...)
		}
	}
	slices.Sort(out)
	if out = slices.Compact(out); out[0] == "" {
		return nil
	}
	return out
}

// makers are the functions that make a step.
func (e *Weigher) makers(s *rivals.Step) []string {
	if s.Fn != nil {
		return []string{callers.ID(e.ps.Pass.Fset, s.Fn)}
	}
	out := []string{}
	for _, pos := range s.Positions {
		out = append(out, callers.ID(e.ps.Pass.Fset, e.ps.FunctionAt(e.ps.Res.OpName(pos).Pos)))
	}
	return out
}

// A result tells nobody anything whom no caller asks:
//
//	func (s *store) drop(key string) bool {
//		if _, ok := s.get(key); !ok {
//			return false
//		}
//		s.remove(key)
//		return true
//	}
//
//	defer s.drop(key)
//
// Two calls of drop are both told that they have removed it, and no one is there to hear it.

// unread reports whether all that a step tells is what its function returns, and no caller reads a
// result of that. All callers have to be in sight.
func (e *Weigher) unread(v *violation) bool {
	fn := ssaprog.Declared(v.Fn)
	if fn.Parent() != nil || e.ps.Exported(fn) || e.ps.Escapes(fn) || e.ps.Tested(fn) {
		return false
	}
	calls := e.ps.Callers(fn)
	if len(calls) == 0 && !e.ps.Started(fn) || slices.ContainsFunc(calls, readsResult) {
		return false
	}
	return e.endsWithFunction(v)
}

// readsResult reports whether anything is done with what a call gives.
func readsResult(call ssa.CallInstruction) bool {
	v := call.Value() // none of what is deferred
	return v != nil && slices.ContainsFunc(*v.Referrers(), func(ref ssa.Instruction) bool { return !ssaprog.IsDebugRef(ref) })
}

// endsWithFunction reports whether a region ends nowhere but where its function returns, so that
// nothing goes on with what it has found.
func (e *Weigher) endsWithFunction(v *violation) bool {
	ends := map[register.Pos]bool{}
	for _, b := range v.Fn.Blocks {
		if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok {
			ends[e.ps.Res.PosText(ret.Pos())] = true
		}
	}
	return !slices.ContainsFunc(v.x.Region.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Return && len(blk.Term.Vals) > 0 && !ends[blk.Term.Pos]
	})
}
