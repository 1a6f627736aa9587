package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What programs do, whatever they are for.

// uses reports whether an instruction uses one of some locals.
func uses(in *register.Instr, some map[register.Local]bool) bool {
	found := false
	in.Uses(func(l register.Local) { found = found || some[l] })
	return found
}

// reaches reports whether one block can come after another, without a third.
func reaches(p *register.Program, from, to, past int) bool {
	seen := map[int]bool{}
	work := slices.Clone(p.Blocks[from].Term.To)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] || b == past {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		work = append(work, p.Blocks[b].Term.To...)
	}
	return false
}

// returnsWithout reports whether a return can be reached from a block past another one.
func returnsWithout(p *register.Program, from, past int) bool {
	return endsWithout(p, from, past, func(blk *register.Block) bool { return blk.Term.Kind == register.Return })
}

// endsWithout reports whether an end of a kind can be reached from a block past another one.
func endsWithout(p *register.Program, from, past int, is func(*register.Block) bool) bool {
	for b, blk := range p.Blocks {
		if is(blk) && b != past && (b == from || reaches(p, from, b, past)) {
			return true
		}
	}
	return false
}

func someInstr(p *register.Program, is func(register.Instr) bool) bool {
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool { return slices.ContainsFunc(blk.Instrs, is) })
}

// followsFrom are what an access has found, and what is computed from that.
func (v *violation) followsFrom(a *register.Access) map[register.Local]bool {
	found := foundBy(a)
	closeOver(v.Prog, found)
	return found
}

// foundBy are what accesses find.
func foundBy(accesses ...*register.Access) map[register.Local]bool {
	found := map[register.Local]bool{}
	for _, a := range accesses {
		for _, l := range a.Outcome {
			found[l] = true
		}
	}
	delete(found, register.None)
	return found
}

// closeOver adds what is computed from some values.
func closeOver(p *register.Program, found map[register.Local]bool) {
	passOn(p, found, func(in *register.Instr) bool { return in.Op == register.Pure && in.Name != "choose" })
}

// passOn adds to some values what instructions of a kind make of them, and of that in turn.
func passOn(p *register.Program, found map[register.Local]bool, through func(*register.Instr) bool) {
	for n := -1; n != len(found); {
		n = len(found)
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				if in := &blk.Instrs[i]; through(in) && uses(in, found) {
					in.Defs(func(l register.Local) { found[l] = true })
				}
			}
		}
	}
}

// changes reports whether an instruction changes the object that is its first argument.
func changes(in *register.Instr) bool {
	return in.Op == register.Effect && in.Memory().Writes && len(in.Args) > 0
}

func putsSomething(in *register.Instr) bool {
	return (in.Op == register.Write || in.Op == register.CAS) && in.Args[len(in.Args)-1] != register.Absent
}

// putsEntry reports whether an access stores something, and not nothing.
func putsEntry(p *register.Program, a *register.Access) bool {
	return slices.ContainsFunc(a.Ops, func(op register.Ref) bool {
		return putsSomething(&p.Blocks[op.Block].Instrs[op.Instr])
	})
}

func defines(in *register.Instr, l register.Local) bool {
	found := false
	in.Defs(func(d register.Local) { found = found || d == l })
	return found
}

// putsSome reports whether a program puts an entry somewhere.
func putsSome(p *register.Program) bool {
	return someInstr(p, func(in register.Instr) bool { return putsSomething(&in) })
}

// goesBy reports whether a block ends in a branch that goes by the result of the call at a
// place.
func goesBy(blk *register.Block, pos register.Pos) bool {
	results := map[register.Local]bool{}
	for i := range blk.Instrs {
		switch in := &blk.Instrs[i]; {
		case (in.Op == register.Unknown || in.Op == register.CAS || in.Op == register.Write) && in.Pos == pos, in.Op == register.Pure && uses(in, results):
			in.Defs(func(l register.Local) { results[l] = true })
		}
	}
	delete(results, register.None)
	return blk.Term.Kind == register.Branch && results[blk.Term.Cond.Local]
}

// writtenCells are the cells that a region writes.
func writtenCells(p *register.Program) map[int]bool {
	cells := map[int]bool{}
	for _, a := range register.Accesses(p) {
		if a.Writes {
			cells[a.Cell] = true
		}
	}
	return cells
}

// grownCells are those to which a list is written that was found there, with something added.
func grownCells(p *register.Program) map[int]bool {
	found, grown := map[register.Local]int{}, map[register.Local]int{}
	cells := map[int]bool{}
	for _, blk := range p.Blocks { // each local is assigned before it is used
		for i := range blk.Instrs {
			switch in := &blk.Instrs[i]; {
			case in.Op == register.Read && len(in.Dst) > 0:
				found[in.Dst[0]] = in.Cell
			case in.Op == register.Pure && in.Name == "append" && len(in.Args) > 0:
				if cell, ok := found[in.Args[0].Local]; ok {
					grown[in.Dst[0]] = cell
				}
			case in.Op == register.Write && len(in.Args) > 0:
				if cell, ok := grown[in.Args[0].Local]; ok && cell == in.Cell {
					cells[cell] = true
				}
			}
		}
	}
	return cells
}

// question is what a branch at the end of a block asks, and the blocks to which it leads if that holds and if it does not.
func (v *violation) question(blk *register.Block) (cond register.Local, holds, fails int) {
	asked := v.N.Source(blk.Term.Cond)
	holds, fails = blk.Term.To[0], blk.Term.To[1]
	if def := v.Prog.OnlyDef(asked.Local); def != nil && def.Op == register.Pure && def.Name == "not" {
		asked, holds, fails = v.N.Source(def.Args[0]), fails, holds
	}
	return asked.Local, holds, fails
}

// storesAt is the block in which an access stores something: a section begins before what it asks first.
func (v *violation) storesAt(a *register.Access) int {
	for _, op := range a.Ops {
		if _, ok := judge.StoredOperand(&v.Prog.Blocks[op.Block].Instrs[op.Instr]); ok {
			return op.Block
		}
	}
	return a.Start.Block
}

// with are some values, and what has some of them in it.
func (v *violation) with(parts map[register.Local]bool) map[register.Local]bool {
	passOn(v.Prog, parts, func(in *register.Instr) bool {
		switch in.Op {
		case register.Copy, register.Fresh:
			return true
		case register.Pure:
			return !register.IsTest(in.Name) && (in.Name != "choose" || uses(&register.Instr{Args: in.Args[1:]}, parts))
		}
		return false
	})
	return parts
}

// onlyAsks reports whether the step looks, and only asks of what it finds there what that is.
func (v *violation) onlyAsks() bool {
	looks := slices.DeleteFunc(slices.Clone(v.g.Accesses), func(a *register.Access) bool { return a.Writes })
	found := v.with(foundBy(looks...))
	return len(looks) > 0 && !someInstr(v.Prog, func(in register.Instr) bool {
		if in.IsBase() && found[v.N.Source(v.Prog.Cells[in.Cell].Key).Local] {
			return true
		}
		return in.Op != register.Copy && in.Op != register.Pure && in.Op != register.Fresh && uses(&in, found)
	})
}

// reachedIf reports whether a block is reached only past a branch on a condition, where that holds.
func (v *violation) reachedIf(cond register.Local, block int) bool {
	tree := register.Dominators(v.Prog)
	return slices.ContainsFunc(v.Prog.Blocks, func(blk *register.Block) bool {
		if blk.Term.Kind != register.Branch {
			return false
		}
		asked, holds, fails := v.question(blk)
		return asked == cond && holds != fails && register.Dominates(tree, holds, block)
	})
}

// decidesBlock reports whether what an access finds decides whether a block is reached, perhaps as one of several values that
// a variable has then.
func (f *violation) decidesBlock(a *register.Access, block int) bool {
	found := foundBy(a)
	passOn(f.Prog, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && in.Name != "choose"
	})
	for at, blk := range f.Prog.Blocks {
		if blk.Term.Kind == register.Branch && found[blk.Term.Cond.Local] && at != block && reaches(f.Prog, at, block, -1) && returnsWithout(f.Prog, at, block) {
			return true
		}
	}
	return false
}

// looksAsWritten is the instruction of an access that writes, and says what was there before, or goes by it; nil if
// there is none.
func looksAsWritten(p *register.Program, a *register.Access) *register.Instr {
	for _, op := range a.Ops {
		in := &p.Blocks[op.Block].Instrs[op.Instr]
		asks := slices.ContainsFunc(in.Dst, func(l register.Local) bool { return l != register.None })
		if in.Op == register.CAS || in.Op == register.Write && asks {
			return in
		}
	}
	return nil
}
