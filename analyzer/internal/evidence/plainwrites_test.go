package evidence

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// TestPlainWrites: what methods write that call one another in a circle does not depend
// on which of them was asked about first.
func TestPlainWrites(t *testing.T) {
	pass := passtest.New(t).Pass("circle", `package circle

import "sync"

type T struct {
	mu      sync.Mutex
	a, b, c int
}

func (t *T) first(n int) { t.a = n; if n > 0 { t.second(n - 1) } }

func (t *T) second(n int) { t.b = n; t.third(); t.first(n) }

func (t *T) third() { t.mu.Lock(); t.c++; t.fourth(); t.mu.Unlock() }

func (t *T) fourth() { t.c-- }
`)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	ps := ssaprog.Lower(pass, catalog.Default(), pkg, funcs)
	method := func(name string) *ssa.Function {
		named := pass.Pkg.Scope().Lookup("T").Type().(*types.Named)
		for m := range named.Methods() {
			if m.Name() == name {
				return pkg.Prog.FuncValue(m)
			}
		}
		return nil
	}
	for _, order := range [][]string{{"first", "second"}, {"second", "first"}} {
		e := &Weigher{ps: ps}
		for _, name := range order {
			assert.Equal(t, []string{"circle.T.a", "circle.T.b"}, e.plainWrites(method(name)), "%s of %v", name, order)
		}
		assert.Empty(t, e.plainWrites(method("third")), "it has a lock")
		assert.Equal(t, []string{"circle.T.c"}, e.plainWrites(method("fourth")))
	}
}
