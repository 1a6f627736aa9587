package judge

import (
	"context"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// assumption is what a verified group stands on: it is judged again without that.
// What takes too long then is not known to stand by itself.
func (c *contest) assumption() absint.Assumption {
	if strict, weak := strictly(c.x.Region); weak && !c.stands(strict, c) {
		return absint.MayGiveUp
	}
	if all := c.withOwn(); all != nil && !c.stands(c.x.Region, all) {
		return absint.OneGoroutine
	}
	if c.x.In.Swept {
		return absint.EachKey
	}
	return absint.NoAssumption
}

// stands reports whether the region is verified with these steps of others.
func (c *contest) stands(region *register.Program, with *contest) bool {
	for _, into := range mergings(region, c.roots) {
		res, err := absint.Check(context.Background(), with.problem(merge(region, into), into))
		if err != nil || res.Verdict != absint.Verified {
			return false
		}
	}
	return true
}

// strictly is a program in which each compare-and-swap that could succeed does; weak
// says whether one could have failed.
func strictly(p *register.Program) (strict *register.Program, weak bool) {
	strict = p.Clone()
	for _, blk := range strict.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.CAS && in.Name == register.Weak {
				in.Name, weak = "", true
			}
		}
	}
	return strict, weak
}

// withOwn is the contest in which others also do what only the goroutine itself does;
// nil if there is nothing of the kind.
func (c *contest) withOwn() *contest {
	if c.Apart != nil || c.x.In.Kept || c.x.Environment != absint.Package {
		return nil
	}
	d := *c
	d.all, d.others = nil, nil
	more := false
	for i, cell := range c.x.Group.Cells {
		steps := c.World.StepsNear(c.x.In, cell)
		more = more || len(steps) > len(c.others[i])
		d.all, d.others = append(d.all, steps), append(d.others, steps)
	}
	if !more {
		return nil
	}
	return &d
}
