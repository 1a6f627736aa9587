package extension

import (
	"cmp"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A sequence on many cells is a chain of links: a write, and what decides it.
//
//	if s.closed.Load() {
//		return
//	}
//	c, ok := s.conns[id]
//	...
//	s.byAddr[addr] = c
//
// Its parts are the links of two cells each. What a part finds in the other cells is an
// input of it: it says nothing of them.

// Parts are the parts of a group, those with the fewest accesses first. Each cell of the
// group is in one of them; there are none if that cannot be.
func (f *Function) Parts(g Group) []Group {
	number := map[*register.Access]int{}
	for i, a := range f.Find.Accesses {
		number[a] = i
	}
	var parts []Group
	linked := map[int]bool{}
	for i, c := range g.Cells {
		for _, d := range g.Cells[i+1:] {
			part := Group{Prog: g.Prog, Cells: []int{c, d}}
			link := false
			for _, a := range g.Accesses {
				if a.Cell != c && a.Cell != d {
					continue
				}
				part.Accesses = append(part.Accesses, a)
				link = link || slices.ContainsFunc(g.Accesses, func(b *register.Access) bool {
					return a.Cell != b.Cell && (b.Cell == c || b.Cell == d) && f.Find.dependent(number[a], number[b])
				})
			}
			if link {
				parts = append(parts, part)
				linked[c], linked[d] = true, true
			}
		}
	}
	if len(linked) < len(g.Cells) {
		return nil
	}
	slices.SortStableFunc(parts, func(a, b Group) int { return cmp.Compare(len(a.Accesses), len(b.Accesses)) })
	return parts
}
