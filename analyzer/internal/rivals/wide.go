package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// StepsOn are what the package does to the cells of a region. Others are the steps on
// each cell alone; those that do the same there are one. Steps on several cells are
// made in each way in which their keys can be the region's.
func (w *World) StepsOn(region *register.Program, roots []string, others [][]*Step) []absint.Step {
	var out []absint.Step
	several := len(region.Cells) > 1
	for i := range region.Cells {
		cell := &region.Cells[i]
		seen := map[string]bool{}
		for _, s := range others[i] {
			c := &s.Step.Program.Cells[0]
			if DifferentKeys(c, cell) || c.Kind != cell.Kind || seen[s.Text] || several && s.coveredBy(w.wide) {
				continue
			}
			seen[s.Text] = true
			out = append(out, s.on(region, []int{i}))
		}
		if cell.Evicts {
			step := eviction(*cell)
			step.Cells = []int{i}
			out = append(out, step)
		}
	}
	if several {
		for _, s := range w.wide {
			for _, cells := range s.assignments(region, roots) {
				out = append(out, s.on(region, cells))
			}
		}
	}
	return out
}

// on is the step on some cells of a region: cells[i] is its i-th one, or -1.
func (s *Step) on(region *register.Program, cells []int) absint.Step {
	step := s.Step
	step.Cells, step.Bind = cells, bind(step.Program, region, cells)
	if len(region.Cells) > 1 {
		step.Locks = nil // that of which cell is not known
	}
	return step
}

// coveredBy reports whether the step is a part of one on several cells.
func (s *Step) coveredBy(wide []*Step) bool {
	return slices.ContainsFunc(wide, func(o *Step) bool {
		return !slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return !slices.Contains(o.Positions, pos) })
	})
}

// assignments are the ways to give the step's cells some of the region's, -1
// for a cell that the region does not have.
func (s *Step) assignments(region *register.Program, roots []string) [][]int {
	ways := [][]int{nil}
	for i, cell := range s.Step.Program.Cells {
		var next [][]int
		for _, way := range ways {
			next = append(next, append(slices.Clone(way), -1))
			for k := range region.Cells {
				c := &region.Cells[k]
				if s.roots[i] == roots[k] && cell.Kind == c.Kind && !DifferentKeys(&cell, c) && !slices.Contains(way, k) {
					next = append(next, append(slices.Clone(way), k))
				}
			}
		}
		ways = next
	}
	return slices.DeleteFunc(ways, func(way []int) bool {
		return !slices.ContainsFunc(way, func(k int) bool { return k >= 0 })
	})
}

// DifferentKeys reports whether two keys are certainly not equal: two literals,
// or values of two types.
func DifferentKeys(a, b *register.Cell) bool {
	literals := a.Key.IsLit() && b.Key.IsLit() && a.Key.Lit != b.Key.Lit
	return literals || a.KeyType != "" && b.KeyType != "" && a.KeyType != b.KeyType
}
