package reduce

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// deferred is one defer statement. Whether it has run is a local, unless it
// has on every way to every exit.
type deferred struct {
	instr *ssa.Defer
	flag  Local // None if not needed
}

// exit is a place where deferred calls run: from is the block that ends there,
// and to the one to go on with.
type exit struct {
	instr    *ssa.RunDefers
	from, to int
	at       Pos
}

// findDefers makes the flags, which are false on entry.
func (l *lowerer) findDefers() {
	var exits []*ssa.BasicBlock
	for _, b := range l.fn.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Defer:
				l.defers = append(l.defers, &deferred{instr: instr, flag: None})
			case *ssa.RunDefers:
				exits = append(exits, b)
			}
		}
	}
	l.cur = 0
	for _, d := range l.defers {
		for _, b := range exits {
			if b != l.fn.Recover && !d.instr.Block().Dominates(b) && reaches(d.instr.Block(), b) {
				d.flag = l.local("deferred")
				l.assign(d.flag, Lit(LitFalse))
				break
			}
		}
	}
	slices.SortStableFunc(l.defers, func(a, b *deferred) int { return int(a.instr.Pos() - b.instr.Pos()) })
}

// reaches reports whether there is a way from a to b.
func reaches(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := []*ssa.BasicBlock{a}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == b {
			return true
		}
		if !seen[n] {
			seen[n] = true
			work = append(work, n.Succs...)
		}
	}
	return false
}

// deferCall lowers a defer statement itself. Inside the body of a range over
// a function, it defers to the end of the function around it, which cannot be
// seen from here: then it is only known that the call has an effect.
func (l *lowerer) deferCall(instr *ssa.Defer) {
	if instr.DeferStack != nil && l.fn.Synthetic == "range-over-func yield" {
		s := l.siteOf(instr)
		vs := l.argValues(s)
		l.effect("defer "+calleeName(s.c), vs...)
		return
	}
	for _, d := range l.defers {
		if d.instr == instr && d.flag != None {
			l.assign(d.flag, Lit(LitTrue))
		}
	}
}

// exitPoint leaves a gap where deferred calls run. It is filled when the rest
// is lowered: the gap may come before the block whose values a call gets.
func (l *lowerer) exitPoint(instr *ssa.RunDefers) {
	if len(l.defers) == 0 {
		return
	}
	to := l.newBlock()
	l.exits = append(l.exits, exit{instr: instr, from: l.cur, to: to, at: l.at})
	l.cur = to
}

// runDefers fills the gaps: at each exit, the deferred calls that may have been
// reached, the last one first.
func (l *lowerer) runDefers() {
	for _, e := range l.exits {
		l.cur, l.block = e.from, nil
		here := e.instr.Block()
		for _, d := range slices.Backward(l.defers) {
			from := d.instr.Block()
			l.at = l.src.pos(d.instr)
			switch {
			case from == here || from.Dominates(here):
				l.call(d.instr)
			case reaches(from, here):
				l.guarded(L(d.flag), func() { l.call(d.instr) })
			}
		}
		l.at = e.at
		l.jump(e.to)
	}
}
