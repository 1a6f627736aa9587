package check

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// With takes the package apart as it is with another text of one file, which
// differs in one declaration. The packages that it imports are the same, and so are
// their facts. Of its functions there are those that have to do with the maps of the
// declaration: see near.
func (c *Package) With(file *ast.File, decl *ast.FuncDecl, name string, src []byte) (*Package, *ast.File, error) {
	if !c.Judge.CanReform(instructions(c.Ps.Funcs)) {
		return nil, nil, errors.New("nothing is left of the package's budget")
	}
	fixed, err := parser.ParseFile(c.Ps.Pass.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fmt.Errorf("parse the fixed file: %w", err)
	}
	pass := *c.Ps.Pass
	pass.Files = slices.Clone(pass.Files)
	pass.Files[slices.Index(pass.Files, file)] = fixed
	if err := retype(&pass, c.Ps.Pass, fixed); err != nil {
		return nil, nil, fmt.Errorf("type-check the fixed package: %w", err)
	}
	ps, err := build(&pass, c.Ps.Res.Cat, c.opts, markedNames(c.set))
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(ps.Named, c.Ps.Named) // of bodies that were dropped
	near := c.near(decl)
	out := newPackage(ps, c.opts, nil, func(fn *ssa.Function) bool { return near[outermost(fn).String()] })
	out.Judge.Borrow(c.Judge, instructions(ps.Funcs))
	return out, fixed, nil
}

// instructions counts those of some functions.
func instructions(funcs []*ssa.Function) int {
	n := 0
	for _, fn := range funcs {
		for _, b := range fn.Blocks {
			n += len(b.Instrs)
		}
	}
	return n
}

// near are the names of the functions that a declaration has to do with: its own,
// and those that touch a map that it touches. The others are what they were before
// it was edited, and nothing that they do can come between its operations. Of those that
// do the same, one is enough: see kind.
func (c *Package) near(decl *ast.FuncDecl) map[string]bool {
	names, roots := map[string]bool{}, map[string]bool{}
	if fn, ok := c.Ps.Pass.TypesInfo.Defs[decl.Name].(*types.Func); ok {
		if own := c.Ps.Pkg.Prog.FuncValue(fn); own != nil {
			names[own.String()] = true
		}
	}
	for _, f := range c.Functions {
		if names[outermost(f.Fn).String()] {
			for cell := range f.Prog.Cells {
				roots[f.Root(cell)] = true
			}
		}
	}
	delete(roots, "") // a map that only the function itself can name
	seen := map[string]bool{"": true}
	for _, f := range c.Functions {
		name := outermost(f.Fn).String()
		if names[name] || !slices.ContainsFunc(f.Prog.Cells, func(cell register.Cell) bool { return roots[f.RootOf(cell.Map)] }) {
			continue
		}
		kind := c.kind(f)
		names[name] = kind == "" || !seen[kind]
		seen[kind] = true
	}
	return names
}

// kind is the same for functions that do the same and that only other packages call, as
// often as they like: nobody can tell how many of them there are. It is empty for others.
func (c *Package) kind(f *rivals.Function) string {
	if kind, known := c.kinds[f]; known {
		return kind
	}
	kind := ""
	if fn := f.Fn; c.Ps.Exported(fn) && len(fn.AnonFuncs) == 0 && !ssaprog.IsInit(fn) && !ssaprog.IsSetup(fn) &&
		!c.Ps.Escapes(fn) && !c.Ps.Started(fn) && len(c.Ps.Callers(fn)) == 0 {
		kind = rivals.ProgramText(f.Prog)
	}
	c.kinds[f] = kind
	return kind
}

// outermost is the declared function that a function literal is in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// retype type-checks the files of a pass that was copied from another one, with another
// text of one of them, and takes from it what it could do to the outside.
func retype(pass, from *analysis.Pass, fixed *ast.File) error {
	pass.TypesInfo = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
	var wrong error
	conf := types.Config{
		Importer: importsOf(from), Sizes: from.TypesSizes, GoVersion: from.Pkg.GoVersion(),
		Error: func(err error) {
			var e types.Error
			if unused := errors.As(err, &e) && e.Soft && !within(fixed, e.Pos); !unused && wrong == nil {
				wrong = err // and no import that only bodies need which were dropped
			}
		},
	}
	pass.Pkg, _ = conf.Check(from.Pkg.Path(), pass.Fset, pass.Files, pass.TypesInfo)
	if wrong != nil {
		return wrong
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

func within(file *ast.File, pos token.Pos) bool { return file.FileStart <= pos && pos < file.FileEnd }

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
