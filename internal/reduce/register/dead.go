package register

import "slices"

// dropDead drops results that nothing depends on, and instructions that have no
// others and no effect. It reports whether it dropped any of these.
func dropDead(p *Program) bool {
	out := neededOnExit(p)
	dropped := false
	for b, blk := range p.Blocks {
		need := out[b]
		blk.Term.Uses(need.now.Add)
		for i := len(blk.Instrs) - 1; i >= 0; i-- {
			in := &blk.Instrs[i]
			if !dropResults(in, need.has) && IsSilent(in.Op) || isSelfCopy(in) {
				in.Op, dropped = dead, true
				continue
			}
			need.step(in)
		}
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in Instr) bool { return in.Op == dead })
	}
	return dropped
}

// dead marks an instruction that is about to go.
const dead Op = -1

// needs are the locals whose value matters at some point of the program: what
// has an effect, or decides where to go, depends on it. That is less than
// being live: a counter that is only ever incremented is live in its loop.
type needs struct {
	// always are the locals that name cells. They matter everywhere.
	always, now LocalSet
}

func (n needs) has(l Local) bool { return n.always.Has(l) || n.now.Has(l) }

// step goes back over one instruction.
func (n needs) step(in *Instr) {
	wanted := !IsSilent(in.Op)
	in.Defs(func(l Local) {
		wanted = wanted || n.has(l)
		n.now.remove(l)
	})
	if wanted {
		in.Uses(n.now.Add)
	}
}

// neededOnExit gives each block what matters at its end.
func neededOnExit(p *Program) []needs {
	always := NewLocalSet(len(p.Names))
	for i := range p.Cells {
		EachLocal([]Operand{p.Cells[i].Map, p.Cells[i].Key}, always.Add)
	}
	out := make([]needs, len(p.Blocks))
	for b, now := range newLocalSets(len(p.Blocks), len(p.Names)) {
		out[b] = needs{always, now}
	}
	n := needs{always, NewLocalSet(len(p.Names))}
	preds, order := Preds(p), ReversePostorder(p)
	stale := make([]bool, len(p.Blocks)) // has a new out since it was last gone through
	for _, b := range order {
		stale[b] = true
	}
	for changed := true; changed; {
		changed = false
		for _, b := range slices.Backward(order) {
			if !stale[b] {
				continue
			}
			stale[b] = false
			blk := p.Blocks[b]
			copy(n.now, out[b].now)
			blk.Term.Uses(n.now.Add)
			for i := len(blk.Instrs) - 1; i >= 0; i-- {
				n.step(&blk.Instrs[i])
			}
			for _, pred := range preds[b] {
				if out[pred].now.union(n.now) {
					stale[pred], changed = true, true
				}
			}
		}
	}
	return out
}

// isSilent reports whether an instruction does nothing but give results.
func IsSilent(op Op) bool { return op == Copy || op == Pure || op == Fresh || op == Unknown }

func isSelfCopy(in *Instr) bool { return in.Op == Copy && in.Args[0] == L(in.Dst[0]) }

// dropResults drops the results of an instruction that are not used and
// reports whether any is left.
func dropResults(in *Instr, used func(Local) bool) bool {
	left := false
	for i, d := range in.Dst {
		if d != None && !used(d) {
			in.Dst[i] = None
		}
		left = left || in.Dst[i] != None
	}
	return left
}
