package analyzer

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/absint"
)

// available reports whether the file may use what Go has since some version.
// The installed library is newer than what the module says it needs.
func (f *fixer) available(since string) bool {
	has := f.c.pass.TypesInfo.FileVersions[f.file]
	if has == "" {
		has = f.c.pass.Pkg.GoVersion()
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
	c, file, err := f.c.with(f.file, f.tok.Name(), src)
	if err != nil {
		return false
	}
	tok := c.pass.Fset.File(file.FileStart)
	a := &afterFix{
		fixer: f, tok: tok, from: from, end: from + len(edit.NewText),
		grown: len(edit.NewText) - (to - from),
	}
	declFrom, declTo := f.tok.Offset(f.decl.Pos()), f.tok.Offset(f.decl.End())+a.grown
	c.within = func(op Operation) bool {
		return op.Pos.IsValid() && c.pass.Fset.File(op.Pos) == tok &&
			declFrom <= tok.Offset(op.Pos) && tok.Offset(op.Pos) < declTo
	}
	a.closed = c.extensions()
	if slices.ContainsFunc(a.closed, isUnknown) {
		c.judge.opts.Env = EnvOpen
		a.open = c.extensions()
	}
	return !slices.ContainsFunc(a.closed, a.objects)
}

func isUnknown(x *Extension) bool { return x.Verdict == absint.Unknown }

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
	closed, open []*Extension
}

// objects reports whether an extension of the edited declaration speaks
// against the edit.
func (a *afterFix) objects(y *Extension) bool {
	if y.Function == a.x.Function && y.Map == a.x.Map && slices.ContainsFunc(y.Operations, a.isPart) {
		return !a.verified(y)
	}
	return y.Verdict == absint.Violation && !slices.ContainsFunc(a.c.found, func(z *Extension) bool {
		return z != a.x && z.Verdict == absint.Violation && z.Function == y.Function && z.Map == y.Map && z.Key == y.Key
	})
}

// verified reports whether an extension is atomic among the steps of the
// package, or among any steps.
func (a *afterFix) verified(y *Extension) bool {
	return y.Verdict == absint.Verified || y.Verdict == absint.Unknown && slices.ContainsFunc(a.open, func(z *Extension) bool {
		return z.Verdict == absint.Verified && z.Function == y.Function && z.Map == y.Map && z.Key == y.Key &&
			z.Operations[0] == y.Operations[0] && len(z.Operations) == len(y.Operations)
	})
}

// isPart reports whether an operation is one of the extension, or in the text
// that is there instead.
func (a *afterFix) isPart(op Operation) bool {
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
	return slices.ContainsFunc(a.x.Operations, func(old Operation) bool { return a.fixer.tok.Offset(old.Pos) == at })
}

// with takes the package apart as it is with another text of one file. The
// packages that it imports are the same, and so are their facts.
func (c *checked) with(file *ast.File, name string, src []byte) (*checked, *ast.File, error) {
	fixed, err := parser.ParseFile(c.pass.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the fixed file: %w", err)
	}
	pass := *c.ps.pass
	pass.Files = slices.Clone(c.pass.Files)
	pass.Files[slices.Index(pass.Files, file)] = fixed
	if err := retype(&pass, c.ps.pass); err != nil {
		return nil, nil, fmt.Errorf("type-check the fixed package: %w", err)
	}
	pkg, funcs, err := buildSSA(&pass)
	if err != nil {
		return nil, nil, err
	}
	again := &checked{pass: &pass, opts: c.opts, ps: lowerAll(&pass, c.ps.res.cat, funcs), pkg: pkg}
	again.takeApart()
	return again, fixed, nil
}

// retype type-checks the files of a pass that was copied from another one,
// and takes from it what it could do to the outside.
func retype(pass, from *analysis.Pass) error {
	pass.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	conf := types.Config{Importer: importsOf(from), Sizes: from.TypesSizes, GoVersion: from.Pkg.GoVersion()}
	var err error
	if pass.Pkg, err = conf.Check(from.Pkg.Path(), pass.Fset, pass.Files, pass.TypesInfo); err != nil {
		return err
	}
	pass.Report = func(analysis.Diagnostic) {}
	pass.ExportObjectFact = func(types.Object, analysis.Fact) {}
	pass.ExportPackageFact = func(analysis.Fact) {}
	pass.ImportObjectFact = func(obj types.Object, fact analysis.Fact) bool {
		return obj.Pkg() != pass.Pkg && from.ImportObjectFact(obj, fact)
	}
	pass.ImportPackageFact = func(pkg *types.Package, fact analysis.Fact) bool {
		return pkg != pass.Pkg && from.ImportPackageFact(pkg, fact)
	}
	return nil
}

// imports are the packages that the files import, by what the files call them:
// a vendored one has another path of its own.
type imports map[string]*types.Package

func importsOf(pass *analysis.Pass) imports {
	m := imports{}
	for _, file := range pass.Files {
		for _, spec := range file.Imports {
			if pkg := pass.TypesInfo.PkgNameOf(spec); pkg != nil {
				if path, err := strconv.Unquote(spec.Path.Value); err == nil {
					m[path] = pkg.Imported()
				}
			}
		}
	}
	return m
}

// Import implements types.Importer.
func (m imports) Import(path string) (*types.Package, error) {
	if pkg := m[path]; pkg != nil {
		return pkg, nil
	}
	return nil, fmt.Errorf("%s is not imported", path)
}
