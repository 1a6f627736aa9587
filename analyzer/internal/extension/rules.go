package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Rule says of two accesses, of which the second can follow the first, that they belong
// together, or that they do not. Its number is for ever.
type Rule struct {
	ID string
	// Says is when it applies, for the documentation.
	Says     string
	Together bool
	applies  func(f *finder, i, j int) bool
}

// rules are asked in this order, and the first that applies decides. What none of them
// is about does not belong together. The file protocol.go has what is meant to be seen
// in between.
var rules = []Rule{
	{"X1", "they are on two cells, and the second writes what, or if, the first one says", true, func(f *finder, i, j int) bool {
		return f.several(i, j) && f.Accesses[j].Writes && !f.blocks(i, j) && (f.data(i, j) || f.control(i, j) || f.endsLoop(i, j))
	}},
	{"X2", "they are on two cells, and X1 is not so", false, (*finder).several},
	{"X3", "one looks, and what it finds goes into an error or a panic only", false, func(f *finder, i, j int) bool {
		return f.onlyTells(i) || f.onlyTells(j)
	}},
	{"X4", "the call has waited until nobody else uses the cell, before both", false, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return f.settled(a, a) && f.settled(b, a)
	}},
	{"X19", "the second gives back what the first one took away, beside what is there now", false, (*finder).givesBack},
	{"X5", "an argument of the second is computed from what the first one found", true, (*finder).data},
	{"X6", "the call has waited until nobody else uses the cell, before the second", false, func(f *finder, i, j int) bool {
		return f.settled(f.Accesses[j], f.Accesses[j])
	}},
	{"X7", "something is added, looked at with the addition in it, and taken off again", false, (*finder).inReservation},
	{"X8", "between them the call writes, and waits for others to see that", false, (*finder).staged},
	{"X9", "the second takes back what the first one put there, as a lease", false, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return f.control(i, j) && f.takesBack(a, b) && (!f.takesFound(a, b) || f.holdsFound(i, b))
	}},
	{"X15", "both look, and what the second finds decides by itself", false, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return !a.Writes && !b.Writes && f.control(i, j) && slices.Contains(f.Influence(j).Blocks, true)
	}},
	{"X16", "on every way between them the call waits for another goroutine, and the second looks or is of a later round", false, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return (!b.Writes || f.Precedes(b, a)) && f.waitsAlways(i, j)
	}},
	{"X17", "the second is of a later round of a loop than the first", false, func(f *finder, i, j int) bool {
		return f.inLaterRound(f.Accesses[i], f.Accesses[j])
	}},
	{"X10", "whether the second happens is decided by what the first one found", true, (*finder).control},
	{"X18", "the second takes away what the first one found or put there, once a lock that lies in that was taken", true, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return f.takesAnyAway(b) && !f.Reach(a.Start.Block, a.Start.Block) && !f.returnsWithout(a, b) && f.locksFound(i, b)
	}},
	{"X11", "the call waits for another goroutine between them", false, (*finder).blocks},
	{"X12", "the first looks, something is done with what it finds, and the second writes", true, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return !a.Writes && b.Writes && f.Dominates(a, b) && f.used(i)
	}},
	{"X13", "the first writes, and the second looks what became of that", true, func(f *finder, i, j int) bool {
		return f.Accesses[i].Writes && !f.Accesses[j].Writes && f.readsBack(i, j)
	}},
	{"X14", "both look, and something is made of both", true, func(f *finder, i, j int) bool {
		a, b := f.Accesses[i], f.Accesses[j]
		return !a.Writes && !b.Writes && f.Dominates(a, b) && f.joint(i, j)
	}},
}

// Rules are all rules in their order.
func Rules() []Rule { return rules }

func (f *finder) several(i, j int) bool { return f.Accesses[i].Cell != f.Accesses[j].Cell }

func (f *finder) data(i, j int) bool { return f.Arguments(i, f.Accesses[j]) }

func (f *finder) control(i, j int) bool { return f.Influence(i).Blocks[f.Accesses[j].Start.Block] }

func (f *finder) blocks(i, j int) bool { return f.blocksBetween(f.Accesses[i], f.Accesses[j]) }

// endsLoop reports whether the second of two accesses to guarded memory comes when a loop is at its end, which
// goes on for as long as the first one says:
//
//	for {
//		job, ok := q.next()
//		if !ok {
//			break
//		}
//		...
//	}
//	q.stop()
func (f *finder) endsLoop(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	if !f.guarded([]int{a.Cell, b.Cell}) || !f.Dominates(a, b) || !f.Precedes(a, a) || f.Precedes(b, a) {
		return false
	}
	return slices.ContainsFunc(f.prog.Blocks, func(blk *register.Block) bool {
		t := &blk.Term
		return t.Kind == register.Branch && f.Influence(i).Reads([]register.Operand{t.Cond}) && slices.ContainsFunc(t.To, func(to int) bool {
			return !f.leadsTo(to, a.Start.Block) && f.leadsTo(to, b.Start.Block)
		}) && slices.ContainsFunc(t.To, func(to int) bool { return f.leadsTo(to, a.Start.Block) })
	})
}

func (f *finder) leadsTo(from, to int) bool { return from == to || f.Reach(from, to) }
