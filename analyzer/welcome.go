package analyzer

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// In some steps that are not atomic the code itself says that what another
// goroutine does before the last part is welcome. That is evidence of what is
// meant, and no proof: the verdict stays, and nothing is reported by default. The
// rest of the step has to be atomic.

// welcome is why what another goroutine does to a violated step is meant to be
// possible; "" if nothing says so, or if that is not all.
func (c *checked) welcome(x *Extension, f *funcInfo, g component) string {
	for _, b := range g.accesses {
		rest := slices.DeleteFunc(slices.Clone(g.accesses), func(a *reduce.Access) bool { return a == b })
		why := ""
		if forth := f.putBy(b, g); forth != nil {
			why = "what was put there is taken back, unless others came in between"
			rest = slices.DeleteFunc(rest, func(a *reduce.Access) bool {
				return !a.Writes && f.find.dominates(forth, a) && f.find.precedes(a, b)
			})
		} else if insert := f.insertBefore(b, g); insert != nil && x.Category == absint.DuplicateInstance {
			why = "what is there after an insertion is used, whoever put it there"
			rest = slices.DeleteFunc(rest, func(a *reduce.Access) bool { return a == insert })
		}
		if why != "" && c.isAtomic(f, g, rest) {
			return why
		}
	}
	return ""
}

// putBy is the access that replaced a value by an object of the call's own, if b
// gives the value back should the object still be there; nil if b does something
// else:
//
//	if !c.state.CompareAndSwap(old, mark) { return errChanged }
//	if err := c.begin(); err != nil {
//		c.state.CompareAndSwap(mark, old)
//		return err
//	}
//
// Others were meant to see the mark, and if they went on from there, it is left to
// them: nobody asks whether it was taken back.
func (f *funcInfo) putBy(b *reduce.Access, g component) *reduce.Access {
	back := f.swap(b)
	if back == nil || f.asked(back) {
		return nil
	}
	mark, old := f.n.Source(back.Args[0]), f.n.Source(back.Args[1])
	i := slices.IndexFunc(g.accesses, func(a *reduce.Access) bool {
		forth := f.swap(a)
		return forth != nil && a != b && a.Cell == b.Cell && f.find.dominates(a, b) &&
			f.isNew(mark) && f.n.Source(forth.Args[0]) == old && f.n.Source(forth.Args[1]) == mark
	})
	if i < 0 {
		return nil
	}
	return g.accesses[i]
}

// insertBefore is the access that put a new object in the cell if it was empty,
// without asking whether it was, if b looks what is there then; else nil:
//
//	p.CompareAndSwap(nil, newEntry())
//	return p.Load()
//
// The new object is not used in any other way: one that came later will do.
func (f *funcInfo) insertBefore(b *reduce.Access, g component) *reduce.Access {
	i := slices.IndexFunc(g.accesses, func(a *reduce.Access) bool {
		in := f.swap(a)
		if in == nil || a.Cell != b.Cell || f.asked(in) || !f.find.dominates(a, b) {
			return false
		}
		empty := in.Args[0] == reduce.Absent || in.Args[0].IsLit() && in.Args[0].Lit == f.prog.Cells[a.Cell].Zero
		own := f.n.Source(in.Args[1])
		return empty && f.isNew(own) && f.uses(own) == 1
	})
	if b.Writes || i < 0 {
		return nil
	}
	return g.accesses[i]
}

// swap is the compare-and-swap that an access consists of; nil if it is another.
func (f *funcInfo) swap(a *reduce.Access) *reduce.Instr {
	if len(a.Ops) != 1 {
		return nil
	}
	in := &f.prog.Blocks[a.Ops[0].Block].Instrs[a.Ops[0].Instr]
	if in.Op != reduce.CAS {
		return nil
	}
	return in
}

func (f *funcInfo) isNew(op reduce.Operand) bool { return !op.IsLit() && f.prog.IsFresh(op.Local) }

// asked reports whether any result of an operation is used.
func (f *funcInfo) asked(in *reduce.Instr) bool {
	used := false
	in.Defs(func(l reduce.Local) { used = used || f.uses(reduce.L(l)) > 0 })
	return used
}

// uses counts the instructions, and ends of blocks, that use a local.
func (f *funcInfo) uses(op reduce.Operand) int {
	n := 0
	count := func(uses func(func(reduce.Local))) {
		used := false
		uses(func(l reduce.Local) { used = used || l == op.Local })
		if used {
			n++
		}
	}
	for _, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			count(blk.Instrs[i].Uses)
		}
		count(blk.Term.Uses)
	}
	return n
}
