package rivals

import (
	"maps"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// entryLocks are the locks that every caller holds when a private function
// performs an operation. They differ from map to map: a helper that gets its map
// as an argument is called with the lock of one, and without that of another.
type entryLocks map[operationOn]LockSet

// operationOn is an operation on the map of a root. In a helper itself the map
// has none, whichever it is.
type operationOn struct {
	pos  register.Pos
	root string
}

// addFunction looks at the ways to operations from a function that is not private.
func (e entryLocks) addFunction(f *Function) {
	for _, a := range f.Find.Accesses {
		e.addAccess(f, a, f.LockAnalysis(a.Cell).At(a.Start))
	}
}

func (e entryLocks) addAccess(f *Function, a *register.Access, held LockSet) {
	root := f.Root(a.Cell)
	for _, pos := range f.Positions([]*register.Access{a}) {
		e.add(operationOn{pos, root}, held)
		if root != "" {
			e.add(operationOn{pos, ""}, held)
		}
	}
}

// add notes one more way, on which some locks are held.
func (e entryLocks) add(op operationOn, held LockSet) {
	have, ok := e[op]
	if !ok {
		e[op] = maps.Clone(held)
		return
	}
	for k, h := range have {
		if o, ok := held[k]; !ok {
			delete(have, k)
		} else if !o.Exclusive {
			have[k] = heldLock{Exclusive: false, At: h.At}
		}
	}
}

// LockSets are the locks held at each access, as seen from one cell, the callers'
// included. What those hold is known as seen from the cell that the access is on.
func (w *World) LockSets(f *Function, cell int, g extension.Group) []LockSet {
	var out []LockSet
	for _, a := range g.Accesses {
		s := f.LockAnalysis(cell).At(a.Start)
		if out = append(out, s); a.Cell != cell || f.Later {
			continue
		}
		pos := f.Prog.Blocks[a.Ops[0].Block].Instrs[a.Ops[0].Instr].Pos
		for k, h := range w.entry[operationOn{pos, f.Root(a.Cell)}] {
			if _, ok := s[k]; !ok {
				s[k] = heldLock{Exclusive: h.Exclusive, At: EntrySection}
			}
		}
	}
	return out
}
