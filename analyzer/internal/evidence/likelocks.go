package evidence

import (
	"fmt"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Two steps that both hold a lock of the same kind, the same field of whichever objects,
// are likely kept apart by it: somebody has thought of them both. It is certain only if
// the objects are the same, which is not known of one that was looked up.
//
//	t.mu.Lock()
//	n := t.find(name)
//	if _, ok := n.subs.Load(k); !ok { n.subs.Store(k, s) }
//	t.mu.Unlock()
//
// A lock that has nothing to do with the way to the cell is another one: that of the
// object that something is taken from, or of a handle on what others have as well.

// likeLocks is why a violation is not shown that is gone without the steps that hold a
// lock of a kind that is held here as well.
func (e *Weigher) likeLocks(f *violation) string {
	if f.x.Several || f.x.Environment != absint.Package {
		return ""
	}
	return e.underLock(f, "all that would interrupt it holds %s as well")
}

// locksItself is why a violation is not shown that only another package could bring
// about, by what it can reach, since the package itself always holds a lock.
func (e *Weigher) locksItself(f *violation) string {
	if f.x.Several || f.x.Environment != absint.Open || e.judge.Env != config.EnvAuto || f.evicted() {
		return ""
	}
	return e.underLock(f, "only another package could do it; here %s is always held")
}

// underLock says of a violation that is gone without the steps that hold a lock of the
// same kind which lock that is; empty if it is not gone.
func (e *Weigher) underLock(f *violation, says string) string {
	if e.confinements().Lent(f.Root(f.g.Cells[0])) {
		return ""
	}
	mine := e.lockClasses(f)
	alike := excludes(mine, mine)
	if alike == "" {
		return ""
	}
	apart := func(s *rivals.Step) bool {
		return s.From != nil && excludes(mine, holding{s.From, s.Accesses}.classes()) != ""
	}
	if !e.goneWithout(f, apart) {
		return ""
	}
	return fmt.Sprintf(says, alike)
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
