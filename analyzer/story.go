package analyzer

import (
	"go/token"
	"path/filepath"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Story tells the interleaving with the methods that the source calls; nil if there is
// none. The file set is that of the package.
func (x *Extension) Story(fset *token.FileSet) *absint.Story {
	if x.Witness == nil {
		return nil
	}
	return x.Witness.Story(func(p register.Pos) string {
		op, _ := x.OperationAt(fset, p)
		return op.Name
	})
}

// OperationAt finds the innermost operation in whose call a position of the register
// program lies.
func (x *Extension) OperationAt(fset *token.FileSet, p register.Pos) (best Operation, ok bool) {
	for _, op := range x.Operations {
		if !p.IsZero() && inside(p, fset.Position(op.Pos), fset.Position(op.End)) && (!ok || op.End-op.Pos < best.End-best.Pos) {
			best, ok = op, true
		}
	}
	return best, ok
}

// inside reports whether p is in [from, to).
func inside(p register.Pos, from, to token.Position) bool {
	return filepath.Base(p.File) == filepath.Base(from.Filename) &&
		(p.Line > from.Line || p.Line == from.Line && p.Column >= from.Column) &&
		(p.Line < to.Line || p.Line == to.Line && p.Column < to.Column)
}

// About is the extension that a diagnostic is about, nil if there is none.
func (r *Result) About(pos token.Pos, category string) *Extension {
	for _, x := range r.Extensions {
		if x.Pos == pos && string(x.Category) == category {
			return x
		}
	}
	return nil
}
