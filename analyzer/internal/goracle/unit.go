package goracle

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Unit is the text of a unit under a name of its own, with its types.
type Unit struct {
	Name   string // "U12"
	Source string // as it was given
	Text   string // a whole file, without the package clause
	// Funcs are the names of its exported methods.
	Funcs []string

	fset *token.FileSet
	file *ast.File
	pkg  *types.Package
	info *types.Info
}

var unitName = regexp.MustCompile(`\bU([a-z]*)\b`)

// renamed is a text in which the unit has a name of its own; letting go of a lock is no name of its.
func renamed(text, name string) string {
	return unitName.ReplaceAllStringFunc(text, func(found string) string {
		if found == "Unlock" {
			return found
		}
		return name + found[len("U"):]
	})
}

// NewUnit gives the text of a unit a name, and checks that it is Go.
func NewUnit(name, text string) (*Unit, error) {
	u := &Unit{Name: name, Source: text, Text: imports(text) + renamed(text, name)}
	if formatted, err := format.Source([]byte(u.Text)); err == nil {
		u.Text = string(formatted)
	}
	u.fset = token.NewFileSet()
	var err error
	if u.file, err = parser.ParseFile(u.fset, name+".go", "package p\n"+u.Text, 0); err != nil {
		return nil, fmt.Errorf("unit %s: %w\n%s", name, err, u.Text)
	}
	u.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: standard{}}
	if u.pkg, err = conf.Check("p", u.fset, []*ast.File{u.file}, u.info); err != nil {
		return nil, fmt.Errorf("unit %s: %w\n%s", name, err, u.Text)
	}
	self := u.named(name)
	if self == nil {
		return nil, fmt.Errorf("unit %s: no type U\n%s", name, text)
	}
	for m := range self.Methods() {
		if m.Exported() {
			u.Funcs = append(u.Funcs, m.Name())
		}
	}
	slices.Sort(u.Funcs)
	return u, nil
}

// named is the type of a name, or nil.
func (u *Unit) named(name string) *types.Named {
	if o := u.pkg.Scope().Lookup(name); o != nil {
		n, _ := o.Type().(*types.Named)
		return n
	}
	return nil
}

var importable = []string{"errors", "fmt", "sync", "sync/atomic"}

// imports are the import declarations that text needs.
func imports(text string) string {
	var b strings.Builder
	for _, path := range importable {
		name := path[strings.LastIndex(path, "/")+1:]
		if regexp.MustCompile(`\b` + name + `\.[A-Z]`).MatchString(text) {
			fmt.Fprintf(&b, "import %q\n", path)
		}
	}
	return b.String() + "\n"
}

// standard imports packages of the standard library, from source and once.
type standard struct{}

var source = struct {
	sync.Mutex
	types.Importer
}{Importer: importer.ForCompiler(token.NewFileSet(), "source", nil)}

func (standard) Import(path string) (*types.Package, error) {
	source.Lock()
	defer source.Unlock()
	return source.Importer.Import(path)
}
