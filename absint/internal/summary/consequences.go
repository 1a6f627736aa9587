package summary

import (
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What a step does to the cells is asked far more often than what it is told there. So
// it is walked as what is left of it without its results and its effects:
//
//	if hdr.flags&syn != 0 { if err := s.incoming(hdr); err != nil { return err } }
//	…
//	if failed { s.goAway.Store(1) }
//
// Of the first line nothing is left if incoming does nothing to goAway, and a branch that
// decides about nothing else goes straight to where its ways meet again.

// Bare is a program without what is of no consequence for what it does to cells. It has
// the same parameters, cells and places as the program; what is left out is a loop, too,
// that may not end.
func Bare(p *register.Program) *register.Program {
	q := deepCopy(p)
	for _, b := range q.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in register.Instr) bool { return !register.IsSilent(in.Op) && !in.IsBase() })
	}
	return consequential(q)
}

// tells is the effect of telling what is known then: see Telling.
const tells = "tells"

// Telling is Bare for a program that also says what its results and effects are made
// of, as soon as that is known. So nothing has to be kept until it ends.
func Telling(p *register.Program) *register.Program {
	q := deepCopy(p)
	saved, exits := onlyReturned(q), 0
	for _, b := range q.Blocks {
		if len(b.Term.To) == 0 {
			exits++
		}
	}
	for _, b := range q.Blocks {
		var kept []register.Instr
		for _, in := range b.Instrs {
			switch {
			case in.Op == register.Copy && in.Dst[0] != register.None && saved.Has(in.Dst[0]):
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: in.Args})
			case in.Op == register.Effect:
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: in.Args})
			case register.IsSilent(in.Op), in.IsBase():
				kept = append(kept, in)
			}
		}
		if len(b.Term.To) == 0 {
			told := slices.DeleteFunc(slices.Clone(b.Term.Vals), func(v register.Operand) bool { return v.IsLit() || saved.Has(v.Local) })
			if exits > 1 || len(told) > 0 { // which exit it is tells something, too
				kept = append(kept, register.Instr{Op: register.Effect, Name: tells, Args: told})
			}
		}
		b.Instrs = kept
	}
	return consequential(q)
}

// onlyReturned are the locals that are copies of others, for being returned.
func onlyReturned(p *register.Program) register.LocalSet {
	returned, other := register.NewLocalSet(len(p.Names)), register.NewLocalSet(len(p.Names))
	for _, l := range p.Params {
		other.Add(l)
	}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			in.Uses(other.Add)
			if in.Op != register.Copy {
				in.Defs(other.Add)
			}
		}
		if b.Term.Kind == register.Return {
			b.Term.Uses(returned.Add)
		} else {
			b.Term.Uses(other.Add)
		}
	}
	for l := range p.Names {
		if l := register.Local(l); other.Has(l) {
			returned.Remove(l)
		}
	}
	return returned
}

// consequential makes of a program what changes cells in it, what is told, and what that
// follows from. All exits become one.
func consequential(q *register.Program) *register.Program {
	exit := len(q.Blocks)
	for _, b := range q.Blocks {
		if len(b.Term.To) == 0 {
			b.Term = register.Term{Kind: register.Jump, To: []int{exit}, Pos: b.Term.Pos}
		}
	}
	q.Blocks = append(q.Blocks, &register.Block{Term: register.Term{Kind: register.Return}})
	c := &consequences{
		p: q, deps: register.ControlDeps(q), loops: register.Loops(q), defs: register.DefCounts(q),
		locals: register.NewLocalSet(len(q.Names)), blocks: make([]bool, len(q.Blocks)), decides: make([]bool, len(q.Blocks)),
	}
	c.find()
	post := register.PostDominators(q)
	for b, blk := range q.Blocks {
		if blk.Term.Kind == register.Branch && !c.decides[b] && post[b] >= 0 {
			blk.Term = register.Term{Kind: register.Jump, To: []int{post[b]}, Pos: blk.Term.Pos}
		}
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in register.Instr) bool { return !c.matters(&in) })
	}
	tidyInside(q)
	return q
}

// consequences are the locals, blocks and Branches of a program of which something follows
// for what it does to cells.
type consequences struct {
	p       *register.Program
	deps    [][]int
	loops   []register.Loop
	defs    []int
	locals  register.LocalSet
	blocks  []bool
	decides []bool
	changed bool
}

func (c *consequences) find() {
	for c.changed = true; c.changed; {
		c.changed = false
		for b := len(c.p.Blocks) - 1; b >= 0; b-- {
			c.block(b)
		}
		for i := range c.loops {
			c.loop(&c.loops[i])
		}
	}
}

// loop keeps what decides how often a loop goes round, if it gives something that is needed.
func (c *consequences) loop(l *register.Loop) {
	gives := slices.ContainsFunc(l.Blocks, func(b int) bool {
		return slices.ContainsFunc(c.p.Blocks[b].Instrs, func(in register.Instr) bool { return c.matters(&in) })
	})
	for _, b := range l.Blocks {
		leaves := slices.ContainsFunc(c.p.Blocks[b].Term.To, func(to int) bool { return !l.Contains(to) })
		if gives && leaves && !c.decides[b] {
			c.decides[b], c.changed = true, true
		}
	}
}

// counts reports whether an instruction changes a cell, or tells something.
func counts(in *register.Instr) bool {
	return in.Op == register.Write || in.Op == register.CAS || in.Op == register.Effect
}

// matters reports whether an instruction counts, or gives something that is needed.
func (c *consequences) matters(in *register.Instr) bool {
	is := counts(in)
	in.Defs(func(l register.Local) { is = is || c.locals.Has(l) })
	return is
}

func (c *consequences) need(l register.Local) {
	c.changed = c.changed || !c.locals.Has(l)
	c.locals.Add(l)
}

func (c *consequences) block(b int) {
	blk := c.p.Blocks[b]
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := &blk.Instrs[i]
		if !c.matters(in) {
			continue
		}
		in.Uses(c.need)
		here := counts(in)
		in.Defs(func(l register.Local) { here = here || c.locals.Has(l) && c.defs[l] > 1 })
		if here && !c.blocks[b] {
			c.blocks[b], c.changed = true, true
		}
	}
	if c.decides[b] {
		blk.Term.Uses(c.need)
		c.blocks[b] = true
	}
	if !c.blocks[b] {
		return
	}
	for _, d := range c.deps[b] {
		c.changed = c.changed || !c.decides[d]
		c.decides[d] = true
	}
}

// WithoutEffects is a program that has none, and nothing that only they need.
func WithoutEffects(p *register.Program) *register.Program {
	q := deepCopy(p)
	for _, b := range q.Blocks {
		b.Instrs = slices.DeleteFunc(b.Instrs, func(in register.Instr) bool { return in.Op == register.Effect })
	}
	register.Tidy(q)
	return q
}

// WithoutArguments is a program that gives its unpredictable calls nothing; p itself if it
// gives them nothing as it is.
func WithoutArguments(p *register.Program) *register.Program {
	gives := func(in register.Instr) bool { return in.Op == register.Unknown && len(in.Args) > 0 }
	if !slices.ContainsFunc(p.Blocks, func(b *register.Block) bool { return slices.ContainsFunc(b.Instrs, gives) }) {
		return p
	}
	q := deepCopy(p)
	for _, b := range q.Blocks {
		for i := range b.Instrs {
			if gives(b.Instrs[i]) {
				b.Instrs[i].Args = nil
			}
		}
	}
	tidyInside(q)
	return q
}

// tidyInside tidies a copy of a program, whose cells stay what they are, by their numbers:
// nothing in it makes one of them another one.
func tidyInside(q *register.Program) {
	cells := slices.Clone(q.Cells)
	for i := range q.Cells {
		q.Cells[i].Map, q.Cells[i].Key = register.Lit("{cell "+strconv.Itoa(i)+"}"), register.NoOperand
	}
	register.Tidy(q)
	q.Cells = cells
}

// deepCopy is a copy of a program that can be tidied, which changes instructions in place.
func deepCopy(p *register.Program) *register.Program {
	q := p.Clone()
	for _, b := range q.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Dst, b.Instrs[i].Args = slices.Clone(b.Instrs[i].Dst), slices.Clone(b.Instrs[i].Args)
		}
	}
	return q
}
