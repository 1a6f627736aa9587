package analyzer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// A step can be about several cells: two maps that index each other, a map and
// the number of its entries, the two keys of a move. It is found where what is
// done to one cell depends on what another one held, and goes through the same
// engine with one register for each. Two keys of one map that can be equal are
// tried both ways.

// several returns the groups of dependent accesses on more than one cell, one of
// them an entry of a map.
func (f *finder) several() []component {
	var groups []component
	for _, set := range f.grouped(func(i, j int) bool { return f.dependent(i, j) || f.linked(i, j) }) {
		g := component{prog: f.prog, accesses: set}
		for _, a := range set {
			if !slices.Contains(g.cells, a.Cell) {
				g.cells = append(g.cells, a.Cell)
			}
		}
		if len(g.cells) > 1 && f.hasMap(g.cells) {
			slices.Sort(g.cells)
			groups = append(groups, g)
		}
	}
	return groups
}

// hasMap reports whether one of the cells is an entry of a map. Protocols of
// several atomics are made by people who know that each is one step.
func (f *finder) hasMap(cells []int) bool {
	return slices.ContainsFunc(cells, func(cell int) bool { return f.prog.Cells[cell].Kind == reduce.Map })
}

// linked reports whether access j writes to its cell what, or if, access i to
// another one says.
func (f *finder) linked(i, j int) bool {
	a, b := f.accesses[i], f.accesses[j]
	if a.Cell == b.Cell || !b.Writes || !f.precedes(a, b) || f.blocksBetween(a, b) {
		return false
	}
	return f.arguments(i, b) || f.all[i].Blocks[b.Start.Block]
}

// wideStep is a step of the package on several cells.
type wideStep struct {
	step      absint.Step
	roots     []string
	positions []reduce.Pos
	text      string
}

// addWide adds what the function does to several maps of the package in one
// step.
func (w *worlds) addWide(f *funcInfo) {
	for _, g := range f.wide {
		s := &wideStep{positions: f.positions(g.accesses)}
		for _, cell := range g.cells {
			s.roots = append(s.roots, f.root(cell))
		}
		if len(g.cells) > absint.MaxCells || slices.Contains(s.roots, "") || slices.ContainsFunc(g.cells, f.born) {
			continue
		}
		region, err := reduce.Region(f.prog, g.accesses, g.cells)
		if err == nil {
			err = reduce.Step(withoutLocks(region))
		}
		if err != nil {
			continue // it stays several steps, of which more is reported
		}
		s.step = absint.Step{Name: f.stepName(region), Program: region}
		s.text = programText(region)
		if !slices.ContainsFunc(w.wide, func(o *wideStep) bool { return o.text == s.text && slices.Equal(o.roots, s.roots) }) {
			w.wide = append(w.wide, s)
		}
	}
}

// coveredBy reports whether the step is a part of one on several cells.
func (s *worldStep) coveredBy(wide []*wideStep) bool {
	return slices.ContainsFunc(wide, func(o *wideStep) bool {
		return !slices.ContainsFunc(s.positions, func(pos reduce.Pos) bool { return !slices.Contains(o.positions, pos) })
	})
}

// wideBudget is for one way in which keys can be equal.
var wideBudget = absint.Budget{Configurations: 1000, Work: 100_000, Spurious: 5}

// several decides a group of accesses on several cells.
func (j *judge) several(f *funcInfo, g component) *Extension {
	began := time.Now()
	x := &Extension{Function: f.name, Several: true}
	j.describe(x, f, g)
	defer func() { x.Elapsed = time.Since(began) }()
	if len(g.cells) > absint.MaxCells {
		x.Reason = fmt.Sprintf("%d cells; at most %d are followed", len(g.cells), absint.MaxCells)
		return x
	}
	region, err := reduce.Region(f.lockAnalysis(g.cells[0]).relative(), g.accesses, g.cells)
	if err != nil {
		x.Reason = err.Error()
		return x
	}
	x.Region = region
	var roots []string
	x.Environment = absint.Package
	for _, cell := range g.cells {
		roots = append(roots, f.root(cell))
		if j.environment(f.root(cell)) == absint.Open {
			x.Environment = absint.Open
		}
	}
	switch j.lockedTogether(f, g, x.Environment) {
	case locked:
		x.Verdict, x.Locked = absint.Verified, true
		return x
	case partlyLocked:
		x.Reason = "a lock over a part of several cells is not followed"
		return x
	}
	j.exploreSeveral(x, f, g, roots)
	return x
}

// exploreSeveral tries each way in which keys can be equal.
func (j *judge) exploreSeveral(x *Extension, f *funcInfo, g component, roots []string) {
	region := x.Region
	x.Verdict = absint.Verified
	for _, into := range mergings(region, roots) {
		p := absint.Problem{Region: merge(region, into), Env: x.Environment, Budget: wideBudget}
		if p.Env == absint.Package {
			p.Steps = j.worlds.wideSteps(f, g, p.Region, pick(roots, into))
			p.Initial = j.worlds.initial(p.Region, pick(roots, into))
		}
		res, err := absint.Check(context.Background(), p)
		if err != nil {
			x.Verdict, x.Reason = absint.Unknown, err.Error()
			return
		}
		x.Configurations += res.Configurations
		if res.Verdict == absint.Verified || res.Verdict == absint.Unknown && x.Verdict == absint.Unknown {
			continue
		}
		x.Verdict, x.Reason = res.Verdict, res.Reason
		if res.Verdict == absint.Violation {
			x.Region, x.Category, x.Witness, x.Transient = p.Region, res.Category, res.Witness, res.Transient
			if j.aside(f, g) {
				x.Category = absint.DuplicateWork
			}
			j.blame(x)
			return
		}
	}
}

type lockedness int

const (
	unlocked lockedness = iota
	partlyLocked
	locked
)

// lockedTogether says whether all of a group is in one critical section that
// the other writers of each of its maps respect.
func (j *judge) lockedTogether(f *funcInfo, g component, env absint.Environment) lockedness {
	any, all := false, env == absint.Package
	for _, cell := range g.cells {
		sets := j.lockSets(f, f.lockAnalysis(cell), g)
		any = any || slices.ContainsFunc(sets, func(s lockSet) bool { return len(s) > 0 })
		key, held, one := section(sets, writes(g.accesses))
		all = all && one && respected(j.worlds.steps[f.root(cell)], key, held)
	}
	switch {
	case all:
		return locked
	case any:
		return partlyLocked
	}
	return unlocked
}

// wideSteps are what the package does to the cells of a region, in each way in
// which the keys can be the region's.
func (w *worlds) wideSteps(f *funcInfo, g component, region *reduce.Program, roots []string) []absint.Step {
	var out []absint.Step
	for i, root := range roots {
		cell := region.Cells[i]
		for _, s := range w.rivals(root, f.raceSide(g.cells[0], g.accesses, nil)) {
			if s.coveredBy(w.wide) || s.cell.Kind != cell.Kind || differentKeys(&s.cell, &cell) {
				continue
			}
			step := s.step
			step.Locks = nil
			step.Cells = []int{i}
			step.Bind = bind(step.Program, region, step.Cells)
			out = append(out, step)
		}
		if cell.Evicts {
			step := eviction(cell)
			step.Cells = []int{i}
			out = append(out, step)
		}
	}
	for _, s := range w.wide {
		for _, cells := range s.assignments(region, roots) {
			step := s.step
			step.Cells = cells
			step.Bind = bind(step.Program, region, cells)
			out = append(out, step)
		}
	}
	return out
}

// assignments are the ways to give the step's cells some of the region's, -1
// for a cell that the region does not have.
func (s *wideStep) assignments(region *reduce.Program, roots []string) [][]int {
	ways := [][]int{nil}
	for i, cell := range s.step.Program.Cells {
		var next [][]int
		for _, way := range ways {
			next = append(next, append(slices.Clone(way), -1))
			for k := range region.Cells {
				c := &region.Cells[k]
				if s.roots[i] == roots[k] && cell.Kind == c.Kind && !differentKeys(&cell, c) && !slices.Contains(way, k) {
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

// differentKeys reports whether two keys are certainly not equal: two literals,
// or values of two types.
func differentKeys(a, b *reduce.Cell) bool {
	literals := a.Key.IsLit() && b.Key.IsLit() && a.Key.Lit != b.Key.Lit
	return literals || a.KeyType != "" && b.KeyType != "" && a.KeyType != b.KeyType
}

// mergings are the ways in which cells of one map can be one and the same: for
// each cell the one it is merged into, itself if it stays. The first way merges
// none.
func mergings(region *reduce.Program, roots []string) [][]int {
	n := reduce.Number(region)
	ways := [][]int{nil}
	for i, c := range region.Cells {
		var next [][]int
		for _, way := range ways {
			next = append(next, append(slices.Clone(way), i))
			for k, o := range region.Cells[:i] {
				if way[k] == k && roots[i] == roots[k] && c.Kind == reduce.Map && o.Kind == reduce.Map &&
					n.Path(c.Map) == n.Path(o.Map) && !differentKeys(&c, &o) {
					next = append(next, append(slices.Clone(way), k))
				}
			}
		}
		ways = next
	}
	return ways
}

// merge makes a copy of the region in which cells are one.
func merge(region *reduce.Program, into []int) *reduce.Program {
	p := *region
	number := make([]int, len(into))
	p.Cells, p.Blocks = nil, make([]*reduce.Block, len(region.Blocks))
	var equal []reduce.Instr
	for i, k := range into {
		if k == i {
			number[i] = len(p.Cells)
			p.Cells = append(p.Cells, region.Cells[i])
			continue
		}
		number[i] = number[k]
		if key := region.Cells[i].Key; slices.Contains(region.Params, key.Local) {
			equal = append(equal, reduce.Instr{Op: reduce.Copy, Dst: []reduce.Local{key.Local}, Args: []reduce.Operand{region.Cells[k].Key}})
		}
	}
	for b, blk := range region.Blocks {
		c := *blk
		c.Instrs = slices.Clone(blk.Instrs)
		for i := range c.Instrs {
			if c.Instrs[i].IsBase() {
				c.Instrs[i].Cell = number[c.Instrs[i].Cell]
			}
		}
		p.Blocks[b] = &c
	}
	p.Blocks[0].Instrs = append(equal, p.Blocks[0].Instrs...)
	return &p
}

// pick are the roots of the cells that are left.
func pick(roots []string, into []int) []string {
	var out []string
	for i, k := range into {
		if i == k {
			out = append(out, roots[i])
		}
	}
	return out
}

// reportedSeveral decides about a violation on several cells. Whoever looks in
// between sees a part of any such step; that is only a mistake if it leaves
// something wrong behind, in maps that the function means to keep together.
func reportedSeveral(x *Extension) bool {
	written := map[int]bool{}
	for _, a := range reduce.Accesses(x.Region) {
		if a.Writes {
			written[a.Cell] = true
			if x.Region.Cells[a.Cell].Kind != reduce.Map {
				return false // counters and flags beside a map may lag behind
			}
		}
	}
	return x.Environment == absint.Package && !x.Transient && len(written) > 1
}

// listed joins what is said of each cell.
func listed(parts []string) string { return strings.Join(slices.Compact(parts), ", ") }
