package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
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
	if e.ps.Pass.Pkg.Name() != "main" {
		return ""
	}
	if e.graph == nil {
		e.graph = callers.Join([]*callers.Calls{callers.Find(e.ps.Pass)}, false, false)
	}
	return e.graph.One(e.standsOn(f))
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
