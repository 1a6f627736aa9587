package check

import (
	"cmp"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// collector gathers the extensions of a package. Of several functions that
// inline one and the same operation, the first, and the one that contains it
// before all others, has the report.
type collector struct {
	*Package
	weigher *evidence.Weigher
	all     []evidence.Weighed
	seen    map[string]bool
	// reports are the operations of each extension that is reported, and undecided
	// those of each that could not be decided, in which function.
	reports   [][]register.Pos
	undecided []undecided
}

// undecided is an extension that could not be decided, or not as a whole. What contains it, in a function
// that inlines it, is not decided either, and takes as long: it is told once, where it is.
type undecided struct {
	in         *rivals.Function
	operations []register.Pos
}

// Extensions decides all extensions of the package, in order of position. The small functions
// come first, whatever the order of the files: they are what is left of the budget for.
func (c *Package) Extensions() []evidence.Weighed {
	s := &collector{Package: c, weigher: evidence.New(c.Ps, c.Judge, c.opts.Weigh, c.set), seen: map[string]bool{}}
	infos := slices.Clone(c.Functions)
	slices.SortStableFunc(infos, func(a, b *rivals.Function) int {
		return cmp.Or(cmp.Compare(len(a.Prog.Blocks), len(b.Prog.Blocks)), s.Judge.Source.Order(a.Fn.Pos(), b.Fn.Pos()))
	})
	unwanted := func(f *rivals.Function) bool { return !c.opts.Weigh.Generated() && c.Ps.Generated(f.Fn) }
	infos = slices.DeleteFunc(infos, unwanted)
	for _, f := range infos {
		s.decide(f, f.Groups)
	}
	for _, f := range infos {
		s.decide(f, slices.DeleteFunc(slices.Clone(f.Wide), func(g extension.Group) bool { return s.apart(f, g) }))
	}
	for _, f := range slices.DeleteFunc(slices.Clone(c.keeps), unwanted) {
		s.decide(f, f.Groups)
	}
	s.finish()
	s.tellOnce()
	if c.Within == nil {
		for _, f := range c.failed {
			s.all = append(s.all, f.unknown())
		}
	}
	slices.SortStableFunc(s.all, func(a, b evidence.Weighed) int {
		return cmp.Or(s.Judge.Source.Order(a.First(), b.First()), s.Judge.Source.Order(a.Pos, b.Pos),
			cmp.Compare(a.Function(), b.Function()), cmp.Compare(a.Map, b.Map))
	})
	return s.all
}

// decide decides some groups of a function, unless they are somebody else's.
func (s *collector) decide(f *rivals.Function, groups []extension.Group) {
	defer f.Forget()
	for _, g := range groups {
		key := s.groupKey(f, g)
		foreign := s.judgedInCallers(f, g) || s.elsewhere(f, g) || slices.ContainsFunc(g.Cells, f.Born)
		if s.seen[key] || foreign || oneOperation(f, g) || !s.wanted(f, g) || s.contains(f, g) {
			continue // the part of it that is wrong, or not decided, is told where it is
		}
		s.seen[key] = true
		w, f := s.judged(f, g), f
		if w.In != f || len(w.Group.Accesses) > len(g.Accesses) { // it was decided with what crosses it, or with more calls followed
			f, g = w.In, w.Group
			s.seen[s.groupKey(f, g)] = true
		}
		if f.Kept && w.Category == absint.InconsistentRead {
			continue // the first look stands for what the call has stored, and nobody reads it
		}
		if f.Leased && (w.Verdict != absint.Violation || w.Environment != absint.Package) {
			continue // that others remove no more than their own is taken for granted
		}
		if f.Limits(g) && (w.Verdict != absint.Violation || s.toldAt(w)) {
			continue // how many there are of something is often asked only to save work
		}
		switch {
		case w.Settled():
			s.reports = append(s.reports, f.Positions(g.Accesses))
		case w.Brief: // what contains it has a brief look of its own
		case w.Verdict == absint.Unknown, len(g.Cells) > absint.MaxCells:
			s.undecided = append(s.undecided, undecided{f, f.Positions(g.Accesses)})
		}
		s.all = append(s.all, w)
	}
}

// toldAt reports whether another violation, no less sure, is at the operation of one.
func (s *collector) toldAt(w evidence.Weighed) bool {
	return slices.ContainsFunc(s.all, func(o evidence.Weighed) bool {
		return o.Verdict == absint.Violation && o.Pos == w.Pos && o.Case != nil && w.Case != nil && o.Case.Confidence >= w.Case.Confidence
	})
}

// apart reports whether a group is of several guarded cells, none of them an entry of a
// map, that no critical section changes together, or asks for together and then changes, or takes from until the other one is set: nobody says that they belong together.
func (s *collector) apart(f *rivals.Function, g extension.Group) bool {
	cells := f.Prog.Cells
	if slices.ContainsFunc(g.Cells, func(cell int) bool { return cells[cell].Kind == register.Map }) {
		return false
	}
	if slices.ContainsFunc(g.Accesses, func(a *register.Access) bool {
		return slices.ContainsFunc(g.Accesses, func(b *register.Access) bool { return s.drained(f, a, b) })
	}) {
		return false
	}
	if f.Find.Renews(g) {
		return false
	}
	return !slices.ContainsFunc(g.Cells, func(a int) bool {
		return slices.ContainsFunc(g.Cells, func(b int) bool {
			return f.Root(a) != f.Root(b) && s.Judge.World.BelongTogether(f.Root(a), f.Root(b))
		})
	})
}

// drained reports whether one access asks a flag whether another one may count one more in, where somebody who sets the
// flag waits for those who are in.
func (s *collector) drained(f *rivals.Function, flag, count *register.Access) bool {
	open, is := f.Find.Enters(flag, count)
	if !is {
		return false
	}
	_, drains := s.Judge.World.Drains(f.Root(flag.Cell), f.Root(count.Cell), open)
	return drains
}

// judged is what becomes of a group, as far as the budget of the package goes.
func (s *collector) judged(f *rivals.Function, g extension.Group) evidence.Weighed {
	if s.Judge.UsedUp() {
		return s.weigher.Weigh(s.Judge.Leave(f, g))
	}
	x := s.Judge.Decide(f, g)
	if y := s.decidedDeeper(x, g); y != nil {
		x = y
	}
	return s.shows(s.weigher.Weigh(x))
}

// decidedDeeper is what is found of a group if calls are followed further, where it is undecided because of one that is not; nil if
// that decides nothing.
func (s *collector) decidedDeeper(x *judge.Finding, g extension.Group) *judge.Finding {
	if x.Verdict != absint.Unknown || x.Region == nil || !slices.Contains(s.Functions, x.In) || s.Judge.UsedUp() {
		return nil
	}
	if what, omits := x.Region.Omits(); !omits || what != register.OmitCall {
		return nil
	}
	f := s.deeper(x.In)
	if f == nil {
		return nil
	}
	defer f.Forget()
	at := x.In.Positions(g.Accesses)
	for _, h := range f.Groups {
		if !among(at, f.Positions(h.Accesses)) {
			continue // it is about something else
		}
		if y := s.Judge.Decide(f, h); y.Verdict != absint.Unknown {
			return y
		}
	}
	return nil
}

// shows is a finding, or one of fewer of those who come in between that shows more: what was gone when the call came to take
// it away is told of a newer entry; and where nothing shows that there is ever a newer one, of two who take one.
func (s *collector) shows(w evidence.Weighed) evidence.Weighed {
	if y := s.renewed(w); y.Finding != w.Finding {
		return y
	}
	if w.Verdict != absint.Violation || w.Case == nil || w.Rule() != "" || w.Case.Confidence == config.ConfidenceHigh {
		return w
	}
	more := func(y *judge.Finding) (evidence.Weighed, bool) {
		if y == nil {
			return w, false
		}
		n := s.weigher.Weigh(y)
		return n, n.Case != nil && n.Rule() == "" && n.Case.Confidence > w.Case.Confidence
	}
	if n, ok := more(s.Judge.Newer(w.Finding)); ok {
		return n
	}
	if w.Case.Shows(evidence.SameCell) {
		return w
	}
	if n, ok := more(s.Judge.Taken(w.Finding)); ok {
		return n
	}
	return w
}

// renewed is a violation of a removal by those who change the entry in place, where it is right, or less sure, by what else others do.
func (s *collector) renewed(w evidence.Weighed) evidence.Weighed {
	sure := w.Case != nil && w.Rule() == "" && w.Case.Confidence == config.ConfidenceHigh
	if w.Verdict == absint.Unknown || w.Finding == nil || w.Verdict == absint.Violation && (sure || w.Case == nil) {
		return w
	}
	y := s.Judge.Renewed(w.Finding)
	if y == nil {
		return w
	}
	n := s.weigher.Weigh(y)
	if n.Case != nil && n.Rule() == "" && (w.Verdict == absint.Verified || w.Rule() != "" || n.Case.Confidence > w.Case.Confidence) {
		return n
	}
	return w
}

// finish decides what was looked at briefly, as far as the budget of the package goes. What
// came after an extension that is told now, or is not decided even so, and contains it, is not.
func (s *collector) finish() {
	for i := 0; i < len(s.all); i++ {
		x := s.all[i]
		if !x.Brief || s.Judge.UsedUp() {
			continue
		}
		w := s.shows(s.weigher.Weigh(s.Judge.DecideAtLength(x.In, x.Group)))
		s.all[i] = w
		part := w.In.Positions(w.Group.Accesses)
		rest := slices.DeleteFunc(s.all[i+1:], func(o evidence.Weighed) bool {
			told := w.Settled() || w.Verdict == absint.Unknown && o.Brief && o.In.Fn != w.In.Fn
			return told && among(part, o.In.Positions(o.Group.Accesses))
		})
		s.all = s.all[:i+1+len(rest)]
	}
}

// tellOnce leaves out what is undecided in a function if the same sequence is in another one: what a caller brings along
// leaves some of its operations out, and adds none, or the other way round. And it leaves out what a part of is reported, and
// what is wrong with other keys: that is told where it is.
func (s *collector) tellOnce() {
	var open []undecided
	wrong := func(ps []register.Pos) bool {
		return slices.ContainsFunc(s.all, func(w evidence.Weighed) bool {
			if w.Verdict != absint.Violation {
				return false
			}
			part := w.In.Positions(w.Group.Accesses)
			return among(part, ps) && (w.Settled() || among(ps, part))
		})
	}
	s.all = slices.DeleteFunc(slices.Clone(s.all), func(w evidence.Weighed) bool {
		return w.Verdict == absint.Unknown && wrong(w.In.Positions(w.Group.Accesses))
	})
	s.all = slices.DeleteFunc(s.all, func(w evidence.Weighed) bool {
		if w.Verdict != absint.Unknown {
			return false
		}
		ps := w.In.Positions(w.Group.Accesses)
		again := slices.ContainsFunc(open, func(u undecided) bool {
			return u.in.Fn != w.In.Fn && (among(ps, u.operations) || among(u.operations, ps))
		})
		open = append(open, undecided{w.In, ps})
		return again
	})
}

// among reports whether all of some operations are among others.
func among(part, ps []register.Pos) bool {
	return !slices.ContainsFunc(part, func(pos register.Pos) bool { return !slices.Contains(ps, pos) })
}

// contains reports whether all operations of an extension that was told are among these.
func (s *collector) contains(f *rivals.Function, g extension.Group) bool {
	ps := f.Positions(g.Accesses)
	return slices.ContainsFunc(s.reports, func(part []register.Pos) bool { return among(part, ps) }) ||
		slices.ContainsFunc(s.undecided, func(u undecided) bool { return u.in.Fn != f.Fn && among(u.operations, ps) })
}
