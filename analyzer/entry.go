package analyzer

import (
	"maps"

	"github.com/mapatom/mapatom/reduce"
)

// entryLocks are the locks that every caller holds when a private function
// performs an operation. They differ from map to map: a helper that gets its map
// as an argument is called with the lock of one, and without that of another.
type entryLocks map[operationOn]lockSet

// operationOn is an operation on the map of a root. In a helper itself the map
// has none, whichever it is.
type operationOn struct {
	pos  reduce.Pos
	root string
}

// findEntryLocks looks at all ways to an operation from the functions that are
// not private.
func findEntryLocks(outer []*funcInfo) entryLocks {
	entry := entryLocks{}
	for _, f := range outer {
		for _, a := range f.find.accesses {
			held, root := f.lockAnalysis(a.Cell).at(a.Start), f.root(a.Cell)
			for _, pos := range f.positions([]*reduce.Access{a}) {
				entry.add(operationOn{pos, root}, held)
				if root != "" {
					entry.add(operationOn{pos, ""}, held)
				}
			}
		}
	}
	return entry
}

// add notes one more way, on which some locks are held.
func (e entryLocks) add(op operationOn, held lockSet) {
	have, ok := e[op]
	if !ok {
		e[op] = maps.Clone(held)
		return
	}
	for k, h := range have {
		if o, ok := held[k]; !ok {
			delete(have, k)
		} else if !o.exclusive {
			have[k] = heldLock{exclusive: false, at: h.at}
		}
	}
}
