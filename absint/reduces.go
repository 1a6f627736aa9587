package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A call is one step if what it does to the cells can be moved together, past whatever
// others do in between (Lipton, Reduction: a method of proving properties of parallel
// programs, 1975). Two things can change places if neither changes what the other looks
// at or changes. So there has to be an operation on each way, at which the call takes
// effect: what the call does before it comes from then on, and what it does after it has
// come already. What it does to no cell is its own business. Nothing is explored for
// this, and nothing has to be known of values.

// footprint is which cells something looks at, and which ones it may change.
type footprint struct{ looks, changes cellSet }

// cellSet is a set of cells of a region.
type cellSet uint8

func (s cellSet) with(cell int) cellSet { return s | 1<<cell }

// apart reports whether it makes no difference which of the two comes first.
func (f footprint) apart(g footprint) bool {
	return f.changes&(g.looks|g.changes) == 0 && g.changes&f.looks == 0
}

func (f footprint) and(g footprint) footprint {
	return footprint{f.looks | g.looks, f.changes | g.changes}
}

// of adds what an operation does to a cell.
func (f footprint) of(in *register.Instr, cell int) footprint {
	looks := in.Op != register.Write
	in.Defs(func(register.Local) { looks = true })
	if looks {
		f.looks = f.looks.with(cell)
	}
	if in.Op != register.Read {
		f.changes = f.changes.with(cell)
	}
	return f
}

// progress is how far the call has come at a place.
type progress struct {
	// effective says that the call has taken effect. Before, done is what it has done;
	// from then on, what others may have done since.
	effective bool
	done      footprint
	// depth counts the enclosing Enter instructions, and held numbers the locks.
	depth, held int
}

// reduction moves the operations of a call together.
type reduction struct {
	problem *Problem
	matters func(*register.Instr) bool
	// steps are what the steps of the package do.
	steps []footprint
	// holds are the combinations of locks that the call may hold.
	holds [][]Hold
}

// maxProgress bounds the blocks that are looked at.
const maxProgress = 20_000

// reduces reports whether the call is one step, in all cases where this follows from
// which cells are looked at and changed.
func (p *Problem) reduces() bool {
	r := &reduction{problem: p, matters: matters(p.Region)}
	for i := range p.Steps {
		var f footprint
		s := &p.Steps[i]
		for _, b := range s.Program.Blocks {
			for i := range b.Instrs {
				if in := &b.Instrs[i]; in.IsBase() && s.Cells[in.Cell] >= 0 {
					f = f.of(in, s.Cells[in.Cell])
				}
			}
		}
		r.steps = append(r.steps, f)
	}
	type place struct {
		block int
		at    progress
	}
	seen := map[place]bool{}
	work := []place{{0, progress{held: r.number(p.Held)}}}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[w] {
			continue
		}
		if seen[w] = true; len(seen) > maxProgress {
			return false
		}
		b := p.Region.Blocks[w.block]
		for i := range b.Instrs {
			if !r.instr(&w.at, &b.Instrs[i]) {
				return false
			}
		}
		for _, to := range b.Term.To {
			work = append(work, place{to, w.at})
		}
	}
	return true
}

// instr goes on by one instruction; false if it cannot be moved to where the call takes
// effect.
func (r *reduction) instr(at *progress, in *register.Instr) bool {
	if at.depth == 0 && in.Yields() {
		others := r.others(r.holds[at.held])
		switch {
		case at.effective:
			at.done = at.done.and(others)
		case !at.done.apart(others):
			at.effective, at.done = true, others
		}
	}
	switch {
	case in.Op == register.Enter:
		at.depth++
	case in.Op == register.Leave:
		at.depth--
	case in.Op == register.Lock:
		held, h := r.holds[at.held], Hold{Lock: in.Args[0].Lit, Exclusive: in.Name == "w"}
		if !slices.Contains(held, h) { // to think it free too early is safe
			at.held = r.number(append(slices.Clip(held), h))
		}
	case in.Op == register.Unlock:
		m := machine{held: r.holds[at.held]}
		m.release(in.Args[0].Lit)
		at.held = r.number(m.held)
	case !in.IsBase() || !r.matters(in):
	case at.effective:
		return at.done.apart(footprint{}.of(in, in.Cell))
	default:
		at.done = at.done.of(in, in.Cell)
	}
	return true
}

func (r *reduction) number(held []Hold) int {
	i := slices.IndexFunc(r.holds, func(h []Hold) bool { return slices.Equal(h, held) })
	if i < 0 {
		i = len(r.holds)
		r.holds = append(r.holds, held)
	}
	return i
}

// others is what others can do while the call holds these locks.
func (r *reduction) others(held []Hold) (f footprint) {
	for cell := range r.problem.Region.Cells {
		if r.problem.Env == Open {
			f.changes = f.changes.with(cell)
		}
		if !r.problem.locks(held, cell) {
			f.looks = f.looks.with(cell)
		}
	}
	for i := range r.problem.Steps {
		if r.problem.Steps[i].enabled(held) {
			f = f.and(r.steps[i])
		}
	}
	return f
}

// matters tells the operations of a call of which somebody can notice what they found:
// those that change a cell, and those on whose results a change, an effect, the outcome or
// the end of a loop depends. That a call of which nothing is known is given something does
// not count, since nobody knows what it makes of it. Where effects count by what has been
// in a cell, so does every look.
func matters(p *register.Program) func(*register.Instr) bool {
	n := &noticed{p: p, deps: register.ControlDeps(p), locals: register.NewLocalSet(len(p.Names)), blocks: make([]bool, len(p.Blocks))}
	all := n.loops()
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			in := &b.Instrs[i]
			all = all || in.Op == register.Effect && !register.IsTail(in.Name)
		}
	}
	for n.changed = true; n.changed && !all; {
		n.changed = false
		for b := len(p.Blocks) - 1; b >= 0; b-- {
			n.block(b)
		}
	}
	return func(in *register.Instr) bool {
		is := all || in.Op != register.Read
		in.Defs(func(l register.Local) { is = is || n.locals.Has(l) })
		return is
	}
}

// noticed are the locals and blocks of which somebody can notice something.
type noticed struct {
	p       *register.Program
	deps    [][]int
	locals  register.LocalSet
	blocks  []bool
	changed bool
}

func (n *noticed) need(os ...register.Operand) {
	register.EachLocal(os, func(l register.Local) {
		n.changed = n.changed || !n.locals.Has(l)
		n.locals.Add(l)
	})
}

func (n *noticed) runs(block int) {
	n.changed = n.changed || !n.blocks[block]
	n.blocks[block] = true
}

// loops notes the branches that decide whether a loop ends. It reports whether there
// are others than loops with one head.
func (n *noticed) loops() bool {
	back := map[[2]int]bool{}
	for _, l := range register.Loops(n.p) {
		for _, b := range l.Back {
			back[[2]int{b, l.Head}] = true
		}
		for _, b := range l.Blocks {
			if slices.ContainsFunc(n.p.Blocks[b].Term.To, func(to int) bool { return !slices.Contains(l.Blocks, to) }) {
				n.runs(b)
				n.need(n.p.Blocks[b].Term.Cond)
			}
		}
	}
	rank := make([]int, len(n.p.Blocks))
	for i, b := range register.ReversePostorder(n.p) {
		rank[b] = i + 1
	}
	for b, blk := range n.p.Blocks {
		for _, to := range blk.Term.To {
			if rank[b] > 0 && rank[to] <= rank[b] && !back[[2]int{b, to}] {
				return true
			}
		}
	}
	return false
}

func (n *noticed) block(b int) {
	blk := n.p.Blocks[b]
	if blk.Term.Kind == register.Return || blk.Term.Kind == register.Panic {
		n.runs(b)
		n.need(blk.Term.Vals...)
	}
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := &blk.Instrs[i]
		wanted := in.Op == register.Effect || in.Op == register.Write || in.Op == register.CAS
		in.Defs(func(l register.Local) { wanted = wanted || n.locals.Has(l) })
		if wanted {
			n.runs(b)
			if in.Op != register.Unknown {
				n.need(in.Args...)
			}
		}
	}
	if n.blocks[b] {
		for _, d := range n.deps[b] {
			n.runs(d)
			n.need(n.p.Blocks[d].Term.Cond)
		}
	}
}
