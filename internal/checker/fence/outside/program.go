package outside

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/load"
	"golang.org/x/tools/go/packages"
)

// Program is packages and what they import, as far as it is not of the standard
// library.
type Program struct {
	functions map[string]*function
	inits     map[string]*function // by package
	imports   map[string][]string  // by package
	modules   map[string]bool      // the packages that are not of the standard library
	methods   map[string][]*method // by name and type; those of generic types by name
	named     map[string][]*method // by name
	known     map[string]string    // answers, by function
	tests     map[string][]string  // functions of test files that go test calls, by package
}

// function is what the body of a function mentions.
type function struct {
	name  string   // for people
	calls []string // keys of functions that are not of the standard library
	// dynamic are calls of methods of interfaces.
	dynamic []dynamic
	// reaches is what it reaches by itself, if anything.
	reaches string
	// gives says that it gives values to the standard library that could call
	// their methods.
	gives bool
}

// dynamic is a call of an interface's method: its name and type, and the names
// of all methods of the interface.
type dynamic struct {
	name, method string
	generic      bool // its type depends on type parameters
	all          []string
}

// method is one that a call of an interface's method may come to.
type method struct {
	key string
	all map[string]bool // names of the methods of its receiver
}

// Load reads the packages that the patterns match, and what they import.
func Load(ctx context.Context, dir string, tests bool, patterns ...string) (*Program, error) {
	at := load.Where{Dir: dir, Tests: tests}
	roots, err := load.Packages(ctx, load.Graph, at, patterns...)
	if err != nil {
		return nil, err
	}
	p := &Program{
		functions: map[string]*function{}, inits: map[string]*function{}, imports: map[string][]string{},
		modules: map[string]bool{}, methods: map[string][]*method{}, named: map[string][]*method{}, known: map[string]string{}, tests: map[string][]string{},
	}
	var paths []string
	packages.Visit(roots, nil, func(l *packages.Package) {
		path := plain(l.PkgPath)
		if l.Module == nil || strings.HasSuffix(path, ".test") {
			return
		}
		p.modules[path] = true
		if l.ID == l.PkgPath {
			paths = append(paths, path)
		}
		for _, dep := range l.Imports {
			if dep.Module != nil {
				p.imports[path] = append(p.imports[path], plain(dep.PkgPath))
			}
		}
	})
	pkgs, err := load.Packages(ctx, load.Types, at, paths...)
	if err != nil {
		return nil, err
	}
	for _, l := range pkgs {
		if !strings.HasSuffix(l.PkgPath, ".test") {
			p.add(l)
		}
	}
	return p, nil
}

// plain is a package's path without what its tests add to it.
func plain(path string) string {
	path, _, _ = strings.Cut(path, " ")
	return path
}

// add notes what the functions of a package mention.
func (p *Program) add(l *packages.Package) {
	path := plain(l.PkgPath)
	start := p.inits[path]
	if start == nil {
		start = &function{name: "the initialization of " + path}
		p.inits[path] = start
	}
	if len(l.Errors) > 0 || l.TypesInfo == nil {
		start.reaches = "code that cannot be read: " + firstError(l)
		return
	}
	for _, file := range l.Syntax {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.GenDecl:
				if d.Tok == token.VAR {
					p.read(l, start, d)
				}
				if importsC(d) {
					start.reaches = "cgo"
				}
			case *ast.FuncDecl:
				p.declare(l, start, d)
			}
		}
	}
}

func firstError(l *packages.Package) string {
	if len(l.Errors) == 0 {
		return "there are no types"
	}
	return l.Errors[0].Error()
}

func importsC(d *ast.GenDecl) bool {
	return slices.ContainsFunc(d.Specs, func(s ast.Spec) bool {
		i, ok := s.(*ast.ImportSpec)
		return ok && i.Path.Value == `"C"`
	})
}

// isTest matches the names of functions that go test calls.
var isTest = regexp.MustCompile("^(Test|Benchmark|Example|Fuzz)")

// declare notes a function.
func (p *Program) declare(l *packages.Package, start *function, d *ast.FuncDecl) {
	obj, ok := l.TypesInfo.Defs[d.Name].(*types.Func)
	if !ok {
		return
	}
	if d.Recv == nil && d.Name.Name == "init" {
		p.read(l, start, d.Body)
		return
	}
	if d.Recv == nil && isTest.MatchString(d.Name.Name) && strings.HasSuffix(l.Fset.Position(d.Pos()).Filename, "_test.go") {
		path := plain(l.PkgPath)
		p.tests[path] = append(p.tests[path], d.Name.Name)
	}
	key := Key(obj)
	f := &function{name: Name(obj)}
	p.functions[key] = f
	if d.Body == nil {
		f.reaches = "code that is not Go: it has no body"
		return
	}
	p.read(l, f, d.Body)
	if recv := obj.Signature().Recv(); recv != nil {
		m := &method{key: key, all: map[string]bool{}}
		set := types.NewMethodSet(pointerTo(recv.Type()))
		for s := range set.Methods() {
			m.all[s.Obj().Name()] = true
		}
		p.methods[described(obj)] = append(p.methods[described(obj)], m)
		p.named[obj.Name()] = append(p.named[obj.Name()], m)
	}
}

func pointerTo(t types.Type) types.Type {
	if _, ok := types.Unalias(t).(*types.Pointer); ok {
		return t
	}
	return types.NewPointer(t)
}

// Key is the name by which a function is known across packages that were loaded
// apart.
func Key(f *types.Func) string {
	f = f.Origin()
	if f.Pkg() == nil {
		return f.Name()
	}
	return plain(f.Pkg().Path()) + "\x00" + Name(f)
}

// Name is the function as its package has it: Open, or Registry.Open.
func Name(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := types.Unalias(recv.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if named, ok := t.(*types.Named); ok {
		return named.Obj().Name() + "." + f.Name()
	}
	return "." + f.Name()
}

// described is a method's name and type, in words that are the same for the same
// types of packages that were loaded apart. What is generic has any type.
func described(f *types.Func) string {
	sig := f.Signature()
	if sig.RecvTypeParams().Len() > 0 {
		return f.Name()
	}
	nameless := types.NewSignatureType(nil, nil, nil, withoutNames(sig.Params()), withoutNames(sig.Results()), sig.Variadic())
	return f.Name() + " " + types.TypeString(nameless, unnamedPackage)
}

func withoutNames(t *types.Tuple) *types.Tuple {
	var all []*types.Var
	for v := range t.Variables() {
		all = append(all, types.NewParam(v.Pos(), v.Pkg(), "", v.Type()))
	}
	return types.NewTuple(all...)
}

func unnamedPackage(p *types.Package) string { return plain(p.Path()) }
