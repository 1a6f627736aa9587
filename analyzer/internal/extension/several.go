package extension

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// wide returns the groups of dependent accesses on more than one cell, one of
// them an entry of a map.
func (f *finder) wide() []Group {
	var groups []Group
	for _, set := range f.grouped(f.dependent) {
		g := Group{Prog: f.prog, Accesses: set}
		for _, a := range set {
			if !slices.Contains(g.Cells, a.Cell) {
				g.Cells = append(g.Cells, a.Cell)
			}
		}
		if len(g.Cells) > 1 && f.hasMap(g.Cells) {
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
