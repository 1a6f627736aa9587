package judge

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// assume notes what a verified group stands on. One that stands on two things at once is not decided: who accepts the one
// has not been told of the other.
func (c *contest) assume() {
	x := c.x
	switch x.Assumption = c.assumption(); {
	case !x.unwrapped:
	case x.Assumption == absint.NoAssumption:
		x.Assumption = absint.NoWrap
	default:
		x.Verdict, x.Reason = absint.Unknown, fmt.Sprintf("it stands on two assumptions at once: %s, and %s", x.Assumption, absint.NoWrap)
		x.Assumption = absint.NoAssumption
	}
}

// assumption is what a verified group stands on: it is judged again without that.
// What takes too long then is not known to stand by itself.
func (c *contest) assumption() absint.Assumption {
	if strict, weak := strictly(c.x.Region); weak && !c.stands(strict, c) {
		return absint.MayGiveUp
	}
	if all := c.withOwn(); all != nil && !c.stands(c.x.Region, all) {
		return absint.OneGoroutine
	}
	if !c.standsStill() {
		return absint.AnotherVariable
	}
	if c.x.In.Swept {
		return absint.EachKey
	}
	if c.x.In.Kept {
		return absint.OwnEntry
	}
	return absint.NoAssumption
}

// stands reports whether the region is verified with these steps of others.
func (c *contest) stands(region *register.Program, with *contest) bool {
	for _, into := range rivals.Mergings(region, c.roots) {
		p := with.problem(rivals.Merge(region, into), into)
		p.Unclassed, p.NoWrap = true, c.x.unwrapped
		res, err := with.Check(p)
		if err != nil || res.Verdict != absint.Verified {
			return false
		}
	}
	return true
}

// standsStill reports whether the group is verified where what it and others find in other
// variables, and in the fields of what is found, is the same in every order. Else it is explained by their change: a limit that
// is kept in another variable could have been a larger one.
func (c *contest) standsStill() bool {
	for _, into := range rivals.Mergings(c.x.Region, c.roots) {
		p := c.problem(rivals.Merge(c.x.Region, into), into)
		p.Unclassed, p.NoWrap = true, c.x.unwrapped
		written := fieldsWritten(&p)
		looks := false
		p.Region, looks = still(p.Region, written)
		for i := range p.Steps {
			s, more := still(p.Steps[i].Program, written)
			p.Steps[i].Program, looks = s, looks || more
		}
		if !looks {
			continue
		}
		if res, err := c.Check(p); err != nil || res.Verdict != absint.Verified {
			return false
		}
	}
	return true
}

// still is a program that finds the same in another variable whenever it is run, and in a field of an object that
// it has found, unless that is written; and whether it looks at one.
func still(p *register.Program, written map[string]bool) (fixed *register.Program, looks bool) {
	found := register.FoundIn(p)
	return changed(p, func(in *register.Instr) bool {
		if in.Op != register.Unknown || len(in.Dst) == 0 {
			return false
		}
		m := in.Memory()
		switch {
		case strings.HasPrefix(in.Name, register.Other):
			in.Op, in.Name = register.Pure, in.Name+" of "+p.Name
		case m.IsField() && !m.Address && len(in.Args) > 0 && in.Args[0].Local != register.None && found.Has(in.Args[0].Local) && !written[m.Name]:
			in.Op, in.Name = register.Pure, in.Site()
			*in = in.AsCall()
		default:
			return false
		}
		return true
	})
}

// fieldsWritten are the fields that the region of a problem or a step writes to.
func fieldsWritten(p *absint.Problem) map[string]bool {
	out := map[string]bool{}
	all := []*register.Program{p.Region}
	for i := range p.Steps {
		all = append(all, p.Steps[i].Program)
	}
	for _, q := range all {
		for _, blk := range q.Blocks {
			for i := range blk.Instrs {
				if m := blk.Instrs[i].Memory(); m.IsField() && m.Writes {
					out[m.Name] = true
				}
			}
		}
	}
	return out
}

// strictly is a program in which each compare-and-swap that could succeed does; weak
// says whether one could have failed.
func strictly(p *register.Program) (strict *register.Program, weak bool) {
	return changed(p, func(in *register.Instr) bool {
		if in.Op != register.CAS || in.Name != register.Weak {
			return false
		}
		in.Name = ""
		return true
	})
}

// changed is a copy of a program with other instructions, and whether there is one; the
// program itself if there is none.
func changed(p *register.Program, change func(*register.Instr) bool) (out *register.Program, found bool) {
	out = p.Clone()
	for _, blk := range out.Blocks {
		for i := range blk.Instrs {
			found = change(&blk.Instrs[i]) || found
		}
	}
	if !found {
		return p, false
	}
	return out, true
}

// withOwn is the contest in which others also do what only the goroutine itself does;
// nil if there is nothing of the kind.
func (c *contest) withOwn() *contest {
	if c.Apart != nil || c.x.In.Kept || !c.closed() {
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
