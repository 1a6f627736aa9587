package rivals

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// accessLocks are the locks at one access of a step.
type accessLocks struct {
	// cell is that of the step which the access is on, and from which the locks are
	// seen.
	cell   int
	locks  LockSet
	writes bool
	// after are those accesses, by their number, that have been made whenever this
	// one is.
	after []int
}

// noteLocks notes the locks at each access of a group of which the step was cut.
func (s *Step) noteLocks(f *Function, g extension.Group) {
	for i, a := range g.Accesses {
		l := accessLocks{cell: slices.Index(g.Cells, a.Cell), locks: f.LockAnalysis(a.Cell).At(a.Start), writes: a.Writes}
		for k, b := range g.Accesses {
			if i != k && f.Find.Dominates(b, a) {
				l.after = append(l.after, k)
			}
		}
		s.at = append(s.at, l)
	}
}

// among are the accesses on those cells of the step that are cells of a region, with
// the locks under the names that these have there. Without names, keys are names.
func (s *Step) among(cells []int, names []*LockNames) []accessLocks {
	out := slices.Clone(s.at)
	for i, a := range out {
		named, k := LockSet{}, cells[a.cell]
		if k < 0 {
			out[i].cell = -1
			if k = s.besides(a.cell, cells); k < 0 {
				out[i].locks = named
				continue
			}
		}
		if names == nil {
			named = a.locks
		} else {
			for key, h := range a.locks {
				named[names[k].Name(key)[1:]] = h
			}
		}
		out[i].locks = named
	}
	return out
}

// besides is a cell of the region that is an entry of the same map as one of the step's that is none: the same
// locks lie beside it. It is -1 if there is none.
func (s *Step) besides(cell int, cells []int) int {
	p := s.Step.Program
	if p.Cells[cell].Kind != register.Map {
		return -1
	}
	n := register.Number(p)
	of := n.Path(p.Cells[cell].Map)
	for i, k := range cells {
		if k >= 0 && p.Cells[i].Kind == register.Map && n.Path(p.Cells[i].Map) == of {
			return k
		}
	}
	return -1
}

// throughout are the locks that the step holds in one section over all that it does to
// the cells of a region.
func (s *Step) throughout(cells []int, names []*LockNames) LockSet {
	var all LockSet
	for _, a := range s.among(cells, names) {
		switch {
		case a.cell < 0:
		case all == nil:
			all = a.locks
		default:
			all = intersection(all, a.locks)
		}
	}
	return all
}

// sometimes are the locks that the step takes, at some time, for what it does to one of the cells: it may come to its end
// without them, but not to the end of all that it does.
func (s *Step) sometimes(cells []int, names []*LockNames) LockSet {
	taken := LockSet{}
	for _, a := range s.among(cells, names) {
		if a.cell >= 0 {
			maps.Copy(taken, a.locks)
		}
	}
	return taken
}

// once are the locks that the step takes, at some time, whenever it changes one of the cells: a
// step that waits for one of them does not happen.
func (s *Step) once(cells []int, names []*LockNames) LockSet {
	taken := LockSet{}
	at := s.among(cells, names)
	for _, a := range at {
		maps.Copy(taken, a.locks)
	}
	writes := slices.ContainsFunc(at, func(a accessLocks) bool { return a.cell >= 0 && a.writes })
	maps.DeleteFunc(taken, func(key string, _ heldLock) bool {
		has := func(k int) bool { _, ok := at[k].locks[key]; return ok }
		for i, a := range at {
			if a.cell >= 0 && (a.writes || !writes) && !has(i) && !slices.ContainsFunc(a.after, has) {
				return true
			}
		}
		return false
	})
	return taken
}

// lockText is the same for steps that hold the same locks where they do the same.
func (s *Step) lockText() string {
	text := ""
	for _, a := range s.at {
		text += fmt.Sprint(a.locks.Holds())
	}
	return text
}
