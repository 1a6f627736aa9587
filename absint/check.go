package absint

import (
	"context"
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Check decides a Problem. An error means that the problem itself is
// malformed or that ctx ended; what cannot be decided within the budget is
// the verdict Unknown.
func Check(ctx context.Context, p Problem) (Result, error) {
	if err := p.validate(); err != nil {
		return Result{}, err
	}
	if len(p.Region.Cells) > MaxCells {
		return Result{Reason: fmt.Sprintf("%d cells; at most %d are followed", len(p.Region.Cells), MaxCells)}, nil
	}
	omitted, omits := p.Region.Omits()
	p = p.summarised()
	if p.reduces() && !omits {
		return Result{Verdict: Verified}, nil
	}
	res, err := decide(ctx, p, assumptions{})
	if err == nil && res.Verdict == Verified && omits {
		res.Verdict, res.Reason = Unknown, omissions[omitted]
	}
	if err != nil || res.Verdict != Violation {
		return res, err
	}
	if several := len(p.Region.Cells) > 1; several || res.Witness.looks() {
		calm, err := decide(ctx, p, assumptions{unwatched: true})
		if err != nil {
			return Result{}, err
		}
		res.Work += calm.Work
		if calm.Verdict == Violation {
			res.Witness = calm.Witness // a better story: nobody has to look at the right time
		}
		res.Transient = several && calm.Verdict != Violation
	}
	err = res.classify(ctx, p)
	return res, err
}

// omissions are why a region is not verified, by the Omit in it.
var omissions = map[string]string{
	register.OmitLook:   "what it does depends on other entries of the map, or on what runs beside it",
	register.OmitAct:    "what it does depends on other entries of the map, or on what runs beside it",
	register.OmitCall:   "a call in it is too deep, or too large, to be followed",
	register.OmitUnwind: "a function that it calls panics, and what is deferred runs then",
}

// summarised is the problem with empty sections left out and idle loops replaced.
func (p Problem) summarised() Problem {
	p.Region = withoutIdleLoops(withoutEmptySections(p.Region))
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = withoutIdleLoops(withoutEmptySections(p.Steps[i].Program))
	}
	return p
}

// classify finds the category of a violation: it tries the assumptions in order. Where it cannot be decided whether one of
// them would make the violation go away, the violation is not called milder for
// it, and Doubt says why it is not decided.
func (r *Result) classify(ctx context.Context, p Problem) error {
	for _, a := range []struct {
		assumptions
		category Category
	}{
		{assumptions{deterministic: true}, DuplicateWork},
		{assumptions{deterministic: true, interchangeable: true}, DuplicateInstance},
	} {
		if a.deterministic && !p.has(register.Unknown) && (!a.interchangeable || !p.has(register.Fresh)) {
			continue // it assumes nothing about this program
		}
		a.tried = r.tried
		res, err := decide(ctx, p, a.assumptions)
		r.Work += res.Work
		switch {
		case err != nil:
			return err
		case res.Verdict == Verified:
			r.Category, r.Doubt = a.category, ""
			return nil
		case res.Verdict == Unknown && r.Doubt == "":
			r.Doubt = fmt.Sprintf("whether it is %s is not decided: %s", a.category, res.Reason)
		}
	}
	r.Category = r.Witness.shape()
	return nil
}
