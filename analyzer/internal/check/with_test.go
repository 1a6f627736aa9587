package check

import (
	"go/ast"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

const twoMaps = `package p

import "sync"

type Counters struct{ a, b sync.Map }

func (c *Counters) Add(k string) {
	if _, ok := c.a.Load(k); !ok {
		c.a.Store(k, new(int))
	}
}

func (c *Counters) Reset(k string) { func() { c.a.Delete(k) }() }

func (c *Counters) Both(k string) {
	if v, ok := c.a.Load(k); ok {
		c.b.Store(k, v)
	}
}

func (c *Counters) Other(k string) {
	if _, ok := c.b.Load(k); !ok {
		c.b.Store(k, new(int))
	}
}
`

// TestWith: after an edit of a declaration, only functions that touch a map of it
// are taken apart again, and what is said of it is what the whole package would say.
func TestWith(t *testing.T) {
	ps := programs(t, twoMaps)
	whole := New(ps, Options{Env: config.EnvPackage}, nil)
	file := ps.Pass.Files[0]
	for _, c := range []struct {
		decl string
		want []string
	}{
		{"Add", []string{"(*Counters).Add", "(*Counters).Both", "(*Counters).Reset"}},
		{"Other", []string{"(*Counters).Both", "(*Counters).Other"}},
		{"Both", []string{"(*Counters).Add", "(*Counters).Both", "(*Counters).Other", "(*Counters).Reset"}},
	} {
		again, _, err := whole.With(file, declaration(file, c.decl), "p.go", []byte(twoMaps))
		require.NoError(t, err)
		var names []string
		for _, f := range again.Functions {
			names = append(names, f.Name)
		}
		assert.ElementsMatch(t, c.want, names, c.decl)
		before, after := verdicts(whole), verdicts(again)
		assert.Equal(t, before["(*Counters)."+c.decl], after["(*Counters)."+c.decl], c.decl)
	}
}

const twins = `package p

import "sync"

var m sync.Map

func Add(k string) {
	if _, ok := m.Load(k); !ok {
		m.Store(k, new(int))
	}
}

func Put(k string) { m.Store(k, "a;b") }

func PutAgain(name string) { m.Store(name, "a;b") }

func PutOther(k string) { m.Store(k, "a;c") }

func put(k string) { m.Store(k, "a;b") }

func PutTwice(k string) { put(k); put(k) }
`

// TestWithTwins: of functions that do the same, one is taken apart again, if only other
// packages call them.
func TestWithTwins(t *testing.T) {
	whole := New(programs(t, twins), Options{Env: config.EnvPackage}, nil)
	file := whole.Ps.Pass.Files[0]
	again, _, err := whole.With(file, declaration(file, "Add"), "p.go", []byte(twins))
	require.NoError(t, err)
	var names []string
	for _, f := range again.Functions {
		names = append(names, f.Name)
	}
	assert.ElementsMatch(t, []string{"Add", "Put", "PutOther", "put", "PutTwice"}, names)
}

func declaration(file *ast.File, name string) *ast.FuncDecl {
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == name {
			return fn
		}
	}
	return nil
}

// TestDrop: what go test runs is dropped where nobody else looks at it, and the package can
// be taken apart again without it.
func TestDrop(t *testing.T) {
	const tests = "//line p_test.go:1\npackage p\n\nimport \"strings\"\n\nfunc TestHelp() { help(strings.ToUpper(\"k\")) }\n\nfunc help(string) {}\n"
	pass := passtest.New(t).Pass("example.com/p", twoMaps, tests)
	ps, err := Build(pass, catalog.Default(), Options{Sole: true}, nil)
	require.NoError(t, err)
	assert.Nil(t, declaration(pass.Files[1], "TestHelp").Body)
	for id := range pass.TypesInfo.Uses {
		assert.NotEqual(t, "ToUpper", id.Name)
	}
	whole := New(ps, Options{Env: config.EnvPackage, Sole: true}, nil)
	file := pass.Files[0]
	again, _, err := whole.With(file, declaration(file, "Other"), "p.go", []byte(twoMaps))
	require.NoError(t, err)
	assert.Equal(t, verdicts(whole)["(*Counters).Other"], verdicts(again)["(*Counters).Other"])
	for _, fn := range again.Ps.Funcs {
		assert.Equal(t, fn.Name() == "help", again.Ps.Tested(fn), fn.Name())
	}
	unused := strings.Replace(twoMaps, "Other(k string) {", "Other(k string) {\n\tx := k", 1)
	_, _, err = whole.With(file, declaration(file, "Other"), "p.go", []byte(unused))
	assert.ErrorContains(t, err, "declared and not used: x")
}
