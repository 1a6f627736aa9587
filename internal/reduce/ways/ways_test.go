package ways

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

const source = `package p

func a() {}
func b() {}
func c() {}
func d() {}

func f(n int) {
	a()
	if n > 0 {
		b()
	}
	for range n {
		c()
	}
	d()
}
`

// calls are the calls of f by the names of what they call.
func calls(t *testing.T) map[string]ssa.Instruction {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", "p"), []*ast.File{file}, ssa.BuilderMode(0))
	require.NoError(t, err)
	out := map[string]ssa.Instruction{}
	for _, blk := range pkg.Func("f").Blocks {
		for _, instr := range blk.Instrs {
			if call, ok := instr.(*ssa.Call); ok {
				out[call.Call.StaticCallee().Name()] = call
			}
		}
	}
	return out
}

func TestWays(t *testing.T) {
	at := calls(t)
	for _, tt := range []struct {
		first, then     string
		follows, before bool
	}{
		{"a", "b", true, true},
		{"b", "a", false, false},
		{"b", "d", true, false}, // a way goes around b
		{"c", "c", true, false},
		{"a", "a", false, false},
		{"c", "b", false, false},
		{"a", "d", true, true},
	} {
		assert.Equal(t, tt.follows, Follows(at[tt.first], at[tt.then]), "%s follows %s", tt.then, tt.first)
		assert.Equal(t, tt.before, Before(at[tt.first], at[tt.then]), "%s before %s", tt.first, tt.then)
	}
	assert.True(t, Loops(at["c"].Block()))
	assert.False(t, Loops(at["d"].Block()))
	assert.False(t, Reaches(at["b"].Block(), at["d"].Block(), at["c"].Block().Preds[0]), "every way from b leads through the head of the loop")
}
