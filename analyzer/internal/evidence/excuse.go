package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// An excuse is what the code says, in words or by its form, about how it is meant to
// be used, if a violation is none then. It is no proof, because callers may do
// otherwise: the violation stays one, and is not reported by default.

// goneWithout reports whether a violation is none if some steps are left out. Where
// that cannot be decided, it has to be one of these that the witness shows.
func (e *Weigher) goneWithout(f *violation, apart func(*rivals.Step) bool) bool {
	j, shown := *e.judge, false
	j.Unclassed, j.Known = true, f.x
	j.Apart = func(s *rivals.Step) bool {
		is := apart(s)
		shown = shown || is && slices.ContainsFunc(f.x.Witness.Events, func(ev absint.Event) bool { return ev.Other && ev.Name == s.Step.Name })
		return is
	}
	switch j.Decide(f.Function, f.g).Verdict {
	case absint.Verified:
		return true
	case absint.Violation:
		return false
	}
	return shown
}

// isAtomic reports whether some accesses of a group are one step by themselves.
func (e *Weigher) isAtomic(f *violation, accesses []*register.Access) bool {
	part := extension.Group{Prog: f.g.Prog, Accesses: accesses, Cells: f.g.Cells}
	j := *e.judge
	j.Unclassed = true
	return len(accesses) < 2 || j.Decide(f.Function, part).Verdict == absint.Verified
}
