package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
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
	// Derived says that a violation stores what it has found, changed.
	Derived bool
	// Stands are the functions that come together in a violation, as callers has them;
	// none if it is settled whether they do, or cannot be.
	Stands []string
	// Meets are functions to which two goroutines have to come, that of the step first; none if
	// that has no name. Expected says that the package itself only expects them, because of
	// what the object is.
	Meets    []callers.Point
	Expected bool
	// Keys are the same functions with the key that they come with; none if that is not known.
	Keys []callers.Point
}

// Shown reports whether it is a violation that is shown by default.
func (d Disposition) Shown() bool { return d.open() && d.Case.Confidence >= usual }

// usual is the confidence that a violation needs to be shown by default. Of what has less
// the code leaves open whether two goroutines come together, whether anything keeps them
// apart, or whether anybody minds: each is what most false reports failed by, and one is
// enough.
const usual = config.ConfidenceHigh

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
	if least == config.ConfidenceUnset {
		least = usual
	}
	switch {
	case !d.violation, d.rule != nil && d.rule.Always:
		return false
	case o.Report == config.ReportAll:
		return true
	case d.rule != nil && d.rule.Against == None:
		return false
	}
	return d.Case.Confidence >= least
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
	d := Disposition{violation: true}
	e.shows = func(e *Weigher, x *judge.Finding) bool { return e.Weigh(x).Shown() }
	err := ssaprog.Protect(x.In.Fn, func() error {
		v := &violation{Function: x.In, x: x, g: x.Group}
		d.Derived = v.derived()
		e.weigh(v, &d)
		return nil
	})
	if err != nil {
		undecided := *x
		undecided.Verdict, undecided.Category, undecided.Witness, undecided.Reason = absint.Unknown, "", nil, err.Error()
		return Weighed{Finding: &undecided}
	}
	if at := e.ps.Res.PosText(x.Pos); d.open() {
		e.blamed[at] = max(e.blamed[at], d.Case.Confidence)
	}
	return Weighed{x, d}
}

// weigh finds the evidence for a violation, and the rule that hides it, if any.
func (e *Weigher) weigh(v *violation, d *Disposition) {
	c := e.answer(v)
	d.Case, v.by, v.found = &c, c.kinds(), c.Confidence
	d.rule, d.Why = e.hides(v, c.Confidence)
	if d.rule != nil && d.rule.Against != None {
		c.replace(Support{Assumption: d.rule.Against, Answer: Against, Says: d.Why, Pos: v.x.Pos, Rule: d.rule.ID})
	}
	if d.rule == nil && !e.opts.Rules.Off(ByOne) {
		d.Stands = e.standsOn(v)
	}
	if d.rule == nil {
		e.doubt(v, &c)
		d.Meets, d.Expected = e.meets(v), c.expectsSeveral()
	}
	if d.rule == nil && !e.opts.Rules.Off(OwnKey) {
		d.Keys = e.keys(v)
	}
}

// doubt asks the rules that leave medium confidence, if it is more.
func (e *Weigher) doubt(v *violation, c *Case) {
	for i := range rules {
		r := &rules[i]
		if c.Confidence < usual || !r.Doubts || e.opts.Rules.Off(r.ID) || r.isBesides(v) {
			continue
		}
		if why := r.applies(e, v); why != "" {
			c.replace(Support{Assumption: r.Against, Answer: Likely, Says: why, Pos: v.x.Pos, Rule: r.ID, unfollowed: true})
		}
	}
}

// isBesides reports whether a rule has nothing to say of a violation: where entries are counted, each of them has a key of its own.
func (r *Rule) isBesides(v *violation) bool { return r.Against == SameCell && v.byCount() }

// hides is the first rule that hides a violation, and why; nil if none does. What is
// only said in words hides nothing of which the code shows enough.
func (e *Weigher) hides(v *violation, found config.Confidence) (*Rule, string) {
	for i := range rules {
		r := &rules[i]
		if r.Doubts || e.opts.Rules.Off(r.ID) || r.isBesides(v) || r.words && found == config.ConfidenceHigh {
			continue
		}
		if why := r.applies(e, v); why != "" {
			return r, why
		}
	}
	return nil, ""
}

// What would interrupt a step may be kept away by more than one thing:
//
//	func (s *session) run() {            // the only goroutine that works with the session
//		for m := range s.in {
//			if w, ok := s.take(m.ID); ok { w.done(m); s.drop(m.ID) }
//		}
//	}
//
//	func (s *session) Ask(q string) *waiter { return s.put(s.next.Add(1), q) } // a number of its own
//
// Neither says that alone: Ask is called by others, and run stores under numbers that come from
// somewhere else.

// keepers are all that keep some steps away from a violation.
func (e *Weigher) keepers(f *violation) []keeper {
	var locks keeper
	if f.x.Environment == absint.Package {
		locks, _ = e.holdsAlike(f)
	}
	all := []keeper{e.runsWith(f), e.consumedWith(f), locks, e.drawsKeys(f), e.sharesQueue(f), e.racesWith(f), e.locksOut(f), e.sharesFlight(f)}
	return slices.DeleteFunc(all, func(k keeper) bool { return k == nil })
}

// keptApart is why a violation is not shown that is gone without all that something keeps away, one
// this and another that.
func (e *Weigher) keptApart(f *violation) string {
	all := e.keepers(f)
	if f.x.Several || len(all) < 2 {
		return ""
	}
	if !e.goneWithout(f, func(s *rivals.Step) bool { return slices.ContainsFunc(all, func(k keeper) bool { return k(s) }) }) {
		return ""
	}
	return "each of those who would interrupt it is kept away, by one thing or another"
}
