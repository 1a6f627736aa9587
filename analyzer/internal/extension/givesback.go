package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Who takes something out has it for himself, for as long as he likes. If he is not done with it he
// gives it back, beside what is there by then:
//
//	q.mu.Lock(); m := q.list[0]; q.list = q.list[1:]; q.mu.Unlock()
//	if send(m) != nil {
//		q.mu.Lock(); q.list = append(q.list, m); q.mu.Unlock()
//	}
//
// Others are meant to see that it is gone meanwhile. Left out is who only looks, and who puts what he
// took in the place of what others have put there.

// givesBack reports whether access j gives back what access i took away, and leaves what is there now.
func (f *finder) givesBack(i, j int) bool {
	a, b := f.Accesses[i], f.Accesses[j]
	if a.Cell != b.Cell || !f.takesAway(a) || !b.Writes {
		return false
	}
	taken, there := f.partsOf(a), f.found(b)
	return f.allWrites(b, func(in *register.Instr) bool {
		if in.Op == register.CAS { // who is not told whether it is back may have lost it
			return f.isEmpty(b.Cell, in.Args[0]) && f.isOneOf(taken, in.Args[1]) && f.used(j)
		}
		def, _ := f.n.Def(in.Args[0])
		if def == nil || !register.IsAppend(def.Name) || len(def.Args) == 0 {
			return false
		}
		given := func(op register.Operand) bool { return f.isOneOf(taken, op) }
		kept := func(op register.Operand) bool { return f.isOneOf(there, op) }
		return slices.ContainsFunc(def.Args, given) && slices.ContainsFunc(def.Args, kept)
	})
}

// takesAway reports whether all that an access writes is what it has found without a part of that, or
// nothing.
func (f *finder) takesAway(a *register.Access) bool {
	there := f.found(a)
	return a.Writes && f.allWrites(a, func(in *register.Instr) bool {
		return in.Op == register.Write && (f.isEmpty(a.Cell, in.Args[0]) || f.isRest(there, in.Args[0], maxKeySteps))
	})
}

// isRest reports whether a value is cut from what was found, in one piece or several.
func (f *finder) isRest(there map[register.Local]bool, op register.Operand, depth int) bool {
	def, _ := f.n.Def(op)
	if def == nil || depth == 0 || len(def.Args) == 0 {
		return false
	}
	switch def.Name {
	case register.SliceOf:
		return f.isOneOf(there, def.Args[0]) || f.isRest(there, def.Args[0], depth-1)
	case register.Append, register.AppendAll:
		return !slices.ContainsFunc(def.Args, func(o register.Operand) bool { return !f.isRest(there, o, depth-1) })
	}
	return false
}

// isEmpty reports whether a value is what a cell holds when nothing is there.
func (f *finder) isEmpty(cell int, op register.Operand) bool {
	return op == register.Absent || op.IsLit() && op.Lit == f.prog.Cells[cell].Zero
}

// found are the values that the operations of an access find.
func (f *finder) found(a *register.Access) map[register.Local]bool {
	out := map[register.Local]bool{}
	for _, op := range a.Ops {
		if in := &f.prog.Blocks[op.Block].Instrs[op.Instr]; in.IsBase() && len(in.Dst) > 0 {
			out[in.Dst[0]] = true
		}
	}
	delete(out, register.None)
	return out
}

// partsOf are the values that an access finds, what lies in them, and what that was made a part of. How
// many there are is none of them.
func (f *finder) partsOf(a *register.Access) map[register.Local]bool {
	out := f.found(a)
	for n := -1; n != len(out); {
		n = len(out)
		for _, blk := range f.prog.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				part := in.Op == register.Copy || in.Op == register.Fresh || in.Op == register.Pure && (f.isForm(in) || in.Memory().Kind != register.NoMemory)
				if part && anyMarked(out, in.Args) {
					in.Defs(func(l register.Local) { out[l] = true })
				}
			}
		}
	}
	return out
}

func (f *finder) isOneOf(some map[register.Local]bool, op register.Operand) bool {
	return !op.IsLit() && (some[op.Local] || some[f.n.Source(op).Local])
}

// allWrites reports whether all that an access writes is of a kind.
func (f *finder) allWrites(a *register.Access, is func(*register.Instr) bool) bool {
	return !slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
		return in.Op != register.Read && !is(in)
	})
}
