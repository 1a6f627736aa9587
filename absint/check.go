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
	omits := p.Region.Omits()
	p = p.summarised()
	if atMostOnce(p.Region) && !omits {
		return Result{Verdict: Verified}, nil
	}
	res, err := decide(ctx, p, assumptions{})
	if err == nil && res.Verdict == Verified && omits {
		res.Verdict, res.Reason = Unknown, "what it does depends on other entries of the map, or on what runs beside it"
	}
	if err != nil || res.Verdict != Violation {
		return res, err
	}
	if len(p.Region.Cells) > 1 {
		calm, err := decide(ctx, p, assumptions{unwatched: true})
		if err != nil {
			return Result{}, err
		}
		res.Transient = calm.Verdict != Violation
		if !res.Transient {
			res.Witness = calm.Witness
		}
	}
	res.Category, res.Doubt, err = classify(ctx, p, res)
	return res, err
}

// summarised is the problem with idle loops replaced.
func (p Problem) summarised() Problem {
	p.Region = withoutIdleLoops(p.Region)
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		p.Steps[i].Program = withoutIdleLoops(p.Steps[i].Program)
	}
	return p
}

// classify tries the assumptions in order. Where it cannot be decided whether one of
// them would make the violation go away, the violation is not called milder for
// it, and doubt says why it is not decided.
func classify(ctx context.Context, p Problem, found Result) (c Category, doubt string, err error) {
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
		a.tried = found.tried
		res, err := decide(ctx, p, a.assumptions)
		switch {
		case err != nil:
			return "", "", err
		case res.Verdict == Verified:
			return a.category, "", nil
		case res.Verdict == Unknown && doubt == "":
			doubt = fmt.Sprintf("whether it is %s is not decided: %s", a.category, res.Reason)
		}
	}
	return found.Witness.shape(), doubt, nil
}

// atMostOnce reports whether the call touches its cells once at the most, whichever way
// it goes. Then it is one step where it does so: what it does before and after is its
// own business.
func atMostOnce(p *register.Program) bool {
	open := register.OpenEnters(p)
	// most is how many operations there can have been at the end of each block.
	most := make([]int, len(p.Blocks))
	preds := register.Preds(p)
	for _, b := range register.ReversePostorder(p) {
		n := 0
		for _, q := range preds[b] {
			n = max(n, most[q])
		}
		at := open[b]
		for i := range p.Blocks[b].Instrs {
			in := &p.Blocks[b].Instrs[i]
			before := at.Depth
			at = register.StepEnter(at, in, register.Ref{Block: b, Instr: i})
			if before == 0 && (in.IsBase() && in.Yields() || in.Op == register.Enter) {
				n++
			}
		}
		if n > 1 {
			return false
		}
		most[b] = n
	}
	for _, l := range register.Loops(p) {
		for _, b := range l.Blocks {
			for i := range p.Blocks[b].Instrs {
				if in := &p.Blocks[b].Instrs[i]; in.Yields() && in.Op != register.Lock {
					return false
				}
			}
		}
	}
	return true
}
