package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// wide returns the groups of dependent accesses on more than one cell, one of
// them an entry of a map.
func (f *finder) wide() []Group {
	return f.several(f.dependent, func(g Group) bool { return f.hasMap(g.Cells) || f.guarded(g.Cells) })
}

// sections returns what is done to more than one guarded cell in one critical section,
// and changes some of them: that is one step, whether or not one depends on another.
func (f *finder) sections() []Group {
	return f.several(f.inOneSection, func(g Group) bool {
		return slices.ContainsFunc(g.Accesses, func(a *register.Access) bool { return a.Writes })
	})
}

// inOneSection reports whether two accesses lie in one critical section.
func (f *finder) inOneSection(i, j int) bool {
	held := func(a *register.Access) []int {
		if !f.prog.Cells[a.Cell].Guarded {
			return nil
		}
		last := a.Ops[len(a.Ops)-1]
		return f.prog.Blocks[last.Block].Instrs[last.Instr].Held
	}
	theirs := held(f.Accesses[j])
	return slices.ContainsFunc(held(f.Accesses[i]), func(n int) bool { return n > 0 && slices.Contains(theirs, n) })
}

// several returns the groups of linked accesses on more than one cell that are wanted.
func (f *finder) several(linked func(i, j int) bool, wanted func(Group) bool) []Group {
	var groups []Group
	for _, set := range f.grouped(linked) {
		g := Group{Prog: f.prog, Accesses: set}
		for _, a := range set {
			if !slices.Contains(g.Cells, a.Cell) {
				g.Cells = append(g.Cells, a.Cell)
			}
		}
		if len(g.Cells) > 1 && wanted(g) {
			slices.Sort(g.Cells)
			groups = append(groups, g)
		}
	}
	return groups
}

// hasMap reports whether one of the cells is an entry of a map. Protocols of
// several atomics are made by people who know that each is one step.
func (f *finder) hasMap(cells []int) bool {
	return slices.ContainsFunc(cells, func(cell int) bool { return f.prog.Cells[cell].Kind == register.Map })
}

// guarded reports whether all cells are what a lock guards: what is done to several of
// them at once is one step.
func (f *finder) guarded(cells []int) bool {
	return !slices.ContainsFunc(cells, func(cell int) bool { return !f.prog.Cells[cell].Guarded })
}
