package catalog

import (
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const shapes = `package src
import "sync"

// Typed wrapper with pointer receivers.
type Sessions struct{ m sync.Map }
func (s *Sessions) Load(id string) (*int, bool) { return nil, false }
func (s *Sessions) Store(id string, v *int) {}
func (s *Sessions) LoadOrStore(id string, v *int) (*int, bool) { return nil, false }
func (s *Sessions) Range(f func(string, *int) bool) {}
func (s *Sessions) Clear() {}
func (s *Sessions) Count() int { return 0 }

// Generic wrapper, value receivers, a named func and a named bool.
type flag bool
type visit[K comparable, V any] func(k K, v V) flag
type Typed[K comparable, V any] struct{}
func (Typed[K, V]) Load(k K) (V, flag) { panic(0) }
func (Typed[K, V]) Store(k K, v V) {}
func (Typed[K, V]) Delete(k K) {}
func (Typed[K, V]) CompareAndSwap(k K, old, new V) bool { return false }
func (Typed[K, V]) Range(f visit[K, V]) {}

type Iface interface {
	Load(string) (int, bool)
	Store(string, int)
	LoadAndDelete(string) (int, bool)
}
type Embeds struct{ Iface }
type Alias = *Typed[string, int]
type Inst struct{ Typed[string, int] }

// Some methods of the right name and another signature are left out.
type Partly struct{}
func (*Partly) Load(string) (int, bool) { return 0, false }
func (*Partly) Store(string, int) {}
func (*Partly) Delete(string) error { return nil }
func (*Partly) LoadAndDelete(string) (int, bool) { return 0, false }
func (*Partly) Range(func(int, string) bool) {}
func (*Partly) CompareAndSwap(string, int) bool { return false }

// Not maps.
type TwoOnly struct{}
func (TwoOnly) Load(string) (int, bool) { return 0, false }
func (TwoOnly) Store(string, int) {}
type Errs interface { Load(string) (int, error); Store(string, int); Delete(string) }
type Mixed interface { Load(string) (int, bool); Store(int, int); Delete(string) }
type Files interface { Load(string) (int, bool); Store(string, int) error; Delete(string) }
type Variadic interface { Load(...string) ([]string, bool); Store([]string, []string); Delete([]string) }
type Cell interface { Load() int; Store(int); Swap(int) int }
type Plain map[string]int
`

func TestShape(t *testing.T) {
	pkg, _ := checkSource(t, shapes)
	for name, want := range map[string]string{
		"Sessions": "Load Store LoadOrStore Range Clear",
		"Typed":    "Load Store Delete CompareAndSwap Range",
		"Alias":    "Load Store Delete CompareAndSwap Range",
		"Inst":     "Load Store Delete CompareAndSwap Range",
		"Iface":    "Load Store LoadAndDelete",
		"Embeds":   "Load Store LoadAndDelete",
		"Partly":   "Load Store LoadAndDelete",
		"TwoOnly":  "", "Errs": "", "Mixed": "", "Files": "", "Variadic": "", "Cell": "", "Plain": "",
	} {
		var names []string
		for _, op := range Shape(typeNamed(t, pkg, name)) {
			names = append(names, op.Name)
		}
		assert.Equal(t, want, strings.Join(names, " "), name)
	}
}

func TestShapeOperations(t *testing.T) {
	pkg, _ := checkSource(t, shapes)
	ops := Shape(types.NewPointer(typeNamed(t, pkg, "Sessions")))
	require.Len(t, ops, 5)
	insert := ops[2]
	assert.Equal(t, "src.Sessions.LoadOrStore", insert.String())
	assert.Equal(t, Insert, insert.Kind)
	assert.Equal(t, []Role{Actual, Had}, insert.Results)
	assert.Equal(t, MapCell, insert.Type.Cell)
	assert.Equal(t, "example.com/src", insert.Type.Pkg)
	require.NotNil(t, ops[3].Callback)

	iface := types.NewInterfaceType(nil, nil)
	assert.Nil(t, Shape(iface))
	assert.Nil(t, Shape(types.Typ[types.Int]))
	unnamed := typeNamed(t, pkg, "Iface").Underlying()
	require.Len(t, Shape(unnamed), 3)
	assert.Equal(t, "map-like interface.Load", Shape(unnamed)[0].String())
}

func TestLookupShape(t *testing.T) {
	pkg, _ := checkSource(t, shapes+`
func use[M Iface](s *Sessions, m M) { s.LoadOrStore("", nil); s.Count(); m.Load("") }`)
	recv := types.NewPointer(typeNamed(t, pkg, "Sessions"))
	method := func(typ types.Type, name string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(typ, true, pkg, name)
		require.NotNil(t, obj, name)
		return obj.(*types.Func)
	}
	op, ok := LookupShape(recv, method(recv, "LoadOrStore"))
	require.True(t, ok)
	assert.Equal(t, Insert, op.Kind)
	_, ok = LookupShape(recv, method(recv, "Count"))
	assert.False(t, ok)

	// A method that has the name but not the signature is no operation.
	partly := typeNamed(t, pkg, "Partly")
	_, ok = LookupShape(partly, method(partly, "Delete"))
	assert.False(t, ok)

	// A type parameter has the methods of its constraint.
	use := pkg.Scope().Lookup("use").(*types.Func)
	param := use.Signature().TypeParams().At(0)
	op, ok = LookupShape(param, method(param, "Load"))
	require.True(t, ok)
	assert.Equal(t, Load, op.Kind)
}

// TestShapeOperation: every method of sync.Map has a line that parses under
// another name.
func TestShapeOperation(t *testing.T) {
	for _, op := range Default().Ops() {
		if op.Type.Display != "sync.Map" {
			continue
		}
		line, ok := ShapeOperation(op.Name)
		require.True(t, ok, op.Name)
		other, err := parseOp("Other" + line)
		require.NoError(t, err)
		assert.Equal(t, op.Kind, other.Kind)
		assert.Equal(t, op.Params, other.Params)
		assert.Equal(t, op.Results, other.Results)
	}
	_, ok := ShapeOperation("Get")
	assert.False(t, ok)
}
