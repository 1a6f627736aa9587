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
// it would panic between the two: the second time the answer is known.

// GoDecided lets blocks go to where the branch leads that they go to, and has branches go
// one way, where what is asked is a literal that was assigned on the only way there, or was
// asked on it before. It reports whether anything changed.
func GoDecided(p *Program) bool {
	d := decided{p, Preds(p), worthAsking(p)}
	var decisions []func()
	for b, blk := range p.Blocks {
		if blk.Term.Kind == Branch && !blk.Term.Cond.IsLit() {
			if way := d.asked(b, blk.Term.Cond.Local); way >= 0 {
				decisions = append(decisions, func() { blk.Term = Term{Kind: Jump, To: []int{blk.Term.To[way]}, Pos: blk.Term.Pos} })
				continue
			}
		}
		for i, to := range blk.Term.To {
			next := p.Blocks[to]
			if to == b || len(next.Instrs) > 0 || next.Term.Kind != Branch || next.Term.Cond.IsLit() {
				continue
			}
			if way := d.from(b, to, next.Term.Cond.Local); way >= 0 && next.Term.To[way] != to {
				past := next.Term.To[way]
				decisions = append(decisions, func() { blk.Term.To[i] = past })
			}
		}
	}
	for _, decision := range decisions {
		decision()
	}
	return len(decisions) > 0
}

// decided finds what is known of a local that is asked.
type decided struct {
	p     *Program
	preds [][]int
	worth LocalSet // see worthAsking
}

// worthAsking are the locals that are asked twice or are assigned a literal. Of others
// nothing is known, and to look for it takes long where branches follow each other.
func worthAsking(p *Program) LocalSet {
	worth, asked := NewLocalSet(len(p.Names)), NewLocalSet(len(p.Names))
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == Copy && wayOf(in.Args[0]) >= 0 {
				worth.Add(in.Dst[0])
			}
		}
		if t := &blk.Term; t.Kind == Branch && !t.Cond.IsLit() {
			if asked.Has(t.Cond.Local) {
				worth.Add(t.Cond.Local)
			}
			asked.Add(t.Cond.Local)
		}
	}
	return worth
}

// asked is which way a block's branch on l goes, and -1 if that is not known.
func (d decided) asked(b int, l Local) int {
	if !d.worth.Has(l) {
		return -1
	}
	if is, assigned := lastAssigned(d.p.Blocks[b], l); assigned {
		return wayOf(is)
	}
	if b == 0 || len(d.preds[b]) != 1 || d.preds[b][0] == b {
		return -1
	}
	return d.from(d.preds[b][0], b, l)
}

// from is which way a branch on l would go that is reached by the edge.
func (d decided) from(b, to int, l Local) int {
	if !d.worth.Has(l) {
		return -1
	}
	for range d.p.Blocks {
		blk := d.p.Blocks[b]
		if t := &blk.Term; t.Kind == Branch && t.Cond == L(l) && t.To[0] != t.To[1] {
			return slices.Index(t.To, to)
		}
		if is, assigned := lastAssigned(blk, l); assigned {
			return wayOf(is)
		}
		if b == 0 || len(d.preds[b]) != 1 {
			return -1
		}
		b, to = d.preds[b][0], b
	}
	return -1
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

// lastAssigned is the operand of the copy that assigns l last in a block;
// NoOperand if it is assigned in another way. It reports whether l is assigned.
func lastAssigned(blk *Block, l Local) (Operand, bool) {
	for i := len(blk.Instrs) - 1; i >= 0; i-- {
		in := &blk.Instrs[i]
		assigns := false
		in.Defs(func(d Local) { assigns = assigns || d == l })
		switch {
		case assigns && in.Op == Copy:
			return in.Args[0], true
		case assigns:
			return NoOperand, true
		}
	}
	return NoOperand, false
}
