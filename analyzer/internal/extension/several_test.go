package extension_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// takenApart is the function of a package with the name, taken apart.
func takenApart(t *testing.T, src, name string) *extension.Function {
	t.Helper()
	pass := passtest.New(t).Pass("example.com/several", src)
	require.Empty(t, pass.TypeErrors)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	ps := ssaprog.Lower(pass, catalog.Default(), pkg, funcs)
	for _, fn := range funcs {
		if fn.Name() == name {
			return extension.TakeApart(fn, name, ps.Inlined(fn))
		}
	}
	require.Fail(t, "there is no such function", name)
	return nil
}

// TestSections: what lies in one critical section is one step, and what is done hand over
// hand is several.
func TestSections(t *testing.T) {
	const head = `package sections

import "sync"

type T struct {
	a, b    sync.Mutex
	x, y, z int
}

func (t *T) Raise() {
	t.a.Lock()
	x := t.x
	t.a.Unlock()
	t.b.Lock()
	y, z := t.y, t.z
	t.b.Unlock()
	t.a.Lock()
	t.x = x + 1
	t.a.Unlock()
	t.b.Lock()
	t.y, t.z = y+1, z+1
	t.b.Unlock()
}
`
	for name, c := range map[string]struct {
		src  string
		want [][]string
	}{
		"one section": {`
func (t *T) Do() {
	t.b.Lock()
	t.y = 1
	t.z = 1
	t.b.Unlock()
}
`, [][]string{{"t.y", "t.z"}}},
		"two sections": {`
func (t *T) Do() {
	t.b.Lock()
	t.y = 1
	t.b.Unlock()
	t.b.Lock()
	t.z = 1
	t.b.Unlock()
}
`, nil},
		"hand over hand": {`
func (t *T) Do() {
	t.a.Lock()
	t.x = 1
	t.b.Lock()
	t.y = 1
	t.a.Unlock()
	t.z = 1
	t.b.Unlock()
}
`, [][]string{{"t.x", "t.y"}, {"t.y", "t.z"}}},
	} {
		t.Run(name, func(t *testing.T) {
			f := takenApart(t, head+c.src, "Do")
			var got [][]string
			for _, g := range f.Sections {
				var cells []string
				for _, cell := range g.Cells {
					cells = append(cells, f.Prog.Cells[cell].Label)
				}
				got = append(got, cells)
			}
			assert.Equal(t, c.want, got)
		})
	}
}

// TestBeyond: what only functions of another package touch is no part of a step on what is here.
func TestBeyond(t *testing.T) {
	const src = `package beyond

import (
	"sync"
	"sync/atomic"
)

var logger atomic.Value

func print(line any) {
	if logger.Load() == nil {
		logger.Store(line)
	}
}

type Txs struct{ open, ended sync.Map }

func (t *Txs) End(id string) {
	if old, ok := t.open.LoadAndDelete(id); ok {
		print(old)
		t.ended.Store(id, old)
	}
}
`
	pass := passtest.New(t).Pass("example.com/beyond", src)
	require.Empty(t, pass.TypeErrors)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	ps := ssaprog.Lower(pass, catalog.Default(), pkg, funcs)
	fn := funcs[slices.IndexFunc(funcs, func(fn *ssa.Function) bool { return fn.Name() == "End" })]
	for _, foreign := range []bool{false, true} {
		p := ps.Inlined(fn).Clone()
		for _, blk := range p.Blocks {
			for i := range blk.Instrs {
				in := &blk.Instrs[i]
				in.Foreign = foreign && in.IsBase() && p.Cells[in.Cell].Map.IsLit()
			}
		}
		var cells []int
		for _, g := range extension.TakeApart(fn, "End", p).Wide {
			cells = append(cells, len(g.Cells))
		}
		want := 3
		if foreign {
			want = 2
		}
		assert.Equal(t, []int{want}, cells)
	}
}
