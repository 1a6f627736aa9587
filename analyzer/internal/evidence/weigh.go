package evidence

import (
	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/config"
	"github.com/mapatom/mapatom/analyzer/directive"
	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/reduce/register"
)

// Options say what users want to see.
type Options struct {
	Report config.ReportMode
	// Tests has Test, Benchmark, Fuzz and Example functions reported too.
	Tests  bool
	Config *config.Config
	// Rules says which rules are switched off.
	Rules config.Rules
}

// Generated reports whether extensions in generated files are looked at: not to hide
// them all.
func (o Options) Generated() bool { return o.Report == config.ReportAll || o.Rules.Off("E5") }

// Disposition says what becomes of a finding: nothing, if it is no violation, or it is
// shown, or one rule hides it.
type Disposition struct {
	violation bool
	rule      *Rule
	// Why is the rule's reason, in a few words; empty if there is none.
	Why string
}

// Shown reports whether it is a violation that no rule hides.
func (d Disposition) Shown() bool { return d.violation && d.rule == nil }

// Rule is the number of the rule that hides it; empty if none does.
func (d Disposition) Rule() string {
	if d.rule == nil {
		return ""
	}
	return d.rule.ID
}

// Wanted reports whether it becomes a diagnostic.
func (d Disposition) Wanted(mode config.ReportMode) bool {
	return d.Shown() || d.rule != nil && mode == config.ReportAll && !d.rule.Always
}

// Settled reports whether nobody needs to hear of it again, in a function that
// contains it: it is shown, or somebody has said that it should not be.
func (d Disposition) Settled() bool { return d.Shown() || d.rule != nil && d.rule.settles }

// Weighed is a finding with what becomes of it.
type Weighed struct {
	*judge.Finding
	Disposition
}

// Weigher decides which violations of a package are shown.
type Weigher struct {
	ps    *ssaprog.Programs
	judge *judge.Judge
	opts  Options
	// set are the directives; nil if they are not to be looked at.
	set *directive.Set
	// contracts and confinement are made when they are asked for.
	contracts   *contracts
	confinement *ownership.Confinement
	// blamed are the operations that a violation was found at.
	blamed map[register.Pos]bool
}

// violation is a finding with the function that it is in.
type violation struct {
	*rivals.Function
	x *judge.Finding
	g extension.Group
}

// New makes a Weigher for one round of findings.
func New(ps *ssaprog.Programs, j *judge.Judge, opts Options, set *directive.Set) *Weigher {
	return &Weigher{ps: ps, judge: j, opts: opts, set: set, blamed: map[register.Pos]bool{}}
}

// Weigh asks the rules in their order; the first that applies hides a violation.
func (e *Weigher) Weigh(x *judge.Finding) Weighed {
	if x.Verdict != absint.Violation {
		return Weighed{Finding: x}
	}
	d := Disposition{violation: true}
	err := ssaprog.Protect(x.In.Fn, func() error {
		d.rule, d.Why = e.hides(&violation{x.In, x, x.Group})
		return nil
	})
	if err != nil {
		undecided := *x
		undecided.Verdict, undecided.Category, undecided.Witness, undecided.Reason = absint.Unknown, "", nil, err.Error()
		return Weighed{Finding: &undecided}
	}
	if d.rule == nil || !d.rule.excuse {
		e.blamed[e.ps.Res.PosText(x.Pos)] = true
	}
	return Weighed{x, d}
}

// hides is the first rule that hides a violation, and why; nil if none does.
func (e *Weigher) hides(v *violation) (*Rule, string) {
	for i := range rules {
		r := &rules[i]
		if e.opts.Rules.Off(r.ID) {
			continue
		}
		if why := r.applies(e, v); why != "" {
			return r, why
		}
	}
	return nil, ""
}
