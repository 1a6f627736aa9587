package evidence

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step on several cells can go by one of them, and change another one: what it changes
// does not belong to what the first one says by now.

// byOther is a look at one cell that decides whether another one is written, and who
// changes both.
type byOther struct {
	rivals.Closing
	look, content string
}

// goesByOther finds such a look. The two cells are guarded, and some critical section
// changes them together; or the first is set once, and then all that is in the second one
// is taken away; or the first counts those who use the entry that is taken away, or has the entry in which they are counted.
func (e *Weigher) goesByOther(v *violation) (byOther, bool) {
	if !v.x.Several {
		return byOther{}, false
	}
	for _, a := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if v.Root(a.Cell) == v.Root(b.Cell) || !b.Writes || !v.apart(a, b) || v.asksAfter(a, b) {
				continue
			}
			var by rivals.Closing
			ok := false
			if v.decides(a, b) {
				by, ok = e.changesBoth(v, a, b)
			}
			if !ok && v.countsIn(a, b) {
				by, ok = e.judge.World.Retires(v.Root(a.Cell), v.Root(b.Cell))
			}
			if ok {
				return byOther{by, v.Prog.Cells[a.Cell].Label, v.Prog.Cells[b.Cell].Label}, true
			}
		}
	}
	return byOther{}, false
}

// changesBoth is who changes both of two cells, of which one decides about the other one.
func (e *Weigher) changesBoth(v *violation, look, write *register.Access) (by rivals.Closing, ok bool) {
	one, other := v.Prog.Cells[look.Cell], v.Prog.Cells[write.Cell]
	late := !v.goesByItself(write)
	if late && !look.Writes && one.Guarded && other.Guarded {
		by, ok = e.judge.World.Joint(v.Root(look.Cell), v.Root(write.Cell))
	}
	if late && !ok && !look.Writes {
		by, ok = e.judge.World.Closes(v.Root(look.Cell), v.Root(write.Cell))
	}
	if late && !ok && !look.Writes && !v.asksAgain(look, write) {
		by, ok = e.judge.World.Ends(v.Root(look.Cell), v.Root(write.Cell))
	}
	if open, enters := v.Find.Enters(look, write); !ok && enters {
		by, ok = e.judge.World.Drains(v.Root(look.Cell), v.Root(write.Cell), open)
	}
	if !ok && one.Kind == register.Atomic && other.Kind == register.Map && v.TakesAway(write) && !v.asksAgain(look, write) {
		by, ok = e.judge.World.Counts(v.Root(look.Cell), v.Root(write.Cell))
	}
	if !ok && !look.Writes && one.Kind == register.Map && one.Guarded && other.Guarded && v.refersTo(write, one.Key) {
		by, ok = e.judge.World.Skewed(v.Root(look.Cell), v.Root(write.Cell))
	}
	return by, ok
}

// asksAfter reports whether what decides about a write is looked at again after that, and what is found then decides what comes of it: it
// is tried again, or told.
//
//	for {
//		c := t.get(name)
//		c.add(m)
//		if t.get(name) == c { return }
//	}
func (v *violation) asksAfter(look, write *register.Access) bool {
	for i, a := range v.Find.Accesses {
		again := v.Root(a.Cell) == v.Root(look.Cell) && v.Find.Precedes(write, a) && v.Find.Dominates(write, a)
		if again && (v.Find.HandsOn(a) || slices.Contains(v.Find.Influence(i).Blocks, true)) {
			return true
		}
	}
	return false
}

// countsIn reports whether a write adds to a number in the entry of a map that a look has found, or puts an entry into a map there.
func (v *violation) countsIn(look, write *register.Access) bool {
	table, users := v.Prog.Cells[look.Cell], v.Prog.Cells[write.Cell]
	adds := v.Adds(write) && !v.CountsDown(write)
	if users.Kind == register.Map {
		adds = putsEntry(v.Prog, write)
	}
	found := v.Find.Influence(slices.Index(v.Find.Accesses, look))
	return table.Kind == register.Map && adds && found.Reads([]register.Operand{users.Map})
}

// refersTo reports whether what an access stores in an entry of a map is the key of another one, or is made of that.
func (v *violation) refersTo(write *register.Access, key register.Operand) bool {
	if v.Prog.Cells[write.Cell].Kind != register.Map || key.IsLit() || key.IsNone() {
		return false
	}
	return slices.ContainsFunc(write.Ops, func(op register.Ref) bool {
		val, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr])
		return ok && slices.Contains(v.madeOf(val, 0), v.N.Source(key).Local)
	})
}

// apart reports whether a lock is taken between a look and a write, or the write is under
// none: the look is no part of the section.
func (v *violation) apart(look, write *register.Access) bool {
	return !v.Prog.Cells[write.Cell].Guarded || v.comesBetween(look, write, register.Lock)
}

// asksAgain reports whether what decides about a write was looked at again in its section.
func (v *violation) asksAgain(look, write *register.Access) bool {
	return slices.ContainsFunc(v.Find.Accesses, func(a *register.Access) bool {
		return a != look && v.Root(a.Cell) == v.Root(look.Cell) && v.Before(a.Start, write.Start) && !v.apart(a, write) && v.decides(a, write)
	})
}

// goesByItself reports whether a write is only made, as its own section sees it, if not all has been taken away:
//
//	if b.onEnd != nil { // and Close, which sets b.closed, calls it and takes it away as well
//		b.onEnd(err)
//		b.onEnd = nil
//	}
func (v *violation) goesByItself(write *register.Access) bool {
	p, at := v.Prog, v.storesAt(write)
	if p.Cells[write.Cell].Kind != register.Atomic {
		return false
	}
	tree, taken := register.Dominators(p), register.Instr{Op: register.Write, Cell: write.Cell, Args: []register.Operand{register.Lit(p.Cells[write.Cell].Zero)}}
	for b, blk := range p.Blocks {
		if blk.Term.Kind != register.Branch || b == at || !register.Dominates(tree, b, at) || !v.looksIn(write, b) {
			continue
		}
		if to, ok := wayFor(p, blk, &taken); ok && to != at && !reaches(p, to, at, -1) {
			return true
		}
	}
	return false
}

// looksIn reports whether the section of a write has looked at its cell when it comes to a block.
func (v *violation) looksIn(write *register.Access, block int) bool {
	end := register.Ref{Block: block, Instr: len(v.Prog.Blocks[block].Instrs)}
	return slices.ContainsFunc(v.Find.Accesses, func(a *register.Access) bool {
		return a.Cell == write.Cell && (a == write || v.Before(a.Start, write.Start) && !v.apart(a, write)) && slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
			return v.Prog.Blocks[op.Block].Instrs[op.Instr].Op == register.Read && (v.Before(op, end) || op.Block == block)
		})
	})
}

// harm is the answer to W5: what is put there when the others have been closed, sent or
// given back is missed; where they are only let go, nobody may have wanted it. What comes too late and
// is only a look sees what there is by then; not one after which something is put there.
func (by byOther) harm(e *Weigher, v *violation) Support {
	if v.x.Category == absint.InconsistentRead && !v.putsLater(by) {
		return likely(v.x.Pos, "what is in %s is looked at again", by.content)
	}
	if by.Counts {
		return shown(e.placeOf(by.At), "%s counts one more in %s who uses what is in %s, and it is removed", by.By.Name, by.look, by.content)
	}
	if by.Skewed {
		return shown(e.placeOf(by.At), "%s takes away what is in %s by what is in %s, and the call goes by what was there", by.By.Name, by.look, by.content)
	}
	if by.Unused {
		return shown(e.placeOf(by.At), "%s takes away what is in %s where %s says that nobody uses it", by.By.Name, by.look, by.content)
	}
	if by.Ends {
		return shown(e.placeOf(by.At), "%s takes from %s until %s is set, and nobody takes what is put there afterwards", by.By.Name, by.content, by.look)
	}
	if !by.Uses {
		return likely(e.placeOf(by.At), "%s only lets go of what is in %s", by.By.Name, by.content)
	}
	does := fmt.Sprintf("sets %s, and takes away what is in %s", by.look, by.content)
	if by.All {
		does = fmt.Sprintf("sets %s, and goes through what is in %s", by.look, by.content)
	}
	if by.Waits {
		does = fmt.Sprintf("sets %s, and waits until nobody is left in %s", by.look, by.content)
	}
	if by.Joint {
		does = fmt.Sprintf("changes %s and %s together", by.look, by.content)
	}
	return shown(e.placeOf(by.At), "%s %s, and the call goes by what %s was", by.By.Name, does, by.look)
}

// putsLater reports whether the call puts something into the second cell in the witness, after it has found what no
// atomic run would, or after the one who changes both has come and before it looks at the first cell again.
func (v *violation) putsLater(by byOther) bool {
	w := v.x.Witness
	puts := func(ev absint.Event) bool {
		does := (ev.Op == "write" || ev.Op == "cas") && ev.Args[len(ev.Args)-1] != register.LitAbsent
		return !ev.Other && does && v.x.Region.Cells[ev.Cell].Label == by.content
	}
	if w.Breaking >= 0 && w.Breaking < len(w.Events) && slices.ContainsFunc(w.Events[w.Breaking:], puts) {
		return true
	}
	came := false
	for _, ev := range w.Events {
		switch {
		case came && puts(ev):
			return true
		case !ev.Other && v.x.Region.Cells[ev.Cell].Label == by.look:
			came = false
		case ev.Other:
			came = came || ev.Name == by.By.Name
		}
	}
	return false
}

// goesBy reports whether a look at a cell of the region decides whether it is written.
func (v *violation) goesBy(cell int) bool {
	for _, a := range v.g.Accesses {
		for _, b := range v.g.Accesses {
			if a.Cell == v.g.Cells[cell] && b.Cell == a.Cell && !a.Writes && b.Writes && v.Find.Decides(a, b) {
				return true
			}
		}
	}
	return false
}
