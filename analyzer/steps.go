package analyzer

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// funcInfo is one function's program, taken apart.
type funcInfo struct {
	fn   *ssa.Function
	name string
	prog *reduce.Program
	n    *reduce.Numbering
	find *finder
	// groups are its extensions, lone its other accesses.
	groups []component
	lone   []*reduce.Access
	// locks are computed per cell, on demand.
	locks map[int]*lockAnalysis
}

func newFuncInfo(name string, p *reduce.Program) *funcInfo {
	f := &funcInfo{name: name, prog: p, n: reduce.Number(p), find: newFinder(p), locks: map[int]*lockAnalysis{}}
	f.groups, f.lone = f.find.components()
	return f
}

func (f *funcInfo) lockAnalysis(cell int) *lockAnalysis {
	la := f.locks[cell]
	if la == nil {
		la = newLockAnalysis(f.prog, f.n, cell)
		f.locks[cell] = la
	}
	return la
}

func (f *funcInfo) root(cell int) string { return root(f.n, f.prog.Cells[cell].Map) }

// positions are those of the base operations of some accesses.
func (f *funcInfo) positions(accesses []*reduce.Access) []reduce.Pos {
	var out []reduce.Pos
	for _, a := range accesses {
		for _, op := range a.Ops {
			out = append(out, f.prog.Blocks[op.Block].Instrs[op.Instr].Pos)
		}
	}
	return out
}

// born reports whether the map belongs to an object that this function has
// just made: nobody else can have it yet.
func (f *funcInfo) born(cell int) bool {
	op := f.prog.Cells[cell].Map
	for range 12 {
		op = f.n.Source(op)
		def, _ := f.n.Def(op)
		if def == nil || len(def.Args) == 0 {
			break
		}
		op = def.Args[0]
	}
	return op.Local != reduce.None && f.prog.IsFresh(op.Local)
}

// addSteps adds what the function does to the maps of the package.
func (w *worlds) addSteps(f *funcInfo) {
	for _, g := range f.groups {
		w.addStep(f, g.accesses, g.cells[0])
	}
	for _, a := range f.lone {
		if a.Writes {
			w.addStep(f, []*reduce.Access{a}, a.Cell)
		}
	}
}

func (w *worlds) addStep(f *funcInfo, accesses []*reduce.Access, cell int) {
	r := f.root(cell)
	if r == "" || f.born(cell) {
		return
	}
	la := f.lockAnalysis(cell)
	region, err := reduce.Region(f.prog, accesses, []int{cell})
	if err == nil {
		err = reduce.Step(withoutLocks(region))
	}
	if err != nil {
		w.open[r] = "a part of " + f.name + " cannot be cut out"
		return
	}
	s := &worldStep{
		step:      absint.Step{Name: f.name, Program: region},
		cell:      region.Cells[0],
		positions: f.positions(accesses),
		locks:     lockSet{},
	}
	for i, a := range accesses {
		s.writes = s.writes || a.Writes
		at := la.at(a.Start)
		if i == 0 {
			s.always = maps.Clone(at)
		} else {
			maps.DeleteFunc(s.always, func(k string, h heldLock) bool { return at[k].exclusive != h.exclusive || at[k].at != h.at })
		}
		for k, h := range at {
			s.locks[k] = h
		}
	}
	s.step.Locks = s.locks.holds()
	s.text = stepText(s)
	for _, have := range w.steps[r] {
		if have.text == s.text {
			return
		}
	}
	w.steps[r] = append(w.steps[r], s)
}

// stepText is the same for steps that do the same, whatever they call it.
func stepText(s *worldStep) string {
	p := *s.step.Program
	p.Name = ""
	p.Names = slices.Clone(p.Names)
	for l := range p.Names {
		p.Names[l] = "v" + itoa(l)
	}
	p.Cells = slices.Clone(p.Cells)
	for i := range p.Cells {
		p.Cells[i].Label = ""
	}
	var b strings.Builder
	for _, l := range strings.SplitAfter(p.String(), "\n") {
		text, _, _ := strings.Cut(l, ";")
		b.WriteString(strings.TrimSpace(text) + "\n")
	}
	for _, h := range s.step.Locks {
		b.WriteString(h.Lock)
	}
	return b.String()
}

// withoutLocks drops the locks: a step is atomic anyway.
func withoutLocks(p *reduce.Program) *reduce.Program {
	for _, blk := range p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in reduce.Instr) bool {
			return in.Op == reduce.Lock || in.Op == reduce.Unlock
		})
	}
	return p
}

// stepsFor are the steps of the package that can concern the region's cell:
// those on the same map whose key can be the same.
func (w *worlds) stepsFor(root string, region *reduce.Program) []absint.Step {
	var out []absint.Step
	cell := region.Cells[0]
	for _, s := range w.steps[root] {
		if s.cell.Key.IsLit() && cell.Key.IsLit() && s.cell.Key.Lit != cell.Key.Lit {
			continue
		}
		if s.cell.Kind != cell.Kind {
			continue
		}
		step := s.step
		step.Cells = []int{0}
		step.Bind = bind(step.Program, region)
		out = append(out, step)
	}
	if cell.Evicts {
		out = append(out, eviction(cell))
	}
	return out
}

// bind gives the step's key, its map, and what the map was reached from, the
// region's.
func bind(step, region *reduce.Program) []int {
	same := map[reduce.Local]reduce.Local{}
	pair := func(a, b reduce.Operand) {
		if a.Local != reduce.None && b.Local != reduce.None {
			same[a.Local] = b.Local
		}
	}
	pair(step.Cells[0].Key, region.Cells[0].Key)
	a, b := step.Cells[0].Map, region.Cells[0].Map
	n, m := reduce.Number(step), reduce.Number(region)
	for range 12 {
		a, b = n.Source(a), m.Source(b)
		pair(a, b)
		f, _ := n.Def(a)
		g, _ := m.Def(b)
		if f == nil || g == nil || f.Name != g.Name || len(f.Args) != 1 || len(g.Args) != 1 {
			break
		}
		a, b = f.Args[0], g.Args[0]
	}
	out := make([]int, len(step.Params))
	for i, p := range step.Params {
		out[i] = -1
		if l, ok := same[p]; ok {
			out[i] = slices.Index(region.Params, l)
		}
	}
	return out
}

// eviction is a library's own removal of an entry.
func eviction(cell reduce.Cell) absint.Step {
	cell.Map, cell.Key = reduce.Lit("&evicting"), reduce.NoOperand
	if cell.Kind == reduce.Map {
		cell.Key = reduce.Str("")
	}
	return absint.Step{
		Name: "the library's own eviction",
		Program: &reduce.Program{
			Name:  "eviction",
			Cells: []reduce.Cell{cell},
			Blocks: []*reduce.Block{{
				Instrs: []reduce.Instr{{Op: reduce.Write, Dst: []reduce.Local{reduce.None, reduce.None}, Args: []reduce.Operand{reduce.Absent}}},
				Term:   reduce.Term{Kind: reduce.Return},
			}},
		},
		Cells: []int{0}, Bind: []int{},
	}
}
