package ssaprog

import (
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
)

func names(fns []*ssa.Function) []string {
	var out []string
	for _, fn := range fns {
		out = append(out, FuncDocName(fn))
	}
	return out
}

func TestHelpers(t *testing.T) {
	ps := load(passtest.New(t), "helpers", readTestdata(t, "helpers/helpers.go"))
	for name, want := range map[string][]string{
		"(*Split).Open":                    {"read c.m[id] lookup", "write c.m[id] add"},
		"(*Inside).Open":                   {"read c.m[id] Load", "write c.m[id] Store"},
		"(*Deep).Ensure":                   {"read c.m[id] missing", "write c.m[id] reset"},
		"(*ByArgument).Ensure":             {"read c.m[id] get", "write c.m[id] put"},
		"(*MethodValues).Ensure":           {"read c.m[id] Load", "write c.m[id] Store"},
		"(*MethodValues).MethodExpression": {"read c.m[id] Load", "write c.m[id] Store"},
		"(*Literals).Ensure":               {"read c.m[id] Load", "write c.m[id] Store"},
		"(*Literals).Later":                {"read c.m[id] Load"},
	} {
		assert.ElementsMatch(t, want, ps.baseOps(t, name), name)
	}
	assert.Contains(t, names(ps.Roots()), "(*Literals).Later.func1")
	assert.NotContains(t, names(ps.Roots()), "(*Literals).Ensure.func1")
}

func TestTyped(t *testing.T) {
	ps := load(passtest.New(t), "helpers", "package helpers\nimport \"sync\"\ntype session struct{ mu sync.Mutex }\n"+
		typedBody(readTestdata(t, "helpers/wrappers.go")))
	for name, want := range map[string][]string{
		"(*OfTyped).Open":           {"read c.sessions.m[id] Load", "write c.sessions.m[id] Store"},
		"(*OfGeneric).Open":         {"read c.sessions.m[id] Find", "write c.sessions.m[id] Put"},
		"(*OfGeneric).Both":         {"read c.sessions.m[id] Find", "write c.counts.m[kind] Put"},
		"(*OfGeneric).OpenByHelper": {"read c.sessions.m[id] Find", "cas c.sessions.m[id] PutIfAbsent"},
		"(*OfConverted).Ensure":     {"read c.sessions[id] Load", "write c.sessions[id] Store"},
	} {
		assert.ElementsMatch(t, want, ps.baseOps(t, name), name)
	}
}

const referencesSrc = `package p
import "sync"
type T struct { mu sync.Mutex; m sync.Map }
type doer interface { do() }
func (t *T) do()     { t.m.Load(1) }
func (t *T) helper() { t.m.Load(2) }
func (t *T) value()  { t.m.Load(3) }
func (t *T) expr()   { t.m.Load(4) }
func (t *T) started() { t.m.Load(5) }
func plain()         {}
func passed()        {}
func unused()        {}
func run(f func())   { f() }
func leak(f func())  { go f() }
func each(f func())  { run(func() { f() }) }
var stored = passed
func (t *T) Use(d doer) {
	d.do()
	t.helper()
	defer t.helper()
	f := t.value
	f()
	leak(t.value)
	(*T).expr(t)
	go t.started()
	plain()
}
func (t *T) Literals() func() {
	run(func() { t.m.Load(6) })
	leak(func() { t.m.Load(7) })
	each(func() { t.m.Load(8) })
	defer func() { t.m.Load(9) }()
	f := func() { t.m.Load(10) }
	f()
	t.m.Range(func(k, v any) bool { return t.m.CompareAndDelete(k, v) })
	go func() { t.m.Load(11) }()
	var once sync.Once
	once.Do(func() { t.m.Load(12) })
	return func() { t.m.Load(13) }
}
`

func TestReferences(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", referencesSrc)
	f := func(name string) *ssa.Function { return ps.function(t, name) }
	var escaping, exported []string
	for _, fn := range ps.Funcs {
		if fn.Parent() == nil && ps.Escapes(fn) {
			escaping = append(escaping, FuncDocName(fn))
		}
		if ps.Exported(fn) {
			exported = append(exported, FuncDocName(fn))
		}
	}
	assert.Equal(t, []string{"(*T).do", "(*T).value", "passed"}, escaping)
	assert.Equal(t, []string{"(*T).Use", "(*T).Literals"}, exported)
	assert.Len(t, ps.Callers(f("(*T).helper")), 2)
	assert.Len(t, ps.Callers(f("(*T).expr")), 1)
	assert.Len(t, ps.Callers(f("plain")), 1)
	assert.Empty(t, ps.Callers(f("unused")))
	assert.Empty(t, ps.Callers(f("(*T).started")))
	assert.True(t, ps.Started(f("(*T).started")))
	assert.False(t, ps.Started(f("plain")))
}

func TestRoots(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", referencesSrc)
	var literals []string
	for _, fn := range ps.Roots() {
		if fn.Parent() != nil {
			literals = append(literals, FuncDocName(fn))
		}
	}
	assert.Equal(t, []string{"(*T).Literals.func2", "(*T).Literals.func7", "(*T).Literals.func8", "(*T).Literals.func9"}, literals)
	assert.ElementsMatch(t, []string{
		"read t.m[6] Load", "read t.m[8] Load", "read t.m[9] Load", "read t.m[10] Load",
		"read t.m[k] Range", "cas t.m[k] CompareAndDelete",
	}, ps.baseOps(t, "(*T).Literals"))
}

func TestStoredTypes(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", `package p
import "sync"
type v struct{}
type T struct{ m sync.Map }
func (t *T) set(x *v, k string)        { t.m.Store(k, x) }
func (t *T) setAny(k string, x any)    { t.m.Store(k, x) }
func (t *T) del(k *v)                  { t.m.Delete(k) }
func (t *T) F(k *v)                    { t.del(k) }
func (t *T) get(k string) any          { x, _ := t.m.Load(k); return x }
type G[V any] struct{ m sync.Map }
func (g *G[V]) put(k string, x V)      { g.m.Store(k, x) }
func (t *T) A(k string)                { t.set(&v{}, k) }
func (t *T) B(k string)                { t.setAny(k, &v{}) }
func C(g *G[*v])                       { g.put("k", &v{}) }
func (t *T) D(k string)                { t.get(k) }
func (t *T) E(k string)                { t.m.Store(k, &v{}) }
`)
	for name, want := range map[string]string{"(*T).A": "*v", "(*T).B": "*v", "C": "*v", "(*T).D": "", "(*T).E": "*v", "(*T).F": ""} {
		for _, blk := range ps.Inlined(ps.function(t, name)).Blocks {
			for _, in := range blk.Instrs {
				if op, ok := ps.Res.OperationAt(in.Pos); ok && in.IsBase() {
					got := ""
					if op.Stored != nil {
						got = types.TypeString(op.Stored, types.RelativeTo(ps.Pass.Pkg))
					}
					assert.Equal(t, want, got, name)
				}
			}
		}
	}
}

func TestOpaqueCallsAreReadable(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", `package p
import "sync"
var m sync.Map
func count(n int) int { if n == 0 { m.Load(n); return 1 }; return count(n-1) + count(n-2) }
`)
	text := ps.text(t, "count")
	assert.Contains(t, text, "effect count(")
	assert.Contains(t, text, "unknown count#1(")
	assert.Contains(t, text, "unknown count#2(")
	assert.NotContains(t, text, "example.com")
}

// typedBody is a file without its package clause and imports.
func typedBody(src string) string {
	_, body, _ := strings.Cut(src, "import \"sync\"\n")
	return body
}
