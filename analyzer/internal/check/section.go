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
			sections = append(sections, in.Held)
		}
	}
	one := sections[0]
	return len(one) > 0 && slices.Min(one) >= 0 && !slices.ContainsFunc(sections, func(s []int) bool { return !slices.Equal(s, one) })
}

func instrAt(f *rivals.Function, at register.Ref) *register.Instr {
	return &f.Prog.Blocks[at.Block].Instrs[at.Instr]
}
