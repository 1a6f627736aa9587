package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/reduce/register"
)

// Two steps that both hold a lock of the same kind, the same field of whichever objects,
// are likely kept apart by it: somebody has thought of them both. It is certain only if
// the objects are the same, which is not known of one that was looked up.

// likeLocks is why a violation is not shown that is gone without the steps that hold a
// lock of a kind that is held here as well.
func (e *Weigher) likeLocks(f *violation) string {
	if f.x.Several {
		return ""
	}
	mine := e.lockClasses(f)
	if len(mine) == 0 {
		return ""
	}
	alike := ""
	gone := e.goneWithout(f, func(s *rivals.Step) bool {
		if s.From == nil {
			return false
		}
		name := excludes(mine, holding{s.From, s.Accesses}.classes())
		if name != "" {
			alike = name
		}
		return name != ""
	})
	if !gone || alike == "" {
		return ""
	}
	return "all that would interrupt it holds " + alike + " as well"
}

// excludes is a lock of both that one of them holds exclusively; empty if there is none.
func excludes(mine, theirs map[string]bool) string {
	best := ""
	for name, exclusive := range mine {
		if other, held := theirs[name]; held && (exclusive || other) && (best == "" || name < best) {
			best = name
		}
	}
	return best
}

// lockClasses are the kinds of locks that are held over a group: taken in its function,
// or on all ways to it that are seen, if it is a helper.
func (e *Weigher) lockClasses(f *violation) map[string]bool {
	mine := holding{f.Function, f.g.Accesses}.classes()
	if fn := f.Fn; e.ps.Exported(fn) || e.ps.Escapes(fn) || e.ps.Started(fn) {
		return mine
	}
	var callers map[string]bool
	positions := f.Positions(f.g.Accesses)
	for _, s := range e.judge.World.Steps[f.Root(f.g.Cells[0])] {
		if s.From == nil || s.Fn == f.Fn || !isSubset(positions, s.Positions) {
			continue
		}
		theirs := holding{s.From, accessesAt(s, positions)}.classes()
		if callers == nil {
			callers = theirs
			continue
		}
		for name := range callers {
			if _, held := theirs[name]; !held {
				delete(callers, name)
			}
		}
	}
	for name, exclusive := range callers {
		mine[name] = mine[name] || exclusive
	}
	return mine
}

// accessesAt are those accesses of a step that make some operations.
func accessesAt(s *rivals.Step, positions []register.Pos) []*register.Access {
	var out []*register.Access
	for _, a := range s.Accesses {
		at := s.From.Positions([]*register.Access{a})
		if slices.ContainsFunc(at, func(pos register.Pos) bool { return slices.Contains(positions, pos) }) {
			out = append(out, a)
		}
	}
	return out
}
