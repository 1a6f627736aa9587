package confirm

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/internal/checker/fence/outside"
	"github.com/mapatom/mapatom/internal/checker/gosource"
	"github.com/mapatom/mapatom/internal/load"
)

// world is the packages with the findings, with syntax and types.
type world struct {
	module   *packages.Module // the user's
	packages map[string]*loaded
	read     *outside.Program // what is run where there is no fence; nil behind one
}

// loaded is one package: with its tests, if they have a function that the user
// marked, because only then they are built.
type loaded struct {
	*packages.Package
	bodies map[*types.Func]*ast.FuncDecl
	// makers are the functions that the user marked, by what they return.
	makers []*types.Func
	file   *gosource.File     // that is written for it
	uses   map[*types.Var]use // see usesOfFields; nil before anybody asks
}

// directive marks a function that makes a value for us.
const directive = "//mapatom:harness"

// loadWorld loads the packages.
func loadWorld(ctx context.Context, dir string, paths []string) (*world, error) {
	pkgs, err := load.Packages(ctx, load.Types, load.Where{Dir: dir, Tests: true}, paths...)
	if err != nil {
		return nil, err
	}
	w := &world{packages: map[string]*loaded{}}
	for _, p := range pkgs {
		if !slices.Contains(paths, p.PkgPath) || len(p.Errors) > 0 {
			continue
		}
		if l := index(p); w.packages[p.PkgPath] == nil || l.marksInTest() {
			w.packages[p.PkgPath] = l
		}
	}
	for _, path := range paths {
		if w.packages[path] == nil {
			return nil, fmt.Errorf("package %s: the go command does not load it without errors", path)
		}
		w.module = w.packages[path].Module
	}
	return w, nil
}

// index finds the functions of a package.
func index(p *packages.Package) *loaded {
	l := &loaded{Package: p, bodies: map[*types.Func]*ast.FuncDecl{}}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			obj, ok := p.TypesInfo.Defs[f.Name].(*types.Func)
			if !ok {
				continue
			}
			l.bodies[obj] = f
			sig := obj.Signature()
			if marked(f) && sig.Recv() == nil && sig.Params().Len() == 0 && sig.Results().Len() == 1 {
				l.makers = append(l.makers, obj)
			}
		}
	}
	return l
}

// marksInTest reports whether a test file has a function that the user marked.
func (l *loaded) marksInTest() bool {
	return slices.ContainsFunc(l.makers, func(f *types.Func) bool { return l.inTest(f) })
}

// inTest reports whether an object is declared in a test file.
func (l *loaded) inTest(o types.Object) bool {
	return strings.HasSuffix(l.Fset.Position(o.Pos()).Filename, "_test.go")
}

func marked(f *ast.FuncDecl) bool {
	return f.Doc != nil && slices.ContainsFunc(f.Doc.List, func(c *ast.Comment) bool { return strings.HasPrefix(c.Text, directive) })
}

// callers names the functions of the package, other than itself, that name a
// private one. What these do first, as taking a lock, it may rely on.
func (l *loaded) callers(fn *types.Func) []string {
	if fn.Exported() {
		return nil
	}
	var names []string
	for caller, decl := range l.bodies {
		if caller != fn && decl.Body != nil && !l.inTest(caller) && l.mentions(decl, fn) {
			names = append(names, docName(caller))
		}
	}
	slices.Sort(names)
	return names
}

// mentions reports whether a function names another one.
func (l *loaded) mentions(decl *ast.FuncDecl, fn *types.Func) bool {
	found := false
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			used, ok := l.TypesInfo.Uses[id].(*types.Func)
			found = ok && used.Origin() == fn.Origin()
		}
		return !found
	})
	return found
}

// function finds a function by the name that go doc has for it. A function
// literal is found as the function that it is in.
func (l *loaded) function(name string) (*types.Func, error) {
	name = outer(name)
	recv, method, isMethod := strings.Cut(name, ".")
	if !isMethod {
		if f, ok := l.Types.Scope().Lookup(name).(*types.Func); ok {
			return f, nil
		}
		return nil, fmt.Errorf("package %s has no function %s", l.PkgPath, name)
	}
	typeName := strings.Trim(recv, "(*)")
	tn, ok := l.Types.Scope().Lookup(typeName).(*types.TypeName)
	if !ok {
		return nil, fmt.Errorf("package %s has no type %s", l.PkgPath, typeName)
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(tn.Type()), true, l.Types, method)
	f, ok := obj.(*types.Func)
	if !ok {
		return nil, fmt.Errorf("type %s has no method %s", typeName, method)
	}
	return f, nil
}

// outer is the name of the function that a literal is in, and the name of the
// function that a region is of.
func outer(name string) string {
	name = strings.TrimSuffix(name, "(…)")
	if i := strings.Index(name, ".func"); i > 0 {
		rest := strings.TrimLeft(name[i+len(".func"):], "0123456789.func")
		if rest == "" {
			name = name[:i]
		}
	}
	return name
}

// docName is the name that go doc has for a function.
func docName(f *types.Func) string {
	recv := f.Signature().Recv()
	if recv == nil {
		return f.Name()
	}
	t := types.Unalias(recv.Type())
	p, pointer := t.(*types.Pointer)
	if pointer {
		t = types.Unalias(p.Elem())
	}
	named, ok := t.(*types.Named)
	if !ok {
		return f.Name()
	}
	if pointer {
		return "(*" + named.Obj().Name() + ")." + f.Name()
	}
	return named.Obj().Name() + "." + f.Name()
}

// libraries are the packages of other modules whose functions are base
// operations of the findings, or call them, each once.
func (w *world) libraries(findings []Finding) []string {
	var paths []string
	add := func(path string) {
		if !w.standard(path) && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, f := range findings {
		pkg := w.packages[f.Package]
		for _, op := range f.Operations {
			add(pkg.calledAt(op))
		}
		pkg.handed(f.Operations, func(fn *types.Func) {
			if fn.Pkg() != nil && !within(fn.Pkg().Path(), w.module) {
				add(fn.Pkg().Path())
			}
		})
	}
	return paths
}

// calledAt is the package of the function that an operation calls, "" if it is
// of the user's module or the call is not found.
func (l *loaded) calledAt(op Operation) string {
	path := ""
	for id, used := range l.TypesInfo.Uses {
		fn, ok := used.(*types.Func)
		if !ok || id.Name != op.Name || fn.Pkg() == nil {
			continue
		}
		at := l.Fset.Position(id.Pos())
		if at.Line == op.Line && at.Filename == op.File && !within(fn.Pkg().Path(), l.Module) {
			path = max(path, fn.Pkg().Path())
		}
	}
	return path
}

// standard reports whether a package is of the standard library: its path
// begins like no host, and not like that of the user's module.
func (w *world) standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !within(path, w.module)
}

// within reports whether a package is of the module.
func within(path string, m *packages.Module) bool {
	return m != nil && (path == m.Path || strings.HasPrefix(path, m.Path+"/"))
}
