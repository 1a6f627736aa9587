package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// In some steps that are not atomic the code itself says that what another
// goroutine does before the last part is welcome. That is evidence of what is
// meant, and no proof: the verdict stays, and nothing is reported by default. The
// rest of the step has to be atomic.

// takesBack is why a violation is not shown of which the last part gives back what was
// put there.
func (e *Weigher) takesBack(f *violation) string {
	return e.without(f, "what was put there is taken back, unless others came in between", func(b *register.Access) (func(*register.Access) bool, bool) {
		forth := f.putBy(b)
		return func(a *register.Access) bool {
			return !a.Writes && f.Find.Dominates(forth, a) && f.Find.Precedes(a, b)
		}, forth != nil
	})
}

// anyInstance is why a violation is not shown of which the last part looks what is there
// after an insertion.
func (e *Weigher) anyInstance(f *violation) string {
	if f.x.Category != absint.DuplicateInstance {
		return ""
	}
	return e.without(f, "what is there after an insertion is used, whoever put it there", func(b *register.Access) (func(*register.Access) bool, bool) {
		insert := f.insertBefore(b)
		return func(a *register.Access) bool { return a == insert }, insert != nil
	})
}

// clearsUp is why a violation is not shown in which the call loses an insertion, and all that it does then is to
// clear up what it has made for nothing: it gives what an atomic one would.
//
//	c := dial(addr)
//	if there, lost := m.LoadOrStore(addr, c); lost {
//		c.Close()
//		return there
//	}
func (e *Weigher) clearsUp(f *violation) string {
	w := f.x.Witness
	last, ok := f.afterOthers()
	if f.x.Several || !ok || w.Breaking < 0 || !slices.Equal(last.Vals, w.Result.Vals) || last.Panic != w.Result.Panic {
		return ""
	}
	at := w.Events[w.Breaking].Pos
	for _, a := range f.g.Accesses {
		if in := f.swap(a); in != nil && in.Pos == at && f.onlyClearsUp(a, in) {
			return "what was made for nothing is cleared up"
		}
	}
	return ""
}

// onlyClearsUp reports whether all effects that depend on an insertion are on what it offers, where it has
// failed, and there are some.
func (f *violation) onlyClearsUp(a *register.Access, insertion *register.Instr) bool {
	offered := map[register.Local]bool{f.N.Source(insertion.Args[1]).Local: true}
	delete(offered, register.None)
	passOn(f.Prog, offered, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && !register.IsTest(in.Name)
	})
	some := false
	for b, blk := range f.Prog.Blocks {
		if !f.decidesBlock(a, b) {
			continue
		}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Effect().Kind == register.NoEffect {
				continue
			}
			if !uses(in, offered) || f.wonAt(a, insertion, b) {
				return false
			}
			some = true
		}
	}
	return some
}

// wonAt reports whether a block can be reached if an insertion has taken place.
func (f *violation) wonAt(a *register.Access, insertion *register.Instr, block int) bool {
	took := insertion.Dst[len(insertion.Dst)-1]
	for _, blk := range f.Prog.Blocks {
		if blk.Term.Kind != register.Branch || !f.followsFrom(a)[blk.Term.Cond.Local] {
			continue
		}
		cond, won, _ := f.question(blk)
		if cond == took && won != block && !reaches(f.Prog, won, block, -1) {
			return false
		}
	}
	return true
}

// without is why, if some access is of a kind, and the others are atomic without it and
// what that says belongs to it.
func (e *Weigher) without(f *violation, why string, kind func(*register.Access) (belongs func(*register.Access) bool, is bool)) string {
	for _, b := range f.g.Accesses {
		belongs, is := kind(b)
		if !is || f.x.Several {
			continue
		}
		rest := slices.DeleteFunc(slices.Clone(f.g.Accesses), func(a *register.Access) bool { return a == b || belongs(a) })
		if e.isAtomic(f, rest) {
			return why
		}
	}
	return ""
}

// putBy is the access that replaced a value by an object of the call's own, if b
// gives the value back should the object still be there; nil if b does something
// else:
//
//	if !e.state.CompareAndSwap(old, mark) { return errChanged }
//	if err := e.begin(); err != nil {
//		e.state.CompareAndSwap(mark, old)
//		return err
//	}
//
// Others were meant to see the mark, and if they went on from there, it is left to
// them: nobody asks whether it was taken back.
func (f *violation) putBy(b *register.Access) *register.Access {
	back := f.swap(b)
	if back == nil || f.asked(back) {
		return nil
	}
	mark, old := f.N.Source(back.Args[0]), f.N.Source(back.Args[1])
	i := slices.IndexFunc(f.g.Accesses, func(a *register.Access) bool {
		forth := f.swap(a)
		return forth != nil && a != b && a.Cell == b.Cell && f.Find.Dominates(a, b) &&
			f.isNew(mark) && f.N.Source(forth.Args[0]) == old && f.N.Source(forth.Args[1]) == mark
	})
	if i < 0 {
		return nil
	}
	return f.g.Accesses[i]
}

// insertBefore is the access that put a new object in the cell if it was empty,
// without asking whether it was, if b looks what is there then; else nil:
//
//	p.CompareAndSwap(nil, newEntry())
//	return p.Load()
//
// The new object is not used in any other way: one that came later will do.
func (f *violation) insertBefore(b *register.Access) *register.Access {
	i := slices.IndexFunc(f.g.Accesses, func(a *register.Access) bool {
		in := f.swap(a)
		if in == nil || a.Cell != b.Cell || f.asked(in) || !f.Find.Dominates(a, b) {
			return false
		}
		empty := in.Args[0] == register.Absent || in.Args[0].IsLit() && in.Args[0].Lit == f.Prog.Cells[a.Cell].Zero
		own := f.N.Source(in.Args[1])
		return empty && f.isNew(own) && f.uses(own) == 1
	})
	if b.Writes || i < 0 {
		return nil
	}
	return f.g.Accesses[i]
}

// swap is the compare-and-swap that an access consists of; nil if it is another.
func (f *violation) swap(a *register.Access) *register.Instr {
	if len(a.Ops) != 1 {
		return nil
	}
	in := &f.Prog.Blocks[a.Ops[0].Block].Instrs[a.Ops[0].Instr]
	if in.Op != register.CAS {
		return nil
	}
	return in
}

func (f *violation) isNew(op register.Operand) bool { return !op.IsLit() && f.Prog.IsFresh(op.Local) }

// asked reports whether any result of an operation is used.
func (f *violation) asked(in *register.Instr) bool {
	used := false
	in.Defs(func(l register.Local) { used = used || f.uses(register.L(l)) > 0 })
	return used
}

// uses counts the instructions, and ends of blocks, that use a local.
func (f *violation) uses(op register.Operand) int {
	n := 0
	count := func(uses func(func(register.Local))) {
		used := false
		uses(func(l register.Local) { used = used || l == op.Local })
		if used {
			n++
		}
	}
	for _, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			count(blk.Instrs[i].Uses)
		}
		count(blk.Term.Uses)
	}
	return n
}

// Who has changed what he has found, under the lock, has done what he came for. Where somebody else says after
// that whether it is to be removed, that is another matter, and it may be a newer one by then:
//
//	if !l.take(user) { return errTooMany } // counts the try, under the lock
//	if !check(user, code) { return errWrong }
//	l.forgive(user)

// saidElsewhere is why a violation is no harm that removes an entry which the call has changed before, and which
// goes because of what somebody has said meanwhile that knows nothing of it.
func (e *Weigher) saidElsewhere(f *violation) string {
	if f.x.Category != absint.StaleDelete {
		return ""
	}
	said := func(removes *register.Access) bool {
		return slices.ContainsFunc(f.Find.Accesses, func(a *register.Access) bool {
			return a != removes && a.Cell == removes.Cell && f.changesFound(a, removes) && f.askedBetween(a, removes)
		})
	}
	some := false
	for _, b := range f.g.Accesses {
		if !b.Writes || putsEntry(f.Prog, b) || f.Prog.Cells[b.Cell].Kind != register.Map {
			continue
		}
		if some = said(b); !some {
			return ""
		}
	}
	if !some {
		return ""
	}
	return "it was changed before, and goes because of what somebody else has said"
}

// changesFound reports whether the call always changes an object that an access has found, or has put there, before
// another access, in the same hold of the lock.
func (f *violation) changesFound(a, before *register.Access) bool {
	found := f.objectsAt(a)
	changed := func(in *register.Instr) bool {
		part := in.Op == register.Write && found[f.Prog.Cells[in.Cell].Map.Local]
		return part || changes(in) && !in.Args[0].IsLit() && found[in.Args[0].Local]
	}
	tree := register.Dominators(f.Prog)
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: b, Instr: i}
			if changed(&blk.Instrs[i]) && register.Dominates(tree, b, before.Start.Block) && !f.unlockedBetween(a.Start, at) {
				return true
			}
		}
	}
	return false
}

// unlockedBetween reports whether a lock may be let go between two places.
func (f *violation) unlockedBetween(from, to register.Ref) bool {
	for b, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			at := register.Ref{Block: b, Instr: i}
			if blk.Instrs[i].Op == register.Unlock && f.Before(from, at) && f.Before(at, to) {
				return true
			}
		}
	}
	return false
}

// askedBetween reports whether what a call answers that is made between two accesses, and is told nothing of what
// the first one has found, decides whether the second one is made.
func (f *violation) askedBetween(a, b *register.Access) bool {
	found := f.followsFrom(a)
	tree := register.Dominators(f.Prog)
	for at, blk := range f.Prog.Blocks {
		if blk.Term.Kind != register.Branch || at == b.Start.Block || !register.Dominates(tree, at, b.Start.Block) || !returnsWithout(f.Prog, at, b.Start.Block) || found[blk.Term.Cond.Local] {
			continue
		}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == register.Unknown && in.Memory().Kind == register.NoMemory && !uses(in, found) && f.Before(a.Start, register.Ref{Block: at, Instr: i}) && goesBy(blk, in.Pos) {
				return true
			}
		}
	}
	return false
}
