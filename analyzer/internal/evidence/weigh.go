package evidence

import (
	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/config"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/reduce/register"
)

// Disposition says what becomes of a finding: nothing, if it is no violation, or it is
// shown, or one rule hides it, or there is too little evidence for it.
type Disposition struct {
	violation bool
	rule      *Rule
	// Why is the rule's reason, in a few words; empty if there is none.
	Why string
	// Case is the evidence for a violation; nil for anything else.
	Case *Case
	// usual is the confidence that it needs by default.
	usual config.Confidence
	// unclear says that it is not shown by default, whatever its confidence.
	unclear bool
}

// Shown reports whether it is a violation that is shown by default.
func (d Disposition) Shown() bool { return d.open() && !d.unclear && d.Case.Confidence >= d.usual }

// open reports whether it is a violation that no rule hides.
func (d Disposition) open() bool { return d.violation && d.rule == nil }

// Rule is the number of the rule that hides it; empty if none does.
func (d Disposition) Rule() string {
	if d.rule == nil {
		return ""
	}
	return d.rule.ID
}

// Wanted reports whether it becomes a diagnostic.
func (d Disposition) Wanted(o Options) bool {
	least := o.Confidence
	byDefault := least == config.ConfidenceUnset
	if byDefault {
		least = d.usual
	}
	switch {
	case !d.violation, d.rule != nil && d.rule.Always:
		return false
	case o.Report == config.ReportAll:
		return true
	case d.rule != nil && d.rule.Against == None:
		return false
	}
	return d.Case.Confidence >= least && !(byDefault && d.unclear)
}

// Settled reports whether nobody needs to hear of it again, in a function that
// contains it: no rule hides it, or somebody has said that it should not be shown.
func (d Disposition) Settled() bool { return d.open() || d.rule != nil && d.rule.settles }

// Weighed is a finding with what becomes of it.
type Weighed struct {
	*judge.Finding
	Disposition
}

// Weigh asks the rules in their order; the first that applies hides a violation.
func (e *Weigher) Weigh(x *judge.Finding) Weighed {
	if x.Verdict != absint.Violation {
		return Weighed{Finding: x}
	}
	d := Disposition{violation: true, usual: usual(x)}
	err := ssaprog.Protect(x.In.Fn, func() error {
		e.weigh(&violation{x.In, x, x.Group}, &d)
		return nil
	})
	if err != nil {
		undecided := *x
		undecided.Verdict, undecided.Category, undecided.Witness, undecided.Reason = absint.Unknown, "", nil, err.Error()
		return Weighed{Finding: &undecided}
	}
	if d.open() {
		e.blamed[e.ps.Res.PosText(x.Pos)] = true
	}
	return Weighed{x, d}
}

// usual is the confidence that a violation needs to be shown by default. A sequence on
// a map is hardly ever meant to be interrupted; code that works on a lone atomic, or a
// field under a lock, often is, and made for it.
func usual(x *judge.Finding) config.Confidence {
	if !x.Several && x.Region.Cells[0].Kind != register.Map {
		return config.ConfidenceHigh
	}
	return config.ConfidenceMedium
}

// weigh finds the evidence for a violation, and the rule that hides it, if any.
func (e *Weigher) weigh(v *violation, d *Disposition) {
	c := e.answer(v)
	d.Case = &c
	d.unclear = c.unclear()
	d.rule, d.Why = e.hides(v, c.Confidence)
	if d.rule != nil && d.rule.Against != None {
		c.against(d.rule, d.Why, v.x.Pos)
	}
}

// hides is the first rule that hides a violation, and why; nil if none does. What is
// only said in words hides nothing of which the code shows enough.
func (e *Weigher) hides(v *violation, found config.Confidence) (*Rule, string) {
	for i := range rules {
		r := &rules[i]
		if e.opts.Rules.Off(r.ID) || r.words && found == config.ConfidenceHigh {
			continue
		}
		if why := r.applies(e, v); why != "" {
			return r, why
		}
	}
	return nil, ""
}
