package house

import (
	"go/ast"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

const module = "github.com/mapatom/mapatom/"

// layers are the parts of the module, each with all below it: a package may import
// those of earlier layers, and those that are in the same part.
var layers = [][]string{
	{"internal/reduce/register", "internal/pace"},
	{"internal/reduce/calls"},
	{"internal/reduce/ways"},
	{"reduce"},
	{"absint"},
	{"docs", "internal/load"},
	{"internal/pages"},
	{"internal/analyzer/catalog", "analyzer/internal/directive", "analyzer/internal/contract", "analyzer/internal/passtest"},
	{"analyzer/internal/guards"},
	{"internal/analyzer/config"},
	{"analyzer/internal/ssaprog"},
	{"analyzer/internal/extension"},
	{"analyzer/internal/ownership"},
	{"analyzer/internal/rivals"},
	{"analyzer/internal/callers", "analyzer/internal/judge", "analyzer/internal/topology"},
	{"analyzer/internal/evidence"},
	{"analyzer/internal/check"},
	{"analyzer/internal/fix"},
	{"analyzer"},
	{"checker", "internal/checker"},
	{"cmd", "docs/bench", "internal/release"},
	{"internal/house"},
}

// only are packages that may import no others of the module than these, and what is
// below them.
var only = map[string][]string{
	// Its source is laid over the user's module.
	"checker/sched": {},
	// What other programs may import is small.
	"checker/internal": {},
	"checker/history":  {"checker/internal"},
	"checker/search":   {"checker/history"},
	"checker/monitor":  {"checker/history", "checker/search"},
	"checker/record":   {"checker/history", "checker/internal"},
	// The checkers know of the static side what a witness is.
	"checker":                        {"checker", "internal/checker", "internal/load"},
	"internal/checker/confirm":       {"checker", "internal/checker", "internal/load", "absint"},
	"internal/checker/confirm/trial": {"checker/sched", "internal/checker/values"},
	"internal/checker":               {"checker", "internal/checker", "internal/load"},
	"internal/checker/witness":       {"checker/history", "absint"},
	// What commands share knows no command.
	"cmd/mapatom/internal/cli": {"cmd/mapatom/internal", "analyzer", "internal/analyzer", "absint", "internal/reduce/register", "checker", "internal/checker", "internal/load", "internal/pace", "internal/pages"},
}

// standard are packages that take nothing but the standard library, and the module's
// packages that are named above.
var standard = []string{"internal/checker/values", "checker/internal", "checker/sched", "checker/history", "checker/search", "checker/monitor", "checker/record", "internal/checker/confirm/trial"}

// maxCycle is how many files of a package may need each other.
const maxCycle = 12

// maxFiles is how many files a package may have: some thirty.
const maxFiles = 32

// exported are the packages that others may import, and how many names each has for them:
// the package's own, and the methods of its types. They are to get fewer; what the two
// that stand in for sync and sync/atomic have is what these have.
var exported = map[string]names{
	"absint":               {own: 52, methods: 10},
	"analyzer":             {own: 23, methods: 3},
	"analyzer/golangci":    {own: 1},
	"checker":              {own: 2},
	"checker/history":      {own: 62, methods: 35},
	"checker/lineup":       {own: 44, methods: 26},
	"checker/monitor":      {own: 15, methods: 1},
	"checker/record":       {own: 8, methods: 11},
	"checker/sched":        {own: 83, methods: 21},
	"checker/sched/atomic": {own: 47, methods: 12},
	"checker/sched/sync":   {own: 12, methods: 30},
	"checker/search":       {own: 17, methods: 6},
	"docs":                 {own: 1},
	"reduce":               {own: 13, methods: 6},
}

// names are the exported names of a package.
type names struct{ own, methods int }

var load = sync.OnceValues(func() ([]*packages.Package, error) {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo
	return packages.Load(&packages.Config{Mode: mode, Dir: "../.."}, "./...")
})

// parts are the module's packages by their paths below the module's, tests left out.
func parts(t *testing.T) map[string]*packages.Package {
	pkgs, err := load()
	require.NoError(t, err)
	all := map[string]*packages.Package{}
	for _, p := range pkgs {
		require.Empty(t, p.Errors, p.PkgPath)
		all[strings.TrimPrefix(p.PkgPath, module)] = p
	}
	require.Greater(t, len(all), 50)
	return all
}

// below reports whether a package is the part, or inside it.
func below(pkg, part string) bool { return pkg == part || strings.HasPrefix(pkg, part+"/") }

// longest is the longest of the parts that a package is below, "" if there is none.
func longest(pkg string, parts []string) string {
	best := ""
	for _, part := range parts {
		if below(pkg, part) && len(part) > len(best) {
			best = part
		}
	}
	return best
}

// TestImports: each package imports what its part may.
func TestImports(t *testing.T) {
	layer, names := map[string]int{}, []string{}
	for i, parts := range layers {
		for _, part := range parts {
			layer[part], names = i, append(names, part)
		}
	}
	restricted := slices.Collect(maps.Keys(only))
	for pkg, p := range parts(t) {
		from := longest(pkg, names)
		if !assert.NotEmpty(t, from, "%s is in no layer", pkg) {
			continue
		}
		for path := range p.Imports {
			to, ours := strings.CutPrefix(path, module)
			if !ours {
				isStandard := !strings.Contains(strings.SplitN(path, "/", 2)[0], ".")
				assert.True(t, isStandard || longest(pkg, standard) == "", "%s must not import %s", pkg, path)
				continue
			}
			part := longest(to, names)
			same := part == from || part == "checker" || part == "internal/checker"
			assert.True(t, layer[part] < layer[from] || layer[part] == layer[from] && same, "%s must not import %s", pkg, to)
			if limit := longest(pkg, restricted); limit != "" && !below(to, limit) {
				assert.NotEmpty(t, longest(to, only[limit]), "%s must not import %s", pkg, to)
			}
		}
	}
}

// TestCycles: the files of a package that need each other, directly or not, are few.
func TestCycles(t *testing.T) {
	for pkg, p := range parts(t) {
		assert.LessOrEqual(t, largest(fileGraph(p)), maxCycle, "%s: so many files need each other", pkg)
	}
}

// TestFiles: a package has no more files than can be taken in at a glance.
func TestFiles(t *testing.T) {
	for pkg, p := range parts(t) {
		assert.LessOrEqual(t, len(p.Syntax), maxFiles, "%s: so many files", pkg)
	}
}

// fileGraph says which files of a package name something, or a method, of which
// others.
func fileGraph(p *packages.Package) map[string][]string {
	needs := map[string][]string{}
	for _, f := range p.Syntax {
		from := filepath.Base(p.Fset.Position(f.Package).Filename)
		needs[from] = nil
		ast.Inspect(f, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			used := p.TypesInfo.Uses[id]
			fn, isFunc := used.(*types.Func)
			if used == nil || used.Pkg() != p.Types || used.Parent() != p.Types.Scope() && !(isFunc && fn.Signature().Recv() != nil) {
				return true
			}
			if to := filepath.Base(p.Fset.Position(used.Pos()).Filename); to != from && !slices.Contains(needs[from], to) {
				needs[from] = append(needs[from], to)
			}
			return true
		})
	}
	return needs
}

// largest is the size of the largest set of files that can all be reached from each
// other.
func largest(needs map[string][]string) int {
	reached := map[string]map[string]bool{}
	for file := range needs {
		seen := map[string]bool{}
		var visit func(string)
		visit = func(at string) {
			for _, to := range needs[at] {
				if !seen[to] {
					seen[to] = true
					visit(to)
				}
			}
		}
		visit(file)
		reached[file] = seen
	}
	most := 1
	for file, seen := range reached {
		n := 0
		for other := range seen {
			if reached[other][file] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestLargest: two files in a circle, one that needs them, one that nobody needs.
func TestLargest(t *testing.T) {
	assert.Equal(t, 2, largest(map[string][]string{"a": {"b"}, "b": {"a", "d"}, "c": {"a"}, "d": nil}))
	assert.Equal(t, 3, largest(map[string][]string{"a": {"b"}, "b": {"c"}, "c": {"a"}}))
	assert.Equal(t, 1, largest(map[string][]string{"a": {"b"}, "b": nil}))
}

// TestExported: others may import what is meant for them, which is little. What is no
// longer exported is not exported again unseen.
func TestExported(t *testing.T) {
	got, own, methods := map[string]names{}, 0, 0
	for pkg, p := range parts(t) {
		if p.Name == "main" || strings.Contains("/"+pkg+"/", "/internal/") {
			continue
		}
		n := exportedNames(p.Types.Scope())
		got[pkg], own, methods = n, own+n.own, methods+n.methods
	}
	assert.Equal(t, exported, got)
	t.Logf("%d names and %d methods", own, methods)
}

// exportedNames counts the names of a package that others can write.
func exportedNames(scope *types.Scope) (n names) {
	for _, name := range scope.Names() {
		obj := scope.Lookup(name)
		if !obj.Exported() {
			continue
		}
		n.own++
		named, ok := obj.Type().(*types.Named)
		if _, isType := obj.(*types.TypeName); !isType || !ok || named.Obj() != obj {
			continue // an alias has its methods elsewhere
		}
		for m := range named.Methods() {
			if m.Exported() {
				n.methods++
			}
		}
	}
	return n
}

// TestLoading: what is asked of the go command is said in one place.
func TestLoading(t *testing.T) {
	const loader = "golang.org/x/tools/go/packages"
	for pkg, p := range parts(t) {
		for _, obj := range p.TypesInfo.Uses {
			if fn, ok := obj.(*types.Func); ok && fn.Pkg() != nil && fn.Pkg().Path() == loader && fn.Name() == "Load" {
				assert.Equal(t, "internal/load", pkg)
			}
		}
	}
}

// TestComments: each package says what it is for, once.
func TestComments(t *testing.T) {
	for pkg, p := range parts(t) {
		n := 0
		for _, f := range p.Syntax {
			if f.Doc != nil {
				n++
			}
		}
		assert.Equal(t, 1, n, "%s: package comments", pkg)
	}
}
