package subject

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// imports are those of the file that is written. Packages are imported under
// names that nothing else in the file's package has.
type imports struct {
	within string            // path of the file's package, which needs no import
	scope  *types.Scope      // what is declared in it; nil if nothing is
	names  map[string]string // by path
}

func newImports(within string, scope *types.Scope) *imports {
	return &imports{within: within, scope: scope, names: map[string]string{}}
}

// name gives the name under which the file knows a package.
func (im *imports) name(path, base string) string {
	if name, ok := im.names[path]; ok {
		return name
	}
	name := base
	for n := 2; im.taken(name); n++ {
		name = fmt.Sprintf("%s%d", base, n)
	}
	im.names[path] = name
	return name
}

func (im *imports) taken(name string) bool {
	for _, n := range im.names {
		if n == name {
			return true
		}
	}
	return im.scope != nil && im.scope.Lookup(name) != nil || types.Universe.Lookup(name) != nil
}

// std is the name of a package of the standard library.
func (im *imports) std(path string) string {
	return im.name(path, path[strings.LastIndexByte(path, '/')+1:])
}

// lineup is the name of the package that checks.
func (im *imports) lineup() string { return im.name(lineupPath, "lineup") }

// lineupPath is where package lineup is, as far as the file says: whoever
// compiles it may put another path there.
const lineupPath = "github.com/mapatom/mapatom/checker/lineup"

// qualify is a types.Qualifier.
func (im *imports) qualify(p *types.Package) string {
	if p.Path() == im.within {
		return ""
	}
	return im.name(p.Path(), p.Name())
}

// text is a type as the file writes it.
func (im *imports) text(t types.Type) string { return types.TypeString(t, im.qualify) }

// dropIns are the packages whose place others take in instrumented code.
var dropIns = map[string]string{
	"sync":        "github.com/mapatom/mapatom/checker/sched/sync",
	"sync/atomic": "github.com/mapatom/mapatom/checker/sched/atomic",
}

// declaration is the import declaration of a file, of which instrumented says
// whether its package is. A package that was named for something that the
// file does not have after all is left out.
func (im *imports) declaration(body string, instrumented bool) string {
	names := map[string]string{}
	for path, name := range im.names {
		if !strings.Contains(body, name+".") {
			continue
		}
		if to := dropIns[path]; instrumented && to != "" {
			path = to
		}
		names[path] = name
	}
	var out strings.Builder
	out.WriteString("import (\n")
	for _, path := range slices.Sorted(maps.Keys(names)) {
		if name := names[path]; strings.HasSuffix("/"+path, "/"+name) {
			fmt.Fprintf(&out, "\t%q\n", path)
		} else {
			fmt.Fprintf(&out, "\t%s %q\n", name, path)
		}
	}
	out.WriteString(")\n")
	return out.String()
}

// nameable reports whether the file can write a type: all names in it are
// exported, or declared in its own package.
func (im *imports) nameable(t types.Type) bool {
	ok := true
	im.visit(t, func(o *types.TypeName) {
		if o.Pkg() != nil && !o.Exported() && o.Pkg().Path() != im.within {
			ok = false
		}
		// A type within a function has no name that others can write.
		if o.Pkg() != nil && o.Parent() != nil && o.Parent() != o.Pkg().Scope() {
			ok = false
		}
		if o.Pkg() != nil && internal(o.Pkg().Path(), im.within) {
			ok = false
		}
	})
	return ok
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

// visit gives the named types that the text of a type has.
func (im *imports) visit(t types.Type, f func(*types.TypeName)) {
	switch t := t.(type) {
	case *types.Named:
		f(t.Obj())
		for a := range t.TypeArgs().Types() {
			im.visit(a, f)
		}
	case *types.Alias:
		f(t.Obj())
	case *types.Pointer:
		im.visit(t.Elem(), f)
	case *types.Slice:
		im.visit(t.Elem(), f)
	case *types.Array:
		im.visit(t.Elem(), f)
	case *types.Chan:
		im.visit(t.Elem(), f)
	case *types.Map:
		im.visit(t.Key(), f)
		im.visit(t.Elem(), f)
	case *types.Signature:
		for v := range t.Params().Variables() {
			im.visit(v.Type(), f)
		}
		for v := range t.Results().Variables() {
			im.visit(v.Type(), f)
		}
	case *types.Struct:
		for v := range t.Fields() {
			im.visit(v.Type(), f)
		}
	}
}
