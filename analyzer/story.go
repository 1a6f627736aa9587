package analyzer

import (
	"go/token"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"

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

// About is the extension that a diagnostic is about, nil if there is none. Several can be at
// one operation, of which the diagnostic names the others.
func (r *Result) About(d *analysis.Diagnostic) *Extension {
	var first *Extension
	for _, x := range r.Extensions {
		if x.Pos != d.Pos || string(x.Category) != d.Category {
			continue
		}
		if x.isIn(d) {
			return x
		}
		if first == nil {
			first = x
		}
	}
	return first
}

// isIn reports whether a diagnostic tells of the extension, and of its operations.
func (x *Extension) isIn(d *analysis.Diagnostic) bool {
	own := diagnostic(x)
	return own.Message == d.Message && len(own.Related) <= len(d.Related) && slices.EqualFunc(own.Related, d.Related[:len(own.Related)],
		func(a, b analysis.RelatedInformation) bool { return a.Pos == b.Pos })
}
