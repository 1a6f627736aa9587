package judge

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step on several cells can contain one that only remembers a result:
//
//	func (c *config) Watch(key string, o Observer) error {
//		if c.Value(key) == nil { // looks it up, and remembers it
//			return ErrNotFound
//		}
//		c.observers.Store(key, o)
//		return nil
//	}
//
// Whether it matters that two may look up the same is asked where that is done: it
// is an extension of its own. The other cell only has something to do with it if
// what is remembered can come and go. If all that the package ever stores there
// follows from the key, and nothing is deleted, it cannot: whether it has been
// remembered already says nothing.

// aside reports whether a group on several cells is about no more than one write
// besides cells that only remember.
func (j *Judge) aside(f *rivals.Function, g extension.Group) bool {
	memory := map[int]bool{}
	for _, own := range f.Groups {
		cell := own.Cells[0]
		mine := func(a *register.Access) bool { return a.Cell == cell }
		if slices.Contains(g.Cells, cell) && j.onlyRemembers(f.Root(cell)) && slices.ContainsFunc(own.Accesses, mine) {
			memory[cell] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(g.Accesses), func(a *register.Access) bool { return memory[a.Cell] })
	return len(memory) > 0 && len(rest) == 1
}

// onlyRemembers reports whether the maps of a root belong to the package, and it
// stores nothing there but what follows from the key.
func (j *Judge) onlyRemembers(root string) bool {
	if !j.World.Closed(root) || len(j.World.Births(root)) > 0 {
		return false
	}
	return !slices.ContainsFunc(j.World.Steps[root], func(s *rivals.Step) bool {
		return s.Writes && !remembers(s.From, s.Accesses)
	})
}

// remembers reports whether some accesses store only what follows from the key, and
// delete nothing.
func remembers(f *rivals.Function, accesses []*register.Access) bool {
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != register.Write && in.Op != register.CAS {
				continue
			}
			if v, stores := StoredOperand(in); !stores || !newMemo(f, in.Cell, true).follows(v) {
				return false
			}
		}
	}
	return true
}
