package check

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// What is done to guarded memory in one critical section is one operation, however
// many loads and stores it takes. And what is done to it without its lock is a data
// race, whatever else it is: that is told by the race detector, and no sequence of
// operations can be made of it.

// oneOperation reports whether a group is no sequence: all of it is on guarded memory,
// and either it lies in one section, or a part of it lies in none.
func oneOperation(f *rivals.Function, g extension.Group) bool {
	var sections [][]int
	var ops []register.Ref
	for _, a := range g.Accesses {
		if !f.Prog.Cells[a.Cell].Guarded {
			return false
		}
		entered := instrAt(f, a.Start).Op == register.Enter
		for _, op := range a.Ops {
			in := instrAt(f, op)
			if len(in.Held) == 0 && !entered {
				return true
			}
			sections, ops = append(sections, in.Held), append(ops, op)
		}
	}
	one := sections[0]
	if len(one) == 0 || slices.ContainsFunc(sections, func(s []int) bool { return !slices.Equal(s, one) }) {
		return false
	}
	return slices.Min(one) >= 0 || inOneGo(f, ops)
}

// inOneGo reports whether operations come one after the other with no lock let go in between. Where
// each round of a loop begins in a section that another one has begun, that is all that is known:
//
//	mu.Lock()
//	for head != nil {
//		count--
//		mu.Unlock()
//		…
//		mu.Lock()
//	}
func inOneGo(f *rivals.Function, ops []register.Ref) bool {
	first, last := ops[0], ops[0]
	for _, op := range ops {
		if op.Block != first.Block {
			return false
		}
		first.Instr, last.Instr = min(first.Instr, op.Instr), max(last.Instr, op.Instr)
	}
	between := f.Prog.Blocks[first.Block].Instrs[first.Instr:last.Instr]
	return !slices.ContainsFunc(between, func(in register.Instr) bool { return in.Op == register.Unlock })
}

func instrAt(f *rivals.Function, at register.Ref) *register.Instr {
	return &f.Prog.Blocks[at.Block].Instrs[at.Instr]
}
