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
	return w.StepsUnder(Locking{}, region, roots, others)
}

// Locking says what is known of the locks of a region on several cells.
type Locking struct {
	// Names are those of the locks, for each of the cells, and Held the names of
	// those that the region holds at some time.
	Names []*LockNames
	Held  map[string]bool
	// Whole says that steps on several cells are made as a whole. Else a step that
	// takes a lock of the region for a part of what it does is also made part by
	// part: before it waits for the lock, it has done something.
	Whole bool
}

// StepsUnder is StepsOn for a region on several cells with locks.
func (w *World) StepsUnder(locks Locking, region *register.Program, roots []string, others [][]*Step) []absint.Step {
	var out, wide []absint.Step
	var whole []*Step
	several := len(region.Cells) > 1
	counts := slices.ContainsFunc(region.Cells, func(c register.Cell) bool { return c.Counted })
	if several {
		for _, s := range w.wide {
			if !w.happens(s) || s.limits && !counts {
				continue // it is a part of a section
			}
			ways, c := s.assignments(region, roots), w.alikeOf(w.constant(s))[0]
			for _, cells := range ways {
				wide = append(wide, c.everywhere(w.knowing(c, c.on(region, cells, locks)), region))
			}
			if locks.Whole || !slices.ContainsFunc(ways, func(cells []int) bool { return s.waitsWithin(cells, locks) }) {
				whole = append(whole, s)
			}
		}
	}
	for i := range region.Cells {
		cell := &region.Cells[i]
		seen := map[string]bool{}
		for _, s := range others[i] {
			c := &s.Step.Program.Cells[0]
			if register.DifferentKeys(c, cell) || c.Kind != cell.Kind || seen[s.Text] || s.coveredBy(whole) || cell.Counted && s.isOther(region, i) {
				continue
			}
			seen[s.Text] = true
			out = append(out, s.everywhere(s.on(region, []int{i}, locks), region))
		}
		if cell.Evicts {
			step := eviction(*cell)
			step.Cells = []int{i}
			out = append(out, step)
		}
	}
	return append(out, wide...)
}

// isOther reports whether the entry that a step on one cell is about is another cell of a region than one that is only counted.
func (s *Step) isOther(region *register.Program, counted int) bool {
	way := uncounted(region, []int{counted})
	return newBinding(register.Number(s.Step.Program), register.Number(region), s.Step.Program, region, way).contradicts(way)
}

// knowing is a step on some cells of a region that knows what its own cells hold, where that is all that anybody puts there:
//
//	m.Store(k, none) // and nobody stores anything else
func (w *World) knowing(s *Step, step absint.Step) absint.Step {
	if len(s.cells) != len(step.Program.Cells) {
		return step
	}
	step.Only = make([]register.Value, len(s.cells))
	for i, cell := range s.cells {
		found := w.found(s.From, cell)
		if step.Cells[i] != -1 || found == nil || found.contents.isAny() || step.Program.Cells[i].Kind != register.Map {
			continue
		}
		there := slices.DeleteFunc(slices.Clone(found.contents), func(v register.Value) bool { return v == register.LitAbsent })
		switch {
		case len(there) == 0:
			step.Cells = slices.Clone(step.Cells)
			step.Cells[i] = absint.Vacant
		case len(there) == 1 && there[0] != someObject:
			step.Only[i] = there[0]
		}
	}
	return step
}

// on is the step on some cells of a region: cells[i] is its i-th one, or -1.
func (s *Step) on(region *register.Program, cells []int, locks Locking) absint.Step {
	step := s.Step
	step.Cells, step.Bind = cells, bind(step.Program, region, cells)
	if len(region.Cells) > 1 {
		step.Locks = nil // that of which cell is not known
		if locks.Names != nil {
			taken := s.once(cells, locks.Names)
			if len(cells) > 1 && !locks.Whole && s.waitsWithin(cells, locks) {
				taken = s.sometimes(cells, locks.Names) // without them it is made part by part
			}
			step.Locks = slices.DeleteFunc(taken.Holds(), func(h absint.Hold) bool { return !locks.Held[h.Lock] })
		}
	}
	return step
}

// everywhere is a step on some cells of a region where what it writes to every entry of a
// map it writes to each cell of that map, its own and those that the region has besides; and
// where it counts the entries of a map, it counts those cells.
func (s *Step) everywhere(step absint.Step, region *register.Program) absint.Step {
	cell, counted := register.EveryCell(step.Program), register.Counted(step.Program)
	if cell < 0 && len(counted) == 0 {
		return step
	}
	step.Program = step.Program.Clone()
	if cell >= 0 {
		register.WriteEvery(step.Program, s.allOf(&step, region, step.Program.Cells[cell].Map))
	}
	for _, of := range counted {
		s.allOf(&step, region, of)
	}
	register.CountEntries(step.Program)
	return step
}

// allOf are the cells of one of a step's maps: its own, and those that a region has besides, which
// it is given.
func (s *Step) allOf(step *absint.Step, region *register.Program, of register.Operand) (on []int) {
	p := step.Program
	own, theirs := register.Number(p), register.Number(region)
	there := "" // the map, as the region knows it
	for i, c := range p.Cells {
		if c.Kind != register.Map || own.Path(c.Map) != own.Path(of) {
			continue
		}
		on = append(on, i)
		if k := step.Cells[i]; k >= 0 {
			there = theirs.Path(region.Cells[k].Map)
		}
	}
	for k, c := range region.Cells {
		if there != "" && theirs.Path(c.Map) == there && c.Kind == register.Map && !slices.Contains(step.Cells, k) {
			on = append(on, len(p.Cells))
			p.Cells = append(p.Cells, register.Cell{Kind: c.Kind, Map: of, Key: register.NoOperand, Type: c.Type, Zero: c.Zero})
			step.Cells = append(slices.Clone(step.Cells), k)
		}
	}
	return on
}

// waitsWithin reports whether the step takes a lock of the region for a part of what it
// does to the region's cells.
func (s *Step) waitsWithin(cells []int, locks Locking) bool {
	if locks.Names == nil {
		return false
	}
	all := s.throughout(cells, locks.Names)
	for key := range s.sometimes(cells, locks.Names) {
		if _, ok := all[key]; !ok && locks.Held["&"+key] {
			return true
		}
	}
	return false
}

// coveredBy reports whether the step is a part of one on several cells.
func (s *Step) coveredBy(wide []*Step) bool {
	return slices.ContainsFunc(wide, func(o *Step) bool {
		return !slices.ContainsFunc(s.Positions, func(pos register.Pos) bool { return !slices.Contains(o.Positions, pos) })
	})
}

// uncounted are some cells of a region without those that are only counted, any of which is none of the others.
func uncounted(region *register.Program, cells []int) []int {
	out := slices.Clone(cells)
	for i, cell := range out {
		if cell >= 0 && region.Cells[cell].Counted {
			out[i] = -1
		}
	}
	return out
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
				if s.roots[i] == roots[k] && cell.Kind == c.Kind && !register.DifferentKeys(&cell, c) && !slices.Contains(way, k) {
					next = append(next, append(slices.Clone(way), k))
				}
			}
		}
		ways = next
	}
	own, theirs := register.Number(s.Step.Program), register.Number(region)
	return slices.DeleteFunc(ways, func(way []int) bool {
		if !slices.ContainsFunc(way, func(k int) bool { return k >= 0 }) {
			return true
		}
		way = uncounted(region, way)
		return slices.Contains(way, -1) && newBinding(own, theirs, s.Step.Program, region, way).contradicts(way)
	})
}
