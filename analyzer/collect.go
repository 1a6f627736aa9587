package analyzer

import (
	"cmp"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// collector gathers the extensions of a package. Of several functions that
// inline one and the same operation, the first, and the one that contains it
// before all others, has the report.
type collector struct {
	*checked
	all  []*Extension
	seen map[string]bool
	// blamed are the operations that a violation was found at.
	blamed map[string]bool
	// reports are the operations of each extension that is reported.
	reports [][]reduce.Pos
}

// extensions decides all extensions of the package, in order of position.
func (c *checked) extensions() []*Extension {
	s := &collector{checked: c, seen: map[string]bool{}, blamed: map[string]bool{}}
	infos := slices.Clone(c.infos)
	slices.SortStableFunc(infos, func(a, b *funcInfo) int { return cmp.Compare(len(a.prog.Blocks), len(b.prog.Blocks)) })
	for _, f := range infos {
		if c.opts.Report == ReportAll || !c.generated(f.fn) {
			s.single(f)
		}
	}
	for _, f := range infos {
		if c.opts.Report == ReportAll || !c.generated(f.fn) {
			s.several(f)
		}
	}
	slices.SortStableFunc(s.all, func(a, b *Extension) int {
		return cmp.Or(s.judge.source.order(a.Operations[0].Pos, b.Operations[0].Pos), s.judge.source.order(a.Pos, b.Pos),
			cmp.Compare(a.Function, b.Function), cmp.Compare(a.Map, b.Map))
	})
	return s.all
}

// single decides the extensions of a function that are about one cell.
func (s *collector) single(f *funcInfo) {
	for _, g := range f.groups {
		key := s.groupKey(f, g)
		if s.seen[key] || s.judgedInCallers(f, g) || f.born(g.cells[0]) || s.elsewhere(f, g) || !s.wanted(f, g) {
			continue
		}
		if s.contains(f.positions(g.accesses)) {
			continue // the part of it that is wrong is reported where it is
		}
		s.seen[key] = true
		s.add(f, g, s.judge.extension(f, g))
	}
}

// several decides those that are about several cells.
func (s *collector) several(f *funcInfo) {
	for _, g := range f.wide {
		key := "several " + s.groupKey(f, g)
		foreign := s.judgedInCallers(f, g) || s.elsewhere(f, g) || slices.ContainsFunc(g.cells, f.born)
		if s.seen[key] || foreign || !s.wanted(f, g) || s.contains(f.positions(g.accesses)) {
			continue
		}
		s.seen[key] = true
		s.add(f, g, s.judge.several(f, g))
	}
}

// contains reports whether all operations of a reported extension are among
// these.
func (s *collector) contains(ps []reduce.Pos) bool {
	return slices.ContainsFunc(s.reports, func(report []reduce.Pos) bool {
		return !slices.ContainsFunc(report, func(pos reduce.Pos) bool { return !slices.Contains(ps, pos) })
	})
}

// add decides whether an extension is reported.
func (s *collector) add(f *funcInfo, g component, x *Extension) {
	x.Package, x.fn = s.pass.Pkg.Path(), f.fn
	x.Reported = s.reported(x, f, g) && (!x.Several || reportedSeveral(x))
	if x.Reported {
		x.Reason = s.excuse(x, f, g)
		x.Reported = x.Reason == ""
	}
	if x.Verdict == absint.Violation && x.Reason == "" {
		at := s.ps.res.posText(x.Pos)
		x.Reported = x.Reported && !s.blamed[string(at)]
		s.blamed[string(at)] = true
	}
	if x.Reported {
		s.reports = append(s.reports, f.positions(g.accesses))
	}
	s.all = append(s.all, x)
}
