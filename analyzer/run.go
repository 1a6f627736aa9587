package analyzer

import (
	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/check"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/fix"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
)

// lowered is a package with the register programs of its functions. One that
// touches no cell has none.
type lowered struct {
	ps    *ssaprog.Programs
	guide *guidance // nil in the standard library
}

// lowerPackage lowers one package and exports its facts.
func lowerPackage(pass *analysis.Pass, s *settings) (any, error) {
	// The standard library is in the tables; as a dependency of everything
	// it would be the larger part of the work.
	if ssaprog.IsStandard(pass.Pkg) {
		return &lowered{}, nil
	}
	g := guide(pass, s.cat)
	if !ssaprog.Touches(pass, g.cat) {
		ssaprog.ExportResults(pass, g.cat)
		return &lowered{guide: g}, nil
	}
	ps, err := check.Build(pass, g.cat, s.check(), g.set)
	if err != nil {
		return nil, err
	}
	ps.ExportFacts()
	return &lowered{ps, g}, nil
}

// run analyses one package: find, decide, and only then report.
func run(pass *analysis.Pass, low *lowered, s *settings) *Result {
	r := &reporter{pass: pass, guide: low.guide, opts: s.Options, result: &Result{}}
	if low.guide == nil {
		return r.result
	}
	if s.Callers {
		r.result.Calls = callers.Find(pass)
	}
	if low.ps != nil {
		r.check = check.New(low.ps, s.check(), low.guide.set)
		r.found = r.check.Extensions()
		r.report()
	}
	r.claims()
	r.problems()
	return r.result
}

// reporter makes of what is found in a package what users get to see.
type reporter struct {
	pass  *analysis.Pass
	guide *guidance
	opts  Options
	// check is nil if the package has no operations.
	check  *check.Package
	found  []evidence.Weighed
	result *Result
}

// report reports the extensions of the package.
func (r *reporter) report() {
	for _, f := range r.check.Functions {
		r.result.Programs = append(r.result.Programs, f.Prog)
	}
	for _, x := range r.found {
		public := publish(r.pass, x)
		if x.Wanted(r.opts.weigh()) {
			public.Fixes = fix.Suggest(r.check, x.Finding, r.found)
			r.pass.Report(diagnostic(public))
		}
		r.result.Extensions = append(r.result.Extensions, public)
	}
}
