package driver

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/types"
	"os"

	"golang.org/x/tools/go/packages"
)

// loaded is the syntax of a package, and what the type checker says of it.
type loaded struct {
	files []*ast.File
	info  *types.Info
	sizes types.Sizes
}

// load type-checks a package after those that it imports.
func (r *run) load(u *unit, bodiless bool) *loaded {
	l := &loaded{sizes: r.env.sizes}
	mode := parser.ParseComments | parser.SkipObjectResolution | parser.AllErrors
	if bodiless {
		mode &^= parser.ParseComments
	}
	for _, name := range u.pkg.CompiledGoFiles {
		file, err := parser.ParseFile(r.fset, name, nil, mode)
		u.addErrors(err)
		if file != nil {
			l.files = append(l.files, file)
		}
	}
	if !bodiless {
		l.info = &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
			Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
		}
	}
	conf := types.Config{
		Importer: importerFunc(func(path string) (*types.Package, error) { return r.imported(u, path) }),
		Sizes:    l.sizes, IgnoreFuncBodies: bodiless,
		Error: u.addErrors,
	}
	if m := u.pkg.Module; m != nil && m.GoVersion != "" {
		conf.GoVersion = "go" + m.GoVersion
	}
	// The errors have gone to Error.
	_ = types.NewChecker(&conf, r.fset, u.types, l.info).Files(l.files)
	u.types.MarkComplete()
	u.broken = len(u.pkg.Errors) > 0
	for _, v := range u.imports {
		u.broken = u.broken || v.broken
	}
	u.pkg.IllTyped = u.broken
	return l
}

// importerFunc implements types.Importer.
type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// imported is what a package imports by a path.
func (r *run) imported(u *unit, path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	p := u.pkg.Imports[path]
	if p == nil {
		return nil, fmt.Errorf("no metadata for %s", path)
	}
	if v := r.units[p.ID]; !v.standard {
		return v.types, nil
	}
	return r.library.Import(p.PkgPath)
}

// addErrors adds what keeps a package from being analysed, as package packages
// would have it.
func (u *unit) addErrors(err error) {
	add := func(pos, msg string, kind packages.ErrorKind) {
		u.pkg.Errors = append(u.pkg.Errors, packages.Error{Pos: pos, Msg: msg, Kind: kind})
	}
	switch err := err.(type) {
	case nil:
	case *os.PathError:
		add(err.Path+":1", err.Err.Error(), packages.ParseError)
	case scanner.ErrorList:
		for _, e := range err {
			add(e.Pos.String(), e.Msg, packages.ParseError)
		}
	case types.Error:
		add(err.Fset.Position(err.Pos).String(), err.Msg, packages.TypeError)
	default:
		add("-", err.Error(), packages.UnknownError)
	}
}
