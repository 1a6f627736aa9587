package register

import "slices"

// A function that says on each way what it found, and a caller that asks:
//
//	if !f() { … } // f: if a { return false }; …; return true
//
// become, when f is inlined, blocks that assign a literal and jump to one that
// branches on it. Each of them knows the way: without that, what follows the last
// operation would seem to go both ways.

// A wrapper of a map that has a value or asserts it asks the same thing twice, because
// it would panic between the two: the second time the answer is known. And what is
// calculated from what was asked is known where only one answer leads.

// GoDecided lets blocks go to where the branch leads that they go to, has branches go one
// way, and has instructions use a literal, where a truth value is one that was assigned on
// the only way there, or was asked on it. It reports whether anything changed.
func GoDecided(p *Program) bool {
	d := &decided{p: p, preds: Preds(p), asked: asked(p), at: make([]answers, len(p.Blocks)), done: make([]bool, len(p.Blocks))}
	before := make([]Term, len(p.Blocks))
	for b, blk := range p.Blocks {
		d.end(b)
		before[b] = blk.Term
	}
	for b, blk := range p.Blocks {
		if way := d.at[b].way(before[b]); way >= 0 {
			blk.Term, d.changed = Term{Kind: Jump, To: []int{before[b].To[way]}, Pos: blk.Term.Pos}, true
			continue
		}
		for i, to := range before[b].To {
			next := before[to]
			if to == b || len(p.Blocks[to].Instrs) > 0 {
				continue
			}
			if way := d.at[b].after(before[b], i).way(next); way >= 0 && next.To[way] != to {
				blk.Term.To = slices.Clone(blk.Term.To)
				blk.Term.To[i], d.changed = next.To[way], true
			}
		}
	}
	return d.changed
}

// decided finds which truth values are known, from the only way to a block.
type decided struct {
	p       *Program
	preds   [][]int
	asked   LocalSet  // by branches
	at      []answers // at the end of each block
	done    []bool
	changed bool
}

// asked are the locals that branches ask.
func asked(p *Program) LocalSet {
	all := NewLocalSet(len(p.Names))
	for _, blk := range p.Blocks {
		if t := &blk.Term; t.Kind == Branch && !t.Cond.IsLit() {
			all.Add(t.Cond.Local)
		}
	}
	return all
}

// answers are locals that are known to be true or false. Lists of blocks that follow each
// other share memory: what is added is added to a copy.
type answers []answer

type answer struct {
	of Local
	is Operand
}

// maxAnswers bounds what is remembered on the way through many branches; the last ones
// asked are the likely ones.
const maxAnswers = 16

func (ts answers) with(of Local, is Operand) answers {
	ts = ts.without(of)
	if len(ts) == maxAnswers {
		ts = ts[1:]
	}
	return append(slices.Clip(ts), answer{of, is})
}

func (ts answers) without(of Local) answers {
	i := slices.IndexFunc(ts, func(t answer) bool { return t.of == of })
	if i < 0 {
		return ts
	}
	return slices.Delete(slices.Clone(ts), i, i+1)
}

// value is what an operand is known to be.
func (ts answers) value(o Operand) Operand {
	if o.Local != None {
		for _, t := range ts {
			if t.of == o.Local {
				return t.is
			}
		}
	}
	return o
}

// way is the one of two ways that a branch goes, and -1 if that is not known.
func (ts answers) way(t Term) int {
	if t.Kind != Branch || t.Cond.IsLit() {
		return -1
	}
	return wayOf(ts.value(t.Cond))
}

// after is what is known after a branch went way i.
func (ts answers) after(t Term, i int) answers {
	if t.Kind != Branch || t.Cond.IsLit() || t.To[0] == t.To[1] {
		return ts
	}
	return ts.with(t.Cond.Local, Lit([]string{LitTrue, LitFalse}[i]))
}

// end finds what is known at the end of a block, after those before it, and has the block
// use it.
func (d *decided) end(b int) answers {
	if d.done[b] {
		return d.at[b]
	}
	d.done[b] = true
	var known answers
	if b > 0 && len(d.preds[b]) == 1 {
		p := d.preds[b][0]
		t := d.p.Blocks[p].Term
		known = d.end(p).after(t, slices.Index(t.To, b))
	}
	blk := d.p.Blocks[b]
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		d.use(&in.Args, known)
		in.Defs(func(l Local) { known = known.without(l) })
		if in.Op == Copy && wayOf(in.Args[0]) >= 0 && d.asked.Has(in.Dst[0]) {
			known = known.with(in.Dst[0], in.Args[0])
		}
	}
	d.use(&blk.Term.Vals, known)
	d.at[b] = known
	return known
}

// use replaces operands by what they are known to be. Instructions may share them.
func (d *decided) use(operands *[]Operand, known answers) {
	if len(known) == 0 {
		return
	}
	own := false
	for i, o := range *operands {
		is := known.value(o)
		if is == o {
			continue
		}
		if !own {
			*operands, own = slices.Clone(*operands), true
		}
		(*operands)[i], d.changed = is, true
	}
}

// wayOf is the place in Term.To of where a branch on a literal goes.
func wayOf(o Operand) int {
	switch o {
	case Lit(LitTrue):
		return 0
	case Lit(LitFalse):
		return 1
	default:
		return -1
	}
}
