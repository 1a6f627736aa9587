package libs

import (
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// unavailable are the libraries of the table that are not required here: the
// module proxy does not serve them. Their lines were read in their sources.
var unavailable = map[string]bool{
	"github.com/cornelk/hashmap":    true,
	"github.com/elastic/go-freelru": true,
}

// load returns the packages that libs.go imports, by import path.
func load(t *testing.T) map[string]*packages.Package {
	t.Helper()
	cfg := &packages.Config{
		Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports | packages.NeedDeps |
			packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}
	pkgs, err := packages.Load(cfg, ".")
	require.NoError(t, err)
	require.Zero(t, packages.PrintErrors(pkgs))
	return pkgs[0].Imports
}

// Every line of the tables about these libraries fits the library.
func TestTablesFitLibraries(t *testing.T) {
	c := catalog.Default()
	for path, pkg := range load(t) {
		for _, err := range c.Verify(pkg.Types) {
			assert.NoError(t, err, path)
		}
	}
}

// Every library of the table is one that libs.go imports, or is known to be
// unavailable.
func TestLibrariesAreComplete(t *testing.T) {
	have := load(t)
	for _, path := range catalog.Default().Packages() {
		if strings.HasPrefix(path, "sync") {
			continue // checked by the catalog's own tests
		}
		_, ok := have[path]
		assert.True(t, ok != unavailable[path], "%s: libs.go imports what maps.txt describes, but what is unavailable", path)
	}
}

// Every exported method of a type in the table is in the table, so that a
// new release with a new method is noticed.
func TestTypesAreComplete(t *testing.T) {
	c := catalog.Default()
	for path, pkg := range load(t) {
		for _, fn := range methods(c, pkg.Types.Scope()) {
			_, ok := c.Lookup(fn)
			assert.True(t, ok, "%s: %s is not in the table", path, fn.FullName())
		}
	}
}

// methods returns the exported methods of the scope's types that c knows.
func methods(c *catalog.Catalog, scope *types.Scope) []*types.Func {
	var fns []*types.Func
	for _, name := range scope.Names() {
		named, ok := scope.Lookup(name).Type().(*types.Named)
		if _, known := c.TypeOf(scope.Lookup(name).Type()); !ok || !known {
			continue
		}
		for i := range named.NumMethods() {
			if m := named.Method(i); m.Exported() {
				fns = append(fns, m)
			}
		}
	}
	return fns
}

// The versions that the comments of maps.txt name are the ones checked here.
func TestVersionsAreNamed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "maps.txt"))
	require.NoError(t, err)
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not .Indirect}}{{.Path}} {{.Version}}{{end}}", "all").Output()
	require.NoError(t, err)
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		path, version, _ := strings.Cut(line, " ")
		if !regexp.MustCompile(`(?m)^package ` + regexp.QuoteMeta(path) + `$`).Match(text) {
			continue
		}
		version = strings.TrimSuffix(version, "+incompatible")
		assert.Contains(t, string(text), version, "maps.txt does not name the version of %s that go.mod has", path)
	}
}

// TestMakersAreFresh: what makes a map of the table makes a new one.
func TestMakersAreFresh(t *testing.T) {
	c := catalog.Default()
	for path, pkg := range load(t) {
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			fn, ok := scope.Lookup(name).(*types.Func)
			if !ok || !fn.Exported() || fn.Signature().Results().Len() == 0 {
				continue
			}
			if _, known := c.TypeOf(fn.Signature().Results().At(0).Type()); known {
				assert.Equal(t, catalog.Fresh, c.Classify(fn), "%s: %s is in no line of maps.txt that begins with fresh", path, name)
			}
		}
	}
}
