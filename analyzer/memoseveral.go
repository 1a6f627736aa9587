package analyzer

import (
	"slices"

	"github.com/mapatom/mapatom/reduce"
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
func (j *judge) aside(f *funcInfo, g component) bool {
	memory := map[int]bool{}
	for _, own := range f.groups {
		cell := own.cells[0]
		mine := func(a *reduce.Access) bool { return a.Cell == cell }
		if slices.Contains(g.cells, cell) && j.onlyRemembers(f.root(cell)) && slices.ContainsFunc(own.accesses, mine) {
			memory[cell] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(g.accesses), func(a *reduce.Access) bool { return memory[a.Cell] })
	return len(memory) > 0 && len(rest) == 1
}

// onlyRemembers reports whether the maps of a root belong to the package, and it
// stores nothing there but what follows from the key.
func (j *judge) onlyRemembers(root string) bool {
	if !j.worlds.closed(root) || len(j.worlds.births[root]) > 0 {
		return false
	}
	return !slices.ContainsFunc(j.worlds.steps[root], func(s *worldStep) bool {
		return s.writes && !s.from.remembers(s.accesses)
	})
}

// remembers reports whether some accesses store only what follows from the key, and
// delete nothing.
func (f *funcInfo) remembers(accesses []*reduce.Access) bool {
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
			if in.Op != reduce.Write && in.Op != reduce.CAS {
				continue
			}
			if v, stores := storedOperand(in); !stores || !f.newMemo(in.Cell, true).follows(v) {
				return false
			}
		}
	}
	return true
}
