package register

import "slices"

// OmitsChange reports whether the instruction marks something that may change a map.
func (in *Instr) OmitsChange() bool {
	return in.Op == Omit && (in.Name == OmitAct || in.Name == OmitCall)
}

// Omits is the name of an Omit, if the program leaves out something on which an operation
// may depend: a look at the whole map that comes before one, or a change at any time.
func (p *Program) Omits() (name string, omits bool) {
	succs := blockSuccs(p)
	base := func(ins []Instr) bool {
		for i := range ins {
			if ins[i].IsBase() {
				return true
			}
		}
		return false
	}
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != Omit {
				continue
			}
			if in.OmitsChange() || base(blk.Instrs[i:]) {
				return in.Name, true
			}
			for c, reached := range reachableFrom(succs, blk.Term.To) {
				if reached && (c != b || len(blk.Instrs) > 0) && base(p.Blocks[c].Instrs) {
					return in.Name, true
				}
			}
		}
	}
	if p.goesThrough(succs) {
		return OmitLook, true
	}
	return "", false
}

// goesThrough reports whether a range over a map that a lock guards adds up what it comes to, entry by
// entry, and an operation in another critical section follows: no cell stands for all entries.
//
//	for range m { n++ }
//	mu.Unlock()
//	if n < limit { mu.Lock(); m[k] = v; mu.Unlock() }
func (p *Program) goesThrough(succs [][]int) bool {
	var live *Liveness
	for _, l := range Loops(p) {
		ins := p.Blocks[l.Head].Instrs
		visits := slices.IndexFunc(ins, func(in Instr) bool { return in.Op == Unknown && in.Site() == VisitedKey })
		looks := slices.IndexFunc(ins, func(in Instr) bool { return in.Op == Read })
		if visits < 0 || looks < 0 {
			continue
		}
		if live == nil {
			live = Live(p)
		}
		if added := addedUp(p, &l, live); len(added) > 0 && p.actsLater(&l, succs, live, added, ins[looks].Held) {
			return true
		}
	}
	return false
}

// addedUp are the locals that a round of a loop leaves to the next one.
func addedUp(p *Program, l *Loop, live *Liveness) (added []Local) {
	left := live.In(l.Head, 0)
	for _, b := range l.Blocks {
		for i := range p.Blocks[b].Instrs {
			p.Blocks[b].Instrs[i].Defs(func(d Local) {
				if slices.Contains(left, d) {
					added = append(added, d)
				}
			})
		}
	}
	return added
}

// actsLater reports whether one of some locals is used after a loop, and an operation follows there that is
// not in the given critical sections.
func (p *Program) actsLater(l *Loop, succs [][]int, live *Liveness, used []Local, held []int) bool {
	for _, b := range l.Blocks {
		for _, to := range p.Blocks[b].Term.To {
			if l.Contains(to) || !slices.ContainsFunc(live.In(to, 0), func(x Local) bool { return slices.Contains(used, x) }) {
				continue
			}
			for c, reached := range reachableFrom(succs, []int{to}) {
				if reached && slices.ContainsFunc(p.Blocks[c].Instrs, func(in Instr) bool { return in.IsBase() && !slices.Equal(in.Held, held) }) {
					return true
				}
			}
		}
	}
	return false
}
