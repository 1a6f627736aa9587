package ssaprog

import (
	"os"
	"testing"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// realPackages do what few test programs do: generics, iterators, goto, defer
// in loops, and a lot with atomics.
var realPackages = []string{
	"sync", "encoding/json", "expvar", "context", "log/slog", "database/sql", "iter", "slices", "text/template",
}

// TestRealPackages makes the programs and facts of whole packages. Each is well
// formed, and nothing fails.
func TestRealPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages")
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, realPackages...)
	require.NoError(t, err)
	count := 0
	for _, loaded := range pkgs {
		require.Empty(t, loaded.Errors)
		pass := &analysis.Pass{
			Fset: loaded.Fset, Files: loaded.Syntax, Pkg: loaded.Types, TypesInfo: loaded.TypesInfo,
			ImportObjectFact:  noObjectFact,
			ImportPackageFact: noPackageFact,
		}
		pkg, funcs, err := BuildSSA(pass)
		require.NoError(t, err)
		ps := Lower(pass, catalog.Default(), pkg, funcs)
		count += checkPrograms(t, ps)
		assert.Empty(t, ps.errs, loaded.PkgPath)
	}
	assert.Greater(t, count, 200)
}

// checkPrograms makes all programs of a package and counts them.
func checkPrograms(t *testing.T, ps *Programs) int {
	t.Helper()
	n := 0
	for _, fn := range ps.Roots() {
		if !ps.Touches(fn) {
			continue
		}
		p := ps.Inlined(fn)
		if assert.NotNil(t, p, "%s", fn) {
			assert.NoError(t, register.Check(p))
			n++
		}
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				assert.NotEqual(t, register.Call, in.Op, "%s: %s", fn, p.InstrText(in))
				if in.IsBase() {
					assert.NotEmpty(t, ps.Res.OpName(in.Pos).Name, "%s: %s at %s", fn, p.InstrText(in), in.Pos)
				}
			}
		}
		ps.factOf(fn)
	}
	return n
}

// TestTestdataPackages makes the programs of all packages of testdata.
func TestTestdataPackages(t *testing.T) {
	dirs, err := os.ReadDir("../../testdata/src")
	require.NoError(t, err)
	w, n := passtest.New(t), 0
	for _, d := range dirs {
		if path := d.Name(); path != "github.com" && w.Pkgs[path] == nil {
			n += checkPrograms(t, loadTestdata(w, path))
		}
	}
	assert.Greater(t, n, 100)
}
