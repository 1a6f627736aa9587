package analyzer

import (
	"context"
	"go/token"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/reduce"
)

// judge decides the extensions of a package.
type judge struct {
	opts   Options
	worlds *worlds
	source *source
	// entry are the locks that every caller holds when a private function
	// performs the operation at a position.
	entry map[reduce.Pos]lockSet
}

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
	sets := j.lockSets(f, la, g)
	key, held, oneSection := section(sets, writes(g.accesses))
	if x.Environment == absint.Package && oneSection && j.worlds.respected(r, key, held) {
		x.Verdict, x.Locked = absint.Verified, true
		x.Elapsed = time.Since(began)
		return x
	}
	p := absint.Problem{Region: region, Env: x.Environment, Held: sets[0].holds()}
	if x.Environment == absint.Package {
		p.Steps = j.worlds.stepsFor(r, region)
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
	c := f.prog.Cells[g.cells[0]]
	x.Map = f.n.Path(c.Map)
	if !c.Key.IsNone() {
		x.Key = f.n.Path(c.Key)
	}
	seen := map[reduce.Pos]bool{}
	for _, pos := range f.positions(g.accesses) {
		if !seen[pos] {
			seen[pos] = true
			x.Operations = append(x.Operations, j.source.operation(pos))
		}
	}
	slices.SortStableFunc(x.Operations, func(a, b Operation) int { return int(a.Pos) - int(b.Pos) })
	x.Pos, x.End = x.Operations[0].Pos, x.Operations[0].End
	x.Lines = j.source.lines(x.Operations)
}

// lockSets are the locks held at each access, the callers' included.
func (j *judge) lockSets(f *funcInfo, la *lockAnalysis, g component) []lockSet {
	var out []lockSet
	for _, a := range g.accesses {
		s := la.at(a.Start)
		for k, h := range j.entry[f.prog.Blocks[a.Ops[0].Block].Instrs[a.Ops[0].Instr].Pos] {
			if _, ok := s[k]; !ok {
				s[k] = heldLock{exclusive: h.exclusive, at: entrySection}
			}
		}
		out = append(out, s)
	}
	return out
}

func writes(accesses []*reduce.Access) bool {
	return slices.ContainsFunc(accesses, func(a *reduce.Access) bool { return a.Writes })
}

// respected reports whether every writer of the map holds the lock in a way
// that excludes whoever holds it as held.
func (w *worlds) respected(root, key string, held heldLock) bool {
	for _, s := range w.steps[root] {
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
	x.Message = j.message(x)
}

// entryLocks finds, for the operations of private functions, the locks that
// are held on every way to them from a function that is not private.
func entryLocks(roots []*funcInfo) map[reduce.Pos]lockSet {
	entry := map[reduce.Pos]lockSet{}
	for _, f := range roots {
		for _, a := range f.find.accesses {
			held := f.lockAnalysis(a.Cell).at(a.Start)
			for _, pos := range f.positions([]*reduce.Access{a}) {
				have, ok := entry[pos]
				if !ok {
					entry[pos] = maps.Clone(held)
					continue
				}
				for k, h := range have {
					if o, ok := held[k]; !ok {
						delete(have, k)
					} else if !o.exclusive {
						have[k] = heldLock{exclusive: false, at: h.at}
					}
				}
			}
		}
	}
	return entry
}

// atomicCall names the repair: the call that does the whole step at once.
func (j *judge) atomicCall(x *Extension) string {
	names := make([]string, len(x.Operations))
	for i, op := range x.Operations {
		names[i] = op.Name
	}
	has := func(part string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, part) })
	}
	c := x.Region.Cells[0]
	switch {
	case c.Kind == reduce.Atomic:
		return "CompareAndSwap in a loop"
	case x.Category == absint.StaleDelete && (has("Load") || has("Get")):
		return "CompareAndDelete or LoadAndDelete"
	case has("Store") || has("Set"):
		return "LoadOrStore, CompareAndSwap"
	}
	return "one atomic call"
}
