package evidence

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Who has found an entry can claim it, before he does anything to it: one of two
// compare-and-swaps on a state of the entry fails.
//
//	v, ok := m.apps.Load(name)
//	if !ok || !v.(*app).state.CompareAndSwap(loaded, gone) { return errBusy }
//	m.apps.Delete(name)
//
// While it is there nobody else removes it, and so nobody puts a newer one there.

// claimed is why a violation is not shown that removes an entry after a claim of that.
func (e *Weigher) claimed(f *violation) string {
	if f.x.Several || f.x.Category != absint.StaleDelete {
		return ""
	}
	removes := func(a *register.Access) bool {
		return a.Writes && !putsEntry(f.Prog, a)
	}
	for _, a := range f.g.Accesses {
		if removes(a) && slices.ContainsFunc(f.g.Accesses, func(b *register.Access) bool { return f.claimsBetween(b, a) }) {
			return "one of two who found it has claimed it by a compare-and-swap"
		}
	}
	return ""
}

// claimsBetween reports whether a compare-and-swap on what one access has found decides
// whether another one happens.
func (f *violation) claimsBetween(found, removes *register.Access) bool {
	values := f.followsFrom(found)
	tree := register.Dominators(f.Prog)
	for b, blk := range f.Prog.Blocks {
		if b == removes.Start.Block || !register.Dominates(tree, b, removes.Start.Block) || !returnsWithout(f.Prog, b, removes.Start.Block) {
			continue
		}
		for i := range blk.Instrs {
			if f.swapsOn(&blk.Instrs[i], values) && goesBy(blk, blk.Instrs[i].Pos) {
				return true
			}
		}
	}
	return false
}

// swapsOn reports whether an instruction is a compare-and-swap on a part of one of some
// values, which is another cell, or one that is not followed.
func (f *violation) swapsOn(in *register.Instr, values map[register.Local]bool) bool {
	switch in.Op {
	case register.CAS:
		return values[f.Prog.Cells[in.Cell].Map.Local]
	case register.Effect:
		return in.Effect().Name == register.OperationEffect(register.CAS) && uses(in, values)
	}
	return false
}

// Who makes something that takes long says so under the lock, and lets the lock go:
//
//	c.mu.Lock()
//	if _, busy := c.loading[key]; busy { … }
//	c.loading[key] = wait
//	c.mu.Unlock()
//	h := open(key)
//	c.mu.Lock()
//	c.entries[key] = h
//	delete(c.loading, key)
//
// Another call of the same function finds that, and does not come as far.

// reserved is why a violation is not shown that takes another call of the function, if
// one at a time comes in.
func (e *Weigher) reserved(f *violation) string {
	if own := e.locksOut(f); own == nil || !e.goneWithout(f, own) {
		return ""
	}
	return "a flag that is set under the lock lets one call in at a time"
}

// locksOut tells the steps that a flag which is set under the lock keeps out; nil if there is none.
func (e *Weigher) locksOut(f *violation) keeper {
	if f.x.Several || !f.reserves() {
		return nil
	}
	return func(s *rivals.Step) bool { return e.stepOf(f.Fn, s) }
}

// reserves reports whether the call has looked at other memory under a lock, goes on only
// if nobody else has marked that, marks it, and does not take the mark away before it has
// done what the violation is about.
func (f *violation) reserves() bool {
	return slices.ContainsFunc(f.Find.Accesses, func(marks *register.Access) bool {
		return !slices.Contains(f.g.Cells, marks.Cell) && f.Prog.Cells[marks.Cell].Guarded && f.sameKey(marks.Cell) && f.marks(marks)
	})
}

// sameKey reports whether a cell is there once, or has the key that the violation is about.
func (f *violation) sameKey(cell int) bool {
	key := f.Prog.Cells[cell].Key
	return key.IsNone() || f.N.Term(key) == f.N.Term(f.Prog.Cells[f.g.Cells[0]].Key)
}

// marks reports whether an access looks, and writes what it has found to be free, in one hold
// of a lock, and it is so until the last access that the violation is about. A number that is
// counted up or down is no mark: the next one counts on.
func (f *violation) marks(marks *register.Access) bool {
	if !marks.Writes || len(marks.Outcome) == 0 || f.countsOn(marks) {
		return false
	}
	after := false
	for _, b := range f.g.Accesses {
		if !b.Writes {
			continue
		}
		after = true
		if !f.Find.Dominates(marks, b) || !f.decides(marks, b) || slices.ContainsFunc(f.Find.Accesses, func(u *register.Access) bool {
			return u != marks && u.Writes && u.Cell == marks.Cell && f.Find.Dominates(marks, u) && f.Find.Precedes(u, b)
		}) {
			return false
		}
	}
	return after
}

// countsOn reports whether an access writes what it has made of what it has found.
func (f *violation) countsOn(a *register.Access) bool {
	found := f.followsFrom(a)
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		to, ok := judge.StoredOperand(&f.Prog.Blocks[op.Block].Instrs[op.Instr])
		return ok && !to.IsLit() && found[to.Local]
	})
}

// stepOf reports whether a step is one of a function, or puts something there in that only,
// wherever it was inlined.
func (e *Weigher) stepOf(fn *ssa.Function, s *rivals.Step) bool {
	if s.Fn == fn || s.From == nil {
		return s.Fn == fn
	}
	puts := false
	for _, a := range s.Accesses {
		if !putsEntry(s.From.Prog, a) {
			continue
		}
		for _, pos := range s.From.Positions([]*register.Access{a}) {
			if puts = slices.Contains(e.functionsAt(pos), fn); !puts {
				return false
			}
		}
	}
	return puts
}
