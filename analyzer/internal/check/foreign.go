package check

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ownership"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
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
func (c *Package) elsewhere(f *rivals.Function, g extension.Group) bool {
	ps := f.Positions(g.Accesses)
	one := true
	for _, pos := range ps {
		op, _ := c.Ps.Res.OperationAt(pos)
		one = one && pos == ps[0] && op.Wrapper
	}
	if one {
		return true
	}
	r := f.Root(g.Cells[0])
	if r == "" || ownership.IsOwnRoot(c.Ps.Pass.Pkg, r) || isExportedName(r) {
		return false
	}
	writes := false
	for _, a := range g.Accesses {
		if writes = writes || a.Writes; a.Writes && ownStep(f, a, g) {
			return false
		}
	}
	// Two looks at an entry of a map are a step that was put together here;
	// two looks at an atomic are how such a thing is watched.
	return writes || f.Prog.Cells[g.Cells[0]].Kind != register.Map
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
func ownStep(f *rivals.Function, a *register.Access, g extension.Group) bool {
	pos, cell := f.Positions([]*register.Access{a})[0], a.Cell
	bare := true
	for i, b := range f.Find.Accesses {
		switch {
		case f.Positions([]*register.Access{b})[0] != pos:
			if b.Cell == cell && f.Find.Precedes(b, a) && f.Find.Computes(i, a) {
				return true
			}
		case b != a && b.Cell == cell:
			bare = false // a step by itself
		}
	}
	return bare && (f.Prog.Cells[cell].Kind == register.Map || !effectsAt(f, pos))
}

// effectsAt reports whether more happens at a position than operations and pure
// computation.
func effectsAt(f *rivals.Function, pos register.Pos) bool {
	for _, blk := range f.Prog.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Pos == pos && (in.Op == register.Effect || in.Op == register.Unknown) {
				return true
			}
		}
	}
	return false
}
