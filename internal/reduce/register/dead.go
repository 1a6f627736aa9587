package register

import "slices"

// dropDead drops results that nothing depends on, and instructions that have no
// others and no effect. It reports whether it dropped any of these.
func dropDead(p *Program) bool {
	out := neededOnExit(p)
	dropped := false
	for b, blk := range p.Blocks {
		need := out[b]
		blk.Term.Uses(need.add)
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
	// always are the locals that matter everywhere, or not at all: those that name cells,
	// and those that are assigned in one place, which comes before all that read them.
	always LocalSet
	// now are the others, by their numbers.
	now     LocalSet
	several *numbers
	// found is called for what is new in always.
	found func(Local)
}

func (n needs) has(l Local) bool {
	at := n.several.of[l]
	return n.always.Has(l) || at >= 0 && n.now.Has(Local(at))
}

// add adds a local that is read.
func (n needs) add(l Local) {
	if at := n.several.of[l]; at >= 0 {
		n.now.Add(Local(at))
	} else if !n.always.Has(l) {
		n.always.Add(l)
		n.found(l)
	}
}

// step goes back over one instruction.
func (n needs) step(in *Instr) {
	wanted := !IsSilent(in.Op)
	for _, l := range in.Dst {
		if l == None {
			continue
		}
		wanted = wanted || n.has(l)
		if at := n.several.of[l]; at >= 0 {
			n.now.Remove(Local(at))
		}
	}
	if wanted {
		in.Uses(n.add)
	}
}

// neededOnExit gives each block what matters at its end.
func neededOnExit(p *Program) []needs {
	stale := make([]bool, len(p.Blocks)) // has a new out since it was last gone through
	changed := true
	several, at := assignedSeveralTimes(p)
	n := needs{always: NewLocalSet(len(p.Names)), now: NewLocalSet(several.n), several: several, found: func(l Local) {
		if at[l] >= 0 {
			stale[at[l]], changed = true, true
		}
	}}
	for i := range p.Cells {
		EachLocal([]Operand{p.Cells[i].Map, p.Cells[i].Key}, n.always.Add)
	}
	out := make([]needs, len(p.Blocks))
	for b, now := range newLocalSets(len(p.Blocks), several.n) {
		out[b] = n
		out[b].now = now
	}
	preds, order := Preds(p), ReversePostorder(p)
	for _, b := range order {
		stale[b] = true
	}
	for changed {
		changed = false
		for _, b := range slices.Backward(order) {
			if !stale[b] {
				continue
			}
			stale[b] = false
			blk := p.Blocks[b]
			copy(n.now, out[b].now)
			blk.Term.Uses(n.add)
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

// assignedSeveralTimes numbers the locals that are, and gives the block of the only
// assignment of each other one; -1 if there is none.
func assignedSeveralTimes(p *Program) (several *numbers, at []int) {
	several, at = newNumbers(p), make([]int, len(p.Names))
	for l := range at {
		at[l] = -1
	}
	for l, count := range DefCounts(p) {
		if count > 1 {
			several.add(Local(l))
		}
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			for _, l := range blk.Instrs[i].Dst {
				if l != None {
					at[l] = b
				}
			}
		}
	}
	return several, at
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
