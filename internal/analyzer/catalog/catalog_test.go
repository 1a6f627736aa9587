package catalog

import (
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLookup(t *testing.T) {
	_, info := checkSource(t, `package src
import ("sync"; "sync/atomic")
type embeds struct{ sync.Map }
type deep struct{ *embeds }
type node struct{}
type loader interface{ Load(any) (any, bool) }
func f(m *sync.Map, v sync.Map, e embeds, d deep, p *atomic.Pointer[node], n int32, u *atomic.Uint64, l loader) {
	m.Load(1)
	v.Store(1, 2)
	e.LoadOrStore(1, 2)
	d.CompareAndDelete(1, 2)
	p.CompareAndSwap(nil, nil)
	atomic.AddInt32(&n, 1)
	u.And(1)
	l.Load(1)
	var w sync.WaitGroup
	w.Wait()
}`)
	calls := called(info)
	c := Default()
	for name, want := range map[string]string{
		"m.Load": "sync.Map.Load", "v.Store": "sync.Map.Store",
		"e.LoadOrStore": "sync.Map.LoadOrStore", "d.CompareAndDelete": "sync.Map.CompareAndDelete",
		"p.CompareAndSwap": "atomic.Pointer.CompareAndSwap",
		"AddInt32":         "atomic.AddInt32", "u.And": "atomic.Uint64.And",
	} {
		op, ok := c.Lookup(calls[name])
		require.True(t, ok, name)
		assert.Equal(t, want, op.String())
	}
	for _, name := range []string{"l.Load", "w.Wait"} {
		_, ok := c.Lookup(calls[name])
		assert.False(t, ok, name)
	}
}

func TestOperationRoles(t *testing.T) {
	_, info := checkSource(t, `package src
import ("sync"; "sync/atomic")
func f(m *sync.Map, v *atomic.Value, n *int64) {
	m.LoadOrStore(1, 2)
	m.Range(nil)
	v.Load()
	atomic.OrInt64(n, 1)
}`)
	calls := called(info)
	op, _ := Default().Lookup(calls["m.LoadOrStore"])
	assert.Equal(t, Insert, op.Kind)
	assert.Equal(t, []Role{Key, Value}, op.Params)
	assert.Equal(t, []Role{Actual, Had}, op.Results)
	assert.Equal(t, MapCell, op.Type.Cell)
	assert.Equal(t, 1, op.Param(Value))
	assert.Equal(t, -1, op.Result(Err))

	op, _ = Default().Lookup(calls["m.Range"])
	assert.Equal(t, Whole, op.Kind)
	assert.Equal(t, Range, op.Whole)
	assert.Equal(t, &Signature{Params: []Role{Key, Old}, Results: []Role{More}}, op.Callback)

	op, _ = Default().Lookup(calls["v.Load"])
	assert.Equal(t, LatchCell, op.Type.Cell)

	op, _ = Default().Lookup(calls["OrInt64"])
	assert.Equal(t, Update, op.Kind)
	assert.Equal(t, "or", op.FN)
	assert.Equal(t, []Role{CellAddr, Delta}, op.Params)
	assert.Empty(t, op.Type.Name)
}

// A library's vendored copy, and an old version of it that returned nothing,
// are still that library; a version with other parameters is not.
func TestLookupVersions(t *testing.T) {
	c := Default()
	key := types.NewParam(0, nil, "key", types.Typ[types.String])
	flag := types.NewParam(0, nil, "ok", types.Typ[types.Bool])
	lookup := func(path string, params, results []*types.Var) bool {
		_, ok := c.Lookup(fakeFunc(path, "Cache", "Remove", params, results))
		return ok
	}
	one, none := []*types.Var{key}, []*types.Var{}
	assert.True(t, lookup("github.com/hashicorp/golang-lru", one, []*types.Var{flag}))
	assert.True(t, lookup("example.com/x/vendor/github.com/hashicorp/golang-lru", one, []*types.Var{flag}))
	assert.True(t, lookup("github.com/hashicorp/golang-lru", one, none))
	assert.False(t, lookup("github.com/hashicorp/golang-lru", none, []*types.Var{flag}))
	assert.False(t, lookup("example.com/lru", one, []*types.Var{flag}))
}

func TestTypeOf(t *testing.T) {
	pkg, _ := checkSource(t, `package src
import ("sync"; "sync/atomic")
type (
	a = *sync.Map
	b = atomic.Pointer[int]
	c sync.Map
	d []int
)`)
	typ, ok := Default().TypeOf(typeNamed(t, pkg, "a"))
	require.True(t, ok)
	assert.Equal(t, "sync.Map", typ.Display)
	typ, ok = Default().TypeOf(typeNamed(t, pkg, "b"))
	require.True(t, ok)
	assert.Equal(t, AtomicCell, typ.Cell)
	// A defined type does not have the methods of the type it is made from.
	for _, name := range []string{"c", "d"} {
		_, ok = Default().TypeOf(typeNamed(t, pkg, name))
		assert.False(t, ok, name)
	}
}

func TestPackages(t *testing.T) {
	paths := Default().Packages()
	assert.True(t, slices.IsSorted(paths))
	for _, path := range []string{"sync", "sync/atomic", "github.com/puzpuzpuz/xsync/v3", "github.com/patrickmn/go-cache"} {
		assert.Contains(t, paths, path)
	}
	// strings has rules but no cells.
	assert.NotContains(t, paths, "strings")
}

// Every line about the standard library, of every table, names something
// that exists and fits its signature.
func TestTablesFitStandardLibrary(t *testing.T) {
	c := Default()
	var std []string
	for path := range c.exact {
		if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && path != "builtin" {
			std = append(std, path)
		}
	}
	slices.Sort(std)
	for _, path := range std {
		pkg, err := stdImporter().Import(path)
		require.NoError(t, err)
		for _, err := range c.Verify(pkg) {
			assert.NoError(t, err)
		}
	}
}

// Every method of the standard library's cells is in the table.
func TestStandardTypesAreComplete(t *testing.T) {
	c := Default()
	for _, path := range []string{"sync", "sync/atomic"} {
		pkg, err := stdImporter().Import(path)
		require.NoError(t, err)
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if fn, ok := obj.(*types.Func); ok && fn.Exported() && path == "sync/atomic" {
				_, known := c.Lookup(fn)
				assert.True(t, known, fn.FullName())
			}
			if _, known := c.TypeOf(obj.Type()); !known {
				continue
			}
			for _, fn := range declaredMethods(obj.Type()) {
				_, known := c.Lookup(fn)
				assert.True(t, known || !fn.Exported(), fn.FullName())
			}
		}
	}
}

// Later tables win, and the catalogs that went in stay as they were.
func TestMerge(t *testing.T) {
	user, err := Parse("user.txt", strings.NewReader(`
package sync
type Map map evicts as Map
	Load(key) (old, had) = delete
package strings
	unknown ToUpper
package example.com/kv
type Store map
	Get(key) (old, err) = load
	Put(key, value) (zero) = store
`))
	require.NoError(t, err)
	before := len(Default().Ops())
	m := Default().Merge(user)
	assert.Len(t, m.Ops(), before+2)
	assert.Len(t, Default().Ops(), before)

	_, info := checkSource(t, `package src
import ("sync"; "strings")
func f(m *sync.Map) { m.Load(1); strings.ToUpper(""); strings.ToLower("") }`)
	calls := called(info)
	op, _ := m.Lookup(calls["m.Load"])
	assert.Equal(t, Delete, op.Kind)
	assert.True(t, op.Type.Evicts)
	op, _ = Default().Lookup(calls["m.Load"])
	assert.Equal(t, Load, op.Kind)
	assert.Equal(t, Unknown, m.Classify(calls["ToUpper"]))
	assert.Equal(t, Pure, m.Classify(calls["ToLower"]))
	assert.Equal(t, Pure, Default().Classify(calls["ToUpper"]))
}

// What is skimmed before the tables are read must be what is read then.
func TestSkimmedNames(t *testing.T) {
	c := Default()
	c.read()
	names := slices.Collect(maps.Keys(c.shipped.names))
	assert.ElementsMatch(t, slices.Collect(maps.Keys(c.types)), names)
}
