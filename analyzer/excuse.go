package analyzer

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// An excuse is what the code says, in words or by its form, about how it is meant to
// be used, if a violation is none then. It is no proof, because callers may do
// otherwise: the violation stays one, and is not reported by default.

// excuse finds a reason not to report a violation; "" if there is none.
func (c *checked) excuse(x *Extension, f *funcInfo, g component) string {
	if x.Several {
		return ""
	}
	for _, find := range []func(*Extension, *funcInfo, component) string{
		c.underContract, c.confined, c.withTwins, c.looksAgain, c.welcome,
	} {
		if why := find(x, f, g); why != "" {
			return why
		}
	}
	return ""
}

// goneWithout reports whether a violation is none if some steps are left out. Where
// that cannot be decided, it has to be one of these that the witness shows.
func (c *checked) goneWithout(x *Extension, f *funcInfo, g component, apart func(*worldStep) bool) bool {
	j, shown := *c.judge, false
	j.apart = func(s *worldStep) bool {
		is := apart(s)
		shown = shown || is && slices.ContainsFunc(x.Witness.Events, func(ev absint.Event) bool { return ev.Other && ev.Name == s.step.Name })
		return is
	}
	switch j.extension(f, g).Verdict {
	case absint.Verified:
		return true
	case absint.Violation:
		return false
	}
	return shown
}

// isAtomic reports whether some accesses of a group are one step by themselves.
func (c *checked) isAtomic(f *funcInfo, g component, accesses []*reduce.Access) bool {
	part := component{prog: g.prog, accesses: accesses, cells: g.cells}
	return len(accesses) < 2 || c.judge.extension(f, part).Verdict == absint.Verified
}
