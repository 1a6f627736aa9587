package analyzer

import (
	"context"
	"go/token"
	"slices"
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// judge decides the extensions of a package.
type judge struct {
	opts   Options
	worlds *worlds
	source *source
	entry  entryLocks
	// apart, if it is not nil, says which steps are taken not to interrupt
	// anything: see excuse.
	apart func(*worldStep) bool
}

// glanceBudget is for looks at an atomic without a write: they are hardly ever
// meant to be one step.
var glanceBudget = absint.Budget{Configurations: 400, Work: 40_000}

// extension decides one component.
func (j *judge) extension(f *funcInfo, g component) *Extension {
	began := time.Now()
	cell := g.cells[0]
	la := f.lockAnalysis(cell)
	region, err := reduce.Region(la.relative(), g.accesses, g.cells)
	x := &Extension{Function: f.name}
	j.describe(x, f, g)
	if err != nil {
		x.Reason = err.Error()
		return x
	}
	x.Region = region
	r := f.root(cell)
	x.Environment = j.environment(r)
	if j.apart != nil {
		x.Environment = absint.Package // what others could do is not what they do
	}
	sets := j.lockSets(f, la, g)
	key, held, oneSection := section(sets, writes(g.accesses))
	entry := lockSet{}
	for k, h := range sets[0] {
		if h.at == entrySection {
			entry[k] = h
		}
	}
	all := j.worlds.rivals(r, f.raceSide(cell, g.accesses, entry))
	rivals := j.worlds.others(all, f.positions(g.accesses))
	if j.apart != nil {
		rivals = slices.DeleteFunc(slices.Clone(rivals), j.apart)
	}
	if x.Environment == absint.Package && oneSection && respected(rivals, key, held) {
		x.Verdict, x.Locked = absint.Verified, true
		x.Elapsed = time.Since(began)
		return x
	}
	p := absint.Problem{Region: region, Env: x.Environment, Held: sets[0].holds()}
	if x.Environment == absint.Package {
		p.Steps = stepsFor(rivals, region)
		p.Initial = j.worlds.initial(region, []string{r})
		p.Initial[0] = append(p.Initial[0], left(all, rivals)...)
		p.Initial[0] = append(p.Initial[0], reached(region, p.Steps, p.Initial[0])...)
	}
	if c := &region.Cells[0]; c.Kind == reduce.Atomic && !writes(g.accesses) {
		p.Budget = glanceBudget
	}
	res, err := absint.Check(context.Background(), p)
	x.Elapsed = time.Since(began)
	if err != nil {
		x.Reason = err.Error()
		return x
	}
	x.Verdict, x.Category, x.Reason = res.Verdict, res.Category, res.Reason
	x.Configurations, x.Witness = res.Configurations, res.Witness
	if x.Verdict == absint.Violation {
		if c := j.mild(f, g, p, rivals); c != "" && milder(c, x.Category) {
			x.Category = c
		}
		x.problem, x.rivals = p, rivals
		j.blame(x)
	}
	return x
}

// environment chooses the environment of a map.
func (j *judge) environment(root string) absint.Environment {
	switch {
	case j.opts.Env == EnvOpen, j.opts.Env == EnvAuto && !j.worlds.closed(root):
		return absint.Open
	}
	return absint.Package
}

// describe fills in what is known of an extension before it is decided.
func (j *judge) describe(x *Extension, f *funcInfo, g component) {
	var maps, keys []string
	for _, cell := range g.cells {
		c := f.prog.Cells[cell]
		maps = append(maps, f.n.Path(c.Map))
		if !c.Key.IsNone() {
			keys = append(keys, f.n.Path(c.Key))
		}
	}
	x.Map, x.Key = listed(maps), listed(keys)
	seen := map[reduce.Pos]bool{}
	for _, pos := range f.positions(g.accesses) {
		if !seen[pos] {
			seen[pos] = true
			x.Operations = append(x.Operations, j.source.operation(pos))
		}
	}
	slices.SortStableFunc(x.Operations, func(a, b Operation) int { return j.source.order(a.Pos, b.Pos) })
	x.Pos, x.End = x.Operations[0].Pos, x.Operations[0].End
	x.Lines = j.source.lines(x.Operations)
}

// lockSets are the locks held at each access, the callers' included.
func (j *judge) lockSets(f *funcInfo, la *lockAnalysis, g component) []lockSet {
	var out []lockSet
	for _, a := range g.accesses {
		s := la.at(a.Start)
		pos := f.prog.Blocks[a.Ops[0].Block].Instrs[a.Ops[0].Instr].Pos
		for k, h := range j.entry[operationOn{pos, f.root(a.Cell)}] {
			if _, ok := s[k]; !ok {
				s[k] = heldLock{exclusive: h.exclusive, at: entrySection}
			}
		}
		out = append(out, s)
	}
	return out
}

// left is what those steps leave in a cell that do not interrupt the call: they may
// have been made before it.
func left(all, rivals []*worldStep) []reduce.Value {
	var out []reduce.Value
	for _, s := range all {
		if !s.writes || slices.Contains(rivals, s) {
			continue
		}
		for _, blk := range s.step.Program.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				if in.Op != reduce.Write && in.Op != reduce.CAS {
					continue
				}
				v, val := absint.Anything, in.Args[len(in.Args)-1]
				if val.IsLit() {
					v = reduce.Value(val.Lit)
				}
				if val != reduce.Absent && !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func writes(accesses []*reduce.Access) bool {
	return slices.ContainsFunc(accesses, func(a *reduce.Access) bool { return a.Writes })
}

// respected reports whether every writer among the steps holds the lock in a way
// that excludes whoever holds it as held.
func respected(steps []*worldStep, key string, held heldLock) bool {
	for _, s := range steps {
		if h, ok := s.always[key]; s.writes && (!ok || !h.exclusive && !held.exclusive) {
			return false
		}
	}
	return true
}

// blame points the extension at the operation that breaks atomicity.
func (j *judge) blame(x *Extension) {
	w := x.Witness
	if w.Breaking >= 0 {
		if op := j.source.operation(w.Events[w.Breaking].Pos); op.Pos != token.NoPos {
			x.Pos, x.End = op.Pos, op.End
		}
	}
	x.Message = x.message()
}
