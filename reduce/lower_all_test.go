package reduce

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
	"golang.org/x/tools/txtar"
)

// inlineAll makes every call of a function at hand a calls.Inline, which is more
// than any sensible resolver does.
type inlineAll struct{ toyResolver }

func (r inlineAll) Call(fn *ssa.Function, call ssa.CallInstruction) calls.Info {
	callee, _ := calls.Callee(call)
	if info := r.toyResolver.Call(fn, call); info.Kind != calls.Unknown || callee == nil {
		return info
	}
	return calls.Info{Kind: calls.Inline, Key: calls.FuncKey(callee)}
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

var lowerPatterns = []string{"sync", "iter", "maps", "slices", "encoding/json", "reflect", "database/sql"}

// checkAll asserts that each function is lowered, or has no body, and that the
// outcome is well formed before and after inlining.
func checkAll(t *testing.T, prog *ssa.Program) {
	byKey := map[string]*ssa.Function{}
	progs := map[string]*register.Program{}
	fns := ssautil.AllFunctions(prog)
	for fn := range fns {
		if fn.Origin() == nil || len(fn.Origin().Blocks) == 0 {
			byKey[calls.FuncKey(fn)] = fn
		}
	}
	lookup := func(key string) *register.Program {
		if p, ok := progs[key]; ok {
			return p
		}
		if fn := byKey[key]; fn != nil {
			progs[key], _ = NewLibrary(inlineAll{}).Lower(fn)
		}
		return progs[key]
	}
	n, inlined := 0, 0
	for fn := range fns {
		p, err := NewLibrary(inlineAll{}).Lower(fn)
		if len(fn.Blocks) == 0 {
			assert.Error(t, err)
			continue
		}
		if !assert.NoError(t, err) || !assert.NoError(t, register.Check(p), "%s", p) {
			return
		}
		n++
		q := Inline(p, lookup, 2, maxInlined)
		if !assert.NoError(t, register.Check(q), "%s", q) {
			return
		}
		assert.Empty(t, callsOf(q))
		if q.Size() > p.Size() {
			inlined++
		}
	}
	assert.Greater(t, n, 800)
	assert.Greater(t, inlined, 100)
	t.Logf("%d functions, %d grew", n, inlined)
}

// FuzzLower lowers whatever the type checker lets pass: no panic, and programs
// that are well formed before and after inlining.
func FuzzLower(f *testing.F) {
	files, err := filepath.Glob("testdata/lower/*.txtar")
	require.NoError(f, err)
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		require.NoError(f, err)
		f.Add(ar.Files[0].Data)
	}
	for _, src := range lowerOddities {
		f.Add([]byte("package p\n" + src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		lp, err := tryBuild(string(src))
		if err != nil {
			return
		}
		for _, fn := range lp.funcs {
			if fn.Pkg != lp.ssa {
				continue
			}
			lib := NewLibrary(inlineAll{})
			p, err := lib.Lower(fn)
			require.NoError(t, err)
			require.NoError(t, register.Check(p), "%s", p)
			q := Inline(p, lib.Lookup, 3, maxInlined)
			require.NoError(t, register.Check(q), "%s", q)
			require.Empty(t, callsOf(q))
		}
	})
}

// lowerOddities are sources that make unusual SSA.
var lowerOddities = []string{
	"func f() { for {} }",
	"func f() { L: goto L }",
	"func f() (x int) { defer func() { recover() }(); panic(1) }",
	"func f(c bool) { for c { if c { continue }; defer print(1) } }",
	"func f(x *struct{ a struct{ b [3]struct{ c int } } }, i int) { x.a.b[i].c++; y := *x; y.a.b[i] = x.a.b[1] }",
	"func f[T any, P interface{ *T; m() }](t T) { P(&t).m() }",
	"func f[S ~[]E, E comparable](s S, e E) { s[0] = e; for i, x := range s { if x == e { s = s[i:] } } }",
	"func f[T []byte | string](t T) { for range len(t) { _ = t[0] } }",
	"type t struct{ t *t; _ int }\nfunc (x t) m() t { return *x.t.t }\nfunc f(x t) { g := x.m; g().t.m() }",
	"func f(x any) any { switch x := x.(type) { case func(): x(); go x(); defer x(); case []any: return append(x, x...); case chan<- any: x <- x }; return nil }",
	"func f(n int) { var g func(); g = func() { if n > 0 { n--; g() } }; g() }",
	"func f(s ...func(...any)) { for _, g := range s { g(s, g); defer g(nil...) } }",
	"func f(x [0]int, y struct{}, z *[4]int) { a := x; b := y; c := [4]int(z[:]); _, _, _ = a, b, c; z = (*[4]int)(c[:]) }",
	"func f(seq func(func(int) bool)) int { for x := range seq { for y := range seq { if x == y { return x }; defer print(y) } }; return 0 }",
	"func f() (c complex128, u uintptr, e error) { c = complex(1, 2); c *= c; return complex(real(c), 1), 0, nil }",
	"var g, h func()\nfunc f() { g = func() { h() }; h = func() { g() }; h(); g() }",
}

// TestLowerOddities asserts that they compile, and so that FuzzLower lowers
// them.
func TestLowerOddities(t *testing.T) {
	for _, src := range lowerOddities {
		_, err := tryBuild("package p\n" + src)
		assert.NoError(t, err, src)
	}
}

// BenchmarkLower lowers and inlines a function of n branches, each with an
// operation on a map and variables that a deferred closure captures.
func BenchmarkLower(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run("branches="+strconv.Itoa(n), func(b *testing.B) {
			lp := buildLower(b, branchy(n))
			fn := lp.function(b, "F")
			for b.Loop() {
				lib := NewLibrary(toyResolver{lp.ssa.Pkg})
				p, err := lib.Lower(fn)
				require.NoError(b, err)
				p = Inline(p, lib.Lookup, 3, maxInlined)
				require.NotEmpty(b, p.Blocks)
			}
		})
	}
}

func branchy(n int) string {
	var b strings.Builder
	b.WriteString("package p\nimport \"sync\"\nfunc F(m *sync.Map, a []int) (err error) {\n")
	b.WriteString("x, y := 0, 0\ndefer func() { if err != nil { m.Delete(x) } }()\n")
	for i := range n {
		fmt.Fprintf(&b, "if a[%d] > x { x = a[%d]; m.Store(%d, x); y += x } else { y = x }\n", i, i, i%7)
	}
	b.WriteString("_ = y\nreturn nil\n}\n")
	return b.String()
}
