package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step on several entries of a map is made for whatever keys. As a rule they differ, and there is something
// under each. Seldom two of them are one, or there is nothing under one that is none of the region's:
//
//	func (s *Store) Fallback(k, other string) any {
//		v, ok := s.m.Load(k)
//		if !ok {
//			v, _ = s.m.LoadOrStore(other, s.initial)
//		}
//		return v
//	}

// RareSteps are what the package does to the cells of a region besides the steps on it, if that takes
// chance: steps whose keys are equal, and steps that find nothing in entries of their own.
func (w *World) RareSteps(locks Locking, region *register.Program, roots []string, steps []absint.Step) []absint.Step {
	var same []absint.Step
	for _, s := range w.wide {
		if !w.happens(s) {
			continue
		}
		c := w.constant(s)
		for _, a := range w.alikeOf(c)[1:] {
			for _, cells := range a.assignments(region, roots) {
				step := c.on(region, a.each(cells), locks)
				step.Program, step.Cells = a.Step.Program, cells
				same = append(same, a.everywhere(step, region))
			}
		}
	}
	return append(same, vacant(append(slices.Clone(steps), same...))...)
}

// alikeOf are a step again for each way in which some of its keys can be equal, the first with none.
func (w *World) alikeOf(s *Step) []*Step {
	out, known := w.alike[s]
	if known {
		return out
	}
	p := s.Step.Program
	for i, into := range mergings(p, s.roots) {
		t := s
		if i > 0 || (comparedKeys{p, register.Number(p), into}).compares() {
			u := *s
			u.Step.Program, u.roots, u.into = Merge(p, into), Pick(s.roots, into), into
			t = &u
		}
		out = append(out, t)
	}
	w.alike[s] = out
	return out
}

// each is where all cells of the step are of which this is one with equal keys, if its own are there.
func (s *Step) each(cells []int) []int {
	out, n := make([]int, len(s.into)), 0
	for i, k := range s.into {
		if i == k {
			out[i] = cells[n]
			n++
		} else {
			out[i] = out[k]
		}
	}
	return out
}

// vacant are steps with nothing in some of the entries that are their own, if they look at them.
func vacant(steps []absint.Step) []absint.Step {
	var out []absint.Step
	for i := range steps {
		s := &steps[i]
		ways := [][]int{s.Cells}
		for k, cell := range s.Cells {
			if cell >= 0 || cell == absint.Vacant || s.Program.Cells[k].Kind != register.Map || !looksAt(s.Program, k) {
				continue
			}
			for _, way := range ways {
				way = slices.Clone(way)
				way[k] = absint.Vacant
				ways = append(ways, way)
			}
		}
		for _, way := range ways[1:] {
			v := *s
			v.Cells = way
			out = append(out, v)
		}
	}
	return out
}

// looksAt reports whether something follows from what is in a cell of a program.
func looksAt(p *register.Program, cell int) bool {
	return slices.ContainsFunc(p.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) (looks bool) {
			if in.IsBase() && in.Cell == cell {
				in.Defs(func(register.Local) { looks = true })
			}
			return looks
		})
	})
}
