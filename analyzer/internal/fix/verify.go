package fix

import (
	"go/token"
	"go/version"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// available reports whether the file may use what Go has since some version.
// The installed library is newer than what the module says it needs.
func (f *fixer) available(since string) bool {
	has := f.c.Ps.Pass.TypesInfo.FileVersions[f.file]
	if has == "" {
		has = f.c.Ps.Pass.Pkg.GoVersion()
	}
	return since == "" || has == "" || version.Compare(has, since) >= 0
}

// verifies reports whether the edit does what it is for: the package compiles
// with it, what is left of the extension is atomic, and the declaration has
// no violation that it did not have before. Other declarations can get one,
// since an operation that asks what it found contradicts more than one that
// does not. Such a violation is theirs.
func (f *fixer) verifies(edit analysis.TextEdit) bool {
	from, to := f.tok.Offset(edit.Pos), f.tok.Offset(edit.End)
	src := slices.Concat(f.src[:from], edit.NewText, f.src[to:])
	c, file, err := f.c.With(f.file, f.decl, f.tok.Name(), src)
	if err != nil {
		return false
	}
	tok := c.Ps.Pass.Fset.File(file.FileStart)
	a := &afterFix{
		fixer: f, tok: tok, from: from, end: from + len(edit.NewText),
		grown: len(edit.NewText) - (to - from),
	}
	declFrom, declTo := f.tok.Offset(f.decl.Pos()), f.tok.Offset(f.decl.End())+a.grown
	c.Within = func(op ssaprog.Operation) bool {
		return op.Pos.IsValid() && c.Ps.Pass.Fset.File(op.Pos) == tok &&
			declFrom <= tok.Offset(op.Pos) && tok.Offset(op.Pos) < declTo
	}
	a.closed = c.Extensions()
	if undecided := operationsOf(a.closed, isUnknown); len(undecided) > 0 {
		c.Judge.Env = config.EnvOpen
		c.Within = func(op ssaprog.Operation) bool { return slices.Contains(undecided, op) }
		a.open = c.Extensions()
	}
	return !slices.ContainsFunc(a.closed, a.objects)
}

// operationsOf are the operations of some of the extensions.
func operationsOf(xs []evidence.Weighed, which func(evidence.Weighed) bool) []ssaprog.Operation {
	var ops []ssaprog.Operation
	for _, x := range xs {
		if which(x) {
			ops = append(ops, x.Operations...)
		}
	}
	return ops
}

func isUnknown(x evidence.Weighed) bool { return x.Verdict == absint.Unknown }

// afterFix compares extensions of the edited file with those before.
type afterFix struct {
	*fixer
	tok *token.File
	// from and end are the offsets of the new text, which is grown bytes
	// longer than the old one.
	from, end, grown int
	// closed are the extensions of the declaration. Where the steps of the
	// package have no end, as those of a counter, open has the same ones
	// among clients that do anything at all: a harder test, and a simpler.
	closed, open []evidence.Weighed
}

// objects reports whether an extension of the edited declaration speaks
// against the edit.
func (a *afterFix) objects(y evidence.Weighed) bool {
	if y.Function() == a.x.Function() && y.Map == a.x.Map && slices.ContainsFunc(y.Operations, a.isPart) {
		return !a.verified(y)
	}
	return y.Verdict == absint.Violation && !slices.ContainsFunc(a.found, func(z evidence.Weighed) bool {
		return z.Finding != a.x && z.Verdict == absint.Violation && z.Function() == y.Function() && z.Map == y.Map && z.Key == y.Key
	})
}

// verified reports whether an extension is atomic among the steps of the
// package, or among any steps.
func (a *afterFix) verified(y evidence.Weighed) bool {
	return y.Verdict == absint.Verified || y.Verdict == absint.Unknown && slices.ContainsFunc(a.open, func(z evidence.Weighed) bool {
		return z.Verdict == absint.Verified && z.Function() == y.Function() && z.Map == y.Map && z.Key == y.Key &&
			z.Operations[0] == y.Operations[0] && len(z.Operations) == len(y.Operations)
	})
}

// isPart reports whether an operation is one of the extension, or in the text
// that is there instead.
func (a *afterFix) isPart(op ssaprog.Operation) bool {
	if !op.Pos.IsValid() {
		return false
	}
	at := a.tok.Offset(op.Pos)
	if a.from <= at && at < a.end {
		return true
	}
	if at >= a.end {
		at -= a.grown
	}
	return slices.ContainsFunc(a.x.Operations, func(old ssaprog.Operation) bool { return a.fixer.tok.Offset(old.Pos) == at })
}
