package judge

import (
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// anotherAnswer is why a step is not decided that is right if a function in a loop answers
// whatever fits each time, and is not known to be right if it answers the same to the same.
const anotherAnswer = "a function of which nothing is known is asked again in each round of a loop"

// asked is what is found where a function of which nothing is known gives the same to
// whoever asks it the same, and so does what is a part of an entry: else each order is
// explained by another answer. Perhaps the newer entry had expired as well, by another
// clock.
func (c *contest) asked(p absint.Problem, verified absint.Result) (absint.Problem, absint.Result, error) {
	q, res, asks, err := c.answering(p, nil)
	if err != nil || !asks || res.Verdict == absint.Verified {
		return p, verified, err
	}
	again := repeated(p.Region)
	if len(again) == 0 || res.Verdict == absint.Violation && !res.Doubtful {
		return q, res, nil
	}
	// If each round has another question, there is no end to them, and to come to the last
	// one an atomic run has to give up as often as this one did.
	q, res, asks, err = c.answering(p, again)
	if err != nil || asks && res.Verdict == absint.Violation {
		return q, res, err
	}
	return p, absint.Result{Verdict: absint.Unknown, Reason: anotherAnswer}, nil
}

// answering is what is found where unknown functions answer what they are asked, but for
// the calls that are left out, and whether there are others.
func (c *contest) answering(p absint.Problem, leave map[*register.Instr]bool) (q absint.Problem, res absint.Result, asks bool, err error) {
	q = p
	if q.Region, asks = answered(p.Region, leave); !asks {
		return p, res, false, nil
	}
	res, err = c.Check(q)
	c.x.Configurations += res.Configurations
	return q, res, true, err
}

// answered is a program in which a function of which nothing is known answers what it is
// asked, wherever it is called and however often, but for the calls that are left out.
func answered(p *register.Program, leave map[*register.Instr]bool) (fixed *register.Program, asks bool) {
	fixed = p.Clone()
	for b, blk := range fixed.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if !answers(in) || leave[&p.Blocks[b].Instrs[i]] {
				continue
			}
			in.Op, asks = register.Pure, true
			if !strings.HasPrefix(in.Name, register.OfEntry) {
				in.Name = in.Site()
				*in = in.AsCall()
			}
		}
	}
	return fixed, asks
}

// answers reports whether an instruction asks a function of which nothing is known. What
// is in plain memory, or in another variable, may have changed; and a range over a map comes to an
// end: if there were more whenever there have been once, it would not.
func answers(in *register.Instr) bool {
	other := strings.HasPrefix(in.Name, register.Other) || in.Name == register.Undef || in.Memory().Kind != register.NoMemory || in.Site() == register.MoreVisited
	return in.Op == register.Unknown && len(in.Dst) > 0 && !other
}

// repeated are the instructions in loops that ask a function of which nothing is known.
func repeated(p *register.Program) map[*register.Instr]bool {
	again := map[*register.Instr]bool{}
	for _, l := range register.Loops(p) {
		for _, b := range l.Blocks {
			for i := range p.Blocks[b].Instrs {
				if in := &p.Blocks[b].Instrs[i]; answers(in) {
					again[in] = true
				}
			}
		}
	}
	return again
}
