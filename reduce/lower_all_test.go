package reduce

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// inlineAll makes every call of a function at hand a CallInline, which is more
// than any sensible resolver does.
type inlineAll struct{ toyResolver }

func (r inlineAll) Call(fn *ssa.Function, call ssa.CallInstruction) CallInfo {
	callee, _ := Callee(call)
	if info := r.toyResolver.Call(fn, call); info.Kind != CallUnknown || callee == nil {
		return info
	}
	return CallInfo{Kind: CallInline, Key: FuncKey(callee)}
}

// TestLowerEverything lowers whole packages, chosen for what they do: generics,
// iterators, goto, defer, unsafe, assembly, channels.
func TestLowerEverything(t *testing.T) {
	if testing.Short() {
		t.Skip("loads packages")
	}
	cfg := &packages.Config{Mode: packages.LoadSyntax}
	pkgs, err := packages.Load(cfg, lowerPatterns...)
	require.NoError(t, err)
	prog, _ := ssautil.Packages(pkgs, ssa.BuilderMode(0))
	prog.Build()
	checkAll(t, prog)
}

var lowerPatterns = []string{"sync", "iter", "maps", "slices", "encoding/json", "text/template", "reflect", "math/big", "net/http"}

// checkAll asserts that each function is lowered, or has no body, and that the
// outcome is well formed before and after inlining.
func checkAll(t *testing.T, prog *ssa.Program) {
	byKey := map[string]*ssa.Function{}
	progs := map[string]*Program{}
	fns := ssautil.AllFunctions(prog)
	for fn := range fns {
		if fn.Origin() == nil || len(fn.Origin().Blocks) == 0 {
			byKey[FuncKey(fn)] = fn
		}
	}
	lookup := func(key string) *Program {
		if p, ok := progs[key]; ok {
			return p
		}
		if fn := byKey[key]; fn != nil {
			progs[key], _ = Lower(fn, inlineAll{})
		}
		return progs[key]
	}
	n, inlined := 0, 0
	for fn := range fns {
		p, err := Lower(fn, inlineAll{})
		if len(fn.Blocks) == 0 {
			assert.Error(t, err)
			continue
		}
		if !assert.NoError(t, err) || !assert.NoError(t, Check(p), "%s", p) {
			return
		}
		n++
		q := Inline(p, lookup, 2)
		if !assert.NoError(t, Check(q), "%s", q) {
			return
		}
		assert.Empty(t, Calls(q))
		if size(q) > size(p) {
			inlined++
		}
	}
	assert.Greater(t, n, 1000)
	assert.Greater(t, inlined, 100)
	t.Logf("%d functions, %d grew", n, inlined)
}
