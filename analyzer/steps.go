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
	// wide are those on several cells.
	wide []component
	// locks are computed per cell, on demand.
	locks map[int]*lockAnalysis
	// roots is made on demand as well.
	roots *rootNames
	// owned is the memory whose pointers are nowhere else.
	owned map[string]bool
	// getters finds how results of calls were reached.
	getters *gets
	// starts is where it starts goroutines.
	starts *starts
}

func newFuncInfo(name string, p *reduce.Program) *funcInfo {
	f := &funcInfo{
		name: name, prog: p, n: reduce.Number(p), find: newFinder(p),
		locks: map[int]*lockAnalysis{}, starts: &starts{},
	}
	f.groups, f.lone = f.find.components()
	f.wide = f.find.several()
	return f
}

func (f *funcInfo) lockAnalysis(cell int) *lockAnalysis {
	la := f.locks[cell]
	if la == nil {
		la = newLockAnalysis(f, cell)
		f.locks[cell] = la
	}
	return la
}

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
		if op.Local == reduce.None {
			return false
		}
		def := f.prog.OnlyDef(op.Local)
		switch {
		case def == nil || len(def.Args) == 0:
			return def != nil && def.Op == reduce.Fresh
		case def.Op == reduce.Fresh:
			return true
		case def.Op != reduce.Pure && !isLoad(def):
			return false
		}
		op = def.Args[0]
	}
	return false
}

// isLoad reports whether an instruction looks up a part of an object that may
// have changed in between.
func isLoad(in *reduce.Instr) bool {
	name, _, _ := strings.Cut(in.Name, "#")
	return in.Op == reduce.Unknown && (isFieldName(name) || strings.HasPrefix(name, "elem:"))
}

// addSteps adds what the function does to the maps of the package.
func (w *worlds) addSteps(f *funcInfo) {
	if !isInit(f.fn) {
		w.addWide(f)
	}
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
	switch {
	case r == "":
		return
	case f.born(cell) || isInit(f.fn):
		w.addBirths(f, accesses, r)
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
		fn:        f.fn,
		step:      absint.Step{Name: f.stepName(region), Program: region},
		cell:      region.Cells[0],
		positions: f.positions(accesses),
		locks:     lockSet{},
		from:      f, accesses: accesses,
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
	s.side = f.raceSide(cell, accesses, nil)
	if f.early(s.side, w.users) {
		return
	}
	w.steps[r] = append(w.steps[r], s)
}

// stepName is the function's name, with a mark if the step needs to be told
// other things than the function's arguments.
func (f *funcInfo) stepName(region *reduce.Program) string {
	for _, l := range region.Params {
		name, _, _ := strings.Cut(region.Names[l], "_")
		if !slices.ContainsFunc(f.fn.Params, func(p *ssa.Parameter) bool { return p.Name() == name }) {
			return f.name + absint.Within
		}
	}
	return f.name
}

// stepText is the same for steps that do the same, whatever they call it.
func stepText(s *worldStep) string {
	text := programText(s.step.Program)
	for _, h := range s.step.Locks {
		text += h.Lock
	}
	return text
}

// programText is the text of a program without names and positions.
func programText(prog *reduce.Program) string {
	p := *prog
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

// rivals are the steps on the maps of a root that can run at the same time as
// a call that makes some accesses.
func (w *worlds) rivals(root string, side *raceSide) []*worldStep {
	var out []*worldStep
	for _, s := range w.steps[root] {
		if !s.side.races(side) {
			out = append(out, s)
		}
	}
	return out
}

// stepsFor are those of the steps that can concern the region's cell: whose key
// can be the same. Of several that do the same there is one.
func stepsFor(steps []*worldStep, region *reduce.Program) []absint.Step {
	var out []absint.Step
	cell := region.Cells[0]
	seen := map[string]bool{}
	for _, s := range steps {
		if differentKeys(&s.cell, &cell) {
			continue
		}
		if s.cell.Kind != cell.Kind || seen[s.text] {
			continue
		}
		seen[s.text] = true
		step := s.step
		step.Cells = []int{0}
		step.Bind = bind(step.Program, region, step.Cells)
		out = append(out, step)
	}
	if cell.Evicts {
		out = append(out, eviction(cell))
	}
	return out
}

// bind gives the step's keys, its maps, and what the maps were reached from, the
// region's: step.Cells[i] is region.Cells[cells[i]], or none of them.
func bind(step, region *reduce.Program, cells []int) []int {
	same := map[reduce.Local]reduce.Local{}
	pair := func(a, b reduce.Operand) {
		if a.Local != reduce.None && b.Local != reduce.None {
			same[a.Local] = b.Local
		}
	}
	n, m := reduce.Number(step), reduce.Number(region)
	for i, cell := range cells {
		if cell < 0 {
			continue
		}
		pair(step.Cells[i].Key, region.Cells[cell].Key)
		a, b := step.Cells[i].Map, region.Cells[cell].Map
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
