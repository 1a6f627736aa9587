package analyzer

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/directive"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/pages"
)

// A function marked //mapatom:atomic is one extension, with all that it does to
// any cell. What depends on what is not asked: its author says that all of it
// belongs together.

// claims checks the functions that are marked, and reports those that are not
// verified.
func (r *reporter) claims() {
	for _, d := range r.guide.set.Of(directive.Atomic) {
		if d.Func == nil {
			continue
		}
		x, ok := r.claimed(d)
		if !ok {
			r.guide.problem(d, fmt.Errorf("%s uses no map or atomic that mapatom knows", d.Func.Name.Name))
			continue
		}
		if r.claim(d, x) {
			public := publish(r.pass, x)
			public.Reported, public.Rule, public.Reason = true, "", ""
			r.result.Extensions = append(r.result.Extensions, public)
		}
	}
}

// claimed is the function that a directive is at, as one extension; false if
// it has no operations.
func (r *reporter) claimed(d *directive.Directive) (evidence.Weighed, bool) {
	obj := r.pass.TypesInfo.Defs[d.Func.Name]
	if r.check == nil || obj == nil {
		return evidence.Weighed{}, false
	}
	i := slices.IndexFunc(r.check.Functions, func(f *rivals.Function) bool { return f.Fn.Object() == obj })
	if i < 0 {
		return evidence.Weighed{}, false
	}
	return r.check.Whole(r.check.Functions[i]), true
}

// claim reports a function that is not verified, unless that is known or nobody
// wants to. It reports whether it is a violation that was reported.
func (r *reporter) claim(d *directive.Directive, x evidence.Weighed) bool {
	mark := analysis.RelatedInformation{Pos: d.Pos, End: d.End, Message: "the function is marked as atomic here"}
	switch {
	case x.Verdict == absint.Violation && !x.Settled() || x.Shown() && !r.isReported(x):
		diag := diagnostic(publish(r.pass, x))
		diag.Related = append(diag.Related, mark)
		r.pass.Report(diag)
		return true
	case x.Verdict == absint.Unknown:
		r.notVerified(d, mark, "and could not be verified: "+x.Reason)
	case x.Verdict == absint.Verified && x.Assumption != absint.NoAssumption && x.Assumption != d.Assumption:
		r.notVerified(d, mark, fmt.Sprintf("and is verified under an assumption; if it is meant, write //mapatom:atomic %s", x.Assumption))
	}
	return false
}

// notVerified reports a function that is marked and not verified, or not as it is marked.
func (r *reporter) notVerified(d *directive.Directive, mark analysis.RelatedInformation, why string) {
	name := d.Func.Name
	if r.guide.set.Ignores(name.Pos(), string(NotVerified)) != nil {
		return
	}
	r.pass.Report(analysis.Diagnostic{
		Pos: name.Pos(), End: name.End(), Category: string(NotVerified), URL: pageURL(NotVerified),
		Message: fmt.Sprintf("%s is marked as atomic %s (%s)", name.Name, why, pages.Label(string(NotVerified))),
		Related: []analysis.RelatedInformation{mark},
	})
}

// isReported reports whether there is a finding of that category at the same
// operation already.
func (r *reporter) isReported(x evidence.Weighed) bool {
	return slices.ContainsFunc(r.found, func(y evidence.Weighed) bool {
		return y.Pos == x.Pos && y.Category == x.Category && y.Wanted(r.opts.weigh())
	})
}
