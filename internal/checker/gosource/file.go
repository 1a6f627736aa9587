package gosource

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker"
)

// A File is a Go file of a package while it is written. It imports packages
// under names that nothing else has.
type File struct {
	path, name string            // of its package
	scope      *types.Scope      // what is declared in the package; nil if nothing is
	names      map[string]string // of imports, by path
	numbers    map[string]int    // of names that were given, by what they begin with
}

// NewFile begins a file of a package, in which scope is declared.
func NewFile(path, name string, scope *types.Scope) *File {
	return &File{path: path, name: name, scope: scope, names: map[string]string{}}
}

// Path is the import path of the file's package.
func (f *File) Path() string { return f.path }

// Import gives the name under which the file knows a package.
func (f *File) Import(path string) string {
	return f.named(path, path[strings.LastIndexByte(path, '/')+1:])
}

// Qualify is a types.Qualifier.
func (f *File) Qualify(p *types.Package) string {
	if p.Path() == f.path {
		return ""
	}
	return f.named(p.Path(), p.Name())
}

// Name is an object of a package as the file writes it.
func (f *File) Name(o types.Object) string {
	if q := f.Qualify(o.Pkg()); q != "" {
		return q + "." + o.Name()
	}
	return o.Name()
}

// Type is a type as the file writes it.
func (f *File) Type(t types.Type) string { return types.TypeString(t, f.Qualify) }

// TypeArgs are type arguments in brackets, and nothing if there are none.
func (f *File) TypeArgs(args []types.Type) string {
	if len(args) == 0 {
		return ""
	}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = f.Type(a)
	}
	return "[" + strings.Join(names, ", ") + "]"
}

func (f *File) named(path, base string) string {
	if name, ok := f.names[path]; ok {
		return name
	}
	if locals.MatchString(base) {
		base += "pkg"
	}
	name := base
	for n := 2; f.taken(name); n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	f.names[path] = name
	return name
}

// locals are the names that the code in the files has for its own variables.
var locals = regexp.MustCompile(`^([a-z]|err|args|seen|keep|restore|world)[0-9]*$`)

// unique is a name that nothing in the package has, and that was not given before.
func (f *File) unique(begin string) string {
	if f.numbers == nil {
		f.numbers = map[string]int{}
	}
	for {
		f.numbers[begin]++
		if name := fmt.Sprint(begin, f.numbers[begin]); !f.taken(name) {
			return name
		}
	}
}

func (f *File) taken(name string) bool {
	for _, n := range f.names {
		if n == name {
			return true
		}
	}
	return f.scope != nil && f.scope.Lookup(name) != nil || types.Universe.Lookup(name) != nil
}

// dropIns are the packages whose place others take in instrumented code.
var dropIns = map[string]string{
	"sync":        checker.Path + "/sched/sync",
	"sync/atomic": checker.Path + "/sched/atomic",
}

// Source is the file with its imports: those that the declarations use.
// Instrumented says that the file's package is; then the types of sync are those
// of the drop-ins.
func (f *File) Source(declarations string, instrumented bool) ([]byte, error) {
	head := "package " + f.name + "\n\n"
	used, err := qualifiers(head + declarations)
	if err != nil {
		return nil, fmt.Errorf("internal error: the file for package %s is not Go: %w\n%s", f.path, err, declarations)
	}
	imports := map[string]string{}
	for path, name := range f.names {
		if !used[name] {
			continue // it was named for something that is not in the file after all
		}
		if to := dropIns[path]; instrumented && to != "" {
			path = to
		}
		imports[path] = name
	}
	var out strings.Builder
	out.WriteString(head + "import (\n")
	for _, path := range slices.Sorted(maps.Keys(imports)) {
		if name := imports[path]; strings.HasSuffix("/"+path, "/"+name) {
			fmt.Fprintf(&out, "\t%q\n", path)
		} else {
			fmt.Fprintf(&out, "\t%s %q\n", name, path)
		}
	}
	out.WriteString(")\n\n" + declarations)
	return format.Source([]byte(out.String()))
}

// qualifiers are the names before dots.
func qualifiers(source string) (map[string]bool, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	return used, nil
}

// Nameable reports whether the file can write a type: all names in it are
// exported, or declared in its own package.
func (f *File) Nameable(t types.Type) bool {
	ok := true
	names(t, func(o *types.TypeName) {
		if o.Pkg() == nil {
			return
		}
		// A type within a function has no name that others can write.
		if !f.Visible(o) || o.Parent() != nil && o.Parent() != o.Pkg().Scope() || internal(o.Pkg().Path(), f.path) {
			ok = false
		}
	})
	return ok
}

// Visible reports whether the file can name an object of its package.
func (f *File) Visible(o types.Object) bool {
	return o.Exported() || o.Pkg() != nil && o.Pkg().Path() == f.path
}

// internal reports whether a package must not be imported by another.
func internal(path, by string) bool {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return false
	}
	parent := strings.TrimSuffix(path[:i], "/")
	return parent != by && !strings.HasPrefix(by, parent+"/")
}

// names gives the named types that the text of a type has.
func names(t types.Type, yield func(*types.TypeName)) {
	switch t := t.(type) {
	case *types.Named:
		yield(t.Obj())
		for a := range t.TypeArgs().Types() {
			names(a, yield)
		}
	case *types.Alias:
		yield(t.Obj())
	case *types.Pointer:
		names(t.Elem(), yield)
	case *types.Slice:
		names(t.Elem(), yield)
	case *types.Array:
		names(t.Elem(), yield)
	case *types.Chan:
		names(t.Elem(), yield)
	case *types.Map:
		names(t.Key(), yield)
		names(t.Elem(), yield)
	case *types.Signature:
		for v := range t.Params().Variables() {
			names(v.Type(), yield)
		}
		for v := range t.Results().Variables() {
			names(v.Type(), yield)
		}
	case *types.Struct:
		for v := range t.Fields() {
			names(v.Type(), yield)
		}
	}
}
