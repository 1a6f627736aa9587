package analyzer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatom/mapatom/reduce"
)

// A cell in an unexported field of another package is changed through that
// package's functions only. What these make of it is judged there, by what they
// can do to each other. Here it could only be judged by what anybody might do,
// and then two calls of
//
//	func (b *Block) Hash() Hash {
//		if h := b.hash.Load(); h != nil { return *h }
//		h := sum(b); b.hash.Store(&h); return h
//	}
//
// would not be sure to agree. What is judged here is what a caller puts together:
// with a typed map of another package, or a counter, it can look and then store
// as with any other.

// elsewhere reports whether the group is nothing that this package puts together:
// one call of a function of another package, or several, on a cell of that
// package, that do not make one step.
func (c *checked) elsewhere(f *funcInfo, g component) bool {
	ps := f.positions(g.accesses)
	one := true
	for _, pos := range ps {
		op, _ := c.ps.res.operationAt(pos)
		one = one && pos == ps[0] && op.wrapper
	}
	if one {
		return true
	}
	r := f.root(g.cells[0])
	if r == "" || (&escapes{pkg: c.pkg}).ours(r) || isExportedName(r) {
		return false
	}
	writes := false
	for _, a := range g.accesses {
		if writes = writes || a.Writes; a.Writes && f.ownStep(a, g) {
			return false
		}
	}
	// Two looks at an entry of a map are a step that was put together here;
	// two looks at an atomic are how such a thing is watched.
	return writes || f.prog.Cells[g.cells[0]].Kind != reduce.Map
}

// isExportedName reports whether the last part of a name is exported.
func isExportedName(root string) bool {
	r, _ := utf8.DecodeRuneInString(root[strings.LastIndexByte(root, '.')+1:])
	return unicode.IsUpper(r)
}

// ownStep reports whether a write in a group is the caller's: by a call that does
// nothing else, or that is given what another one of the group found. An entry
// of a map is the caller's also if the call has effects beside it, since the
// caller has the key; an atomic that is set along with other things is not.
func (f *funcInfo) ownStep(a *reduce.Access, g component) bool {
	pos, cell := f.positions([]*reduce.Access{a})[0], a.Cell
	bare := true
	for i, b := range f.find.accesses {
		switch {
		case f.positions([]*reduce.Access{b})[0] != pos:
			if b.Cell == cell && f.find.precedes(b, a) && f.find.computes(i, a) {
				return true
			}
		case b != a && b.Cell == cell:
			bare = false // a step by itself
		}
	}
	return bare && (f.prog.Cells[cell].Kind == reduce.Map || !f.effectsAt(pos))
}

// effectsAt reports whether more happens at a position than operations and pure
// computation.
func (f *funcInfo) effectsAt(pos reduce.Pos) bool {
	for _, blk := range f.prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Pos == pos && (in.Op == reduce.Effect || in.Op == reduce.Unknown) {
				return true
			}
		}
	}
	return false
}
