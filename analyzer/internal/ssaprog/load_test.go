package ssaprog

import (
	"go/ast"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

func TestTouches(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want bool
	}{
		"nothing":     {"package p\nfunc F() {}\n", false},
		"mutex":       {"package p\nimport \"sync\"\ntype T struct{ mu sync.Mutex; once sync.Once }\nfunc (t *T) F() { t.mu.Lock(); t.once.Do(nil); t.mu.Unlock() }\n", true},
		"field only":  {"package p\nimport \"sync\"\ntype T struct{ m sync.Map }\n", false},
		"method":      {"package p\nimport \"sync\"\nfunc F(m *sync.Map) { m.Load(1) }\n", true},
		"value":       {"package p\nimport \"sync\"\nfunc F(m *sync.Map) any { return m.Load }\n", true},
		"expression":  {"package p\nimport \"sync\"\nvar f = (*sync.Map).Load\n", true},
		"promoted":    {"package p\nimport \"sync\"\ntype T struct{ sync.Map }\nfunc F(t *T) { t.Load(1) }\n", true},
		"atomic func": {"package p\nimport \"sync/atomic\"\nfunc F(n *int32) { atomic.AddInt32(n, 1) }\n", true},
		"dot import":  {"package p\nimport . \"sync/atomic\"\nfunc F(n *int32) { AddInt32(n, 1) }\n", true},
		"atomic type": {"package p\nimport \"sync/atomic\"\nfunc F(n *atomic.Bool) { n.Store(true) }\n", true},
		"interface":   {"package p\ntype M interface { Load(k int) (int, bool); Store(k, v int); Delete(k int) }\nfunc F(m M) { m.Load(1) }\n", true},
		"not a shape": {"package p\ntype M interface { Load(k int) error; Store(k, v int) }\nfunc F(m M) { m.Load(1) }\n", false},
		"reached":     {"package p\nimport \"example.com/holder\"\nfunc F(h *holder.H) { h.M.Load(1) }\n", true},
		"fact":        {"package p\nimport \"example.com/holder\"\nfunc F(h *holder.H) { h.Get(1) }\n", true},
		"fact func":   {"package p\nimport \"example.com/holder\"\nfunc F(h *holder.H) { holder.Put(h) }\n", true},
		"no fact":     {"package p\nimport \"example.com/holder\"\nfunc F(h *holder.H) { h.Name() }\n", false},
	} {
		w := passtest.New(t)
		load(w, "example.com/holder", `package holder
import "sync"
type H struct { M sync.Map }
func (h *H) Get(k int) { h.M.Load(k) }
func (h *H) Name() string { return "h" }
func Put(h *H) { h.M.Store(1, 2) }
`)
		assert.Equal(t, c.want, Touches(w.Pass("example.com/p", c.src), catalog.Default()), name)
	}
}

func TestBuildSSA(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/p", `package p
var g = func() {}
func init() {}
func _() {}
func A() { func() { func() {}() }() }
func asm()
type T[K any] struct{}
func (t T[K]) B() { func() {}() }
func init() {}
`)
	_, funcs, err := BuildSSA(pass)
	require.NoError(t, err)
	var names []string
	for _, fn := range funcs {
		names = append(names, FuncDocName(fn))
	}
	assert.Equal(t, []string{"init", "_", "A", "A.func1", "A.func1.func1", "T.B", "T.B.func1", "init", "init.func1"}, names)
}

// TestBuildSSAWithout: a body that is left out leaves the functions that it names, and what
// the pass has of it.
func TestBuildSSAWithout(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/p", `package p
import "strings"
type T[K any] struct{}
func (t T[K]) called() {}
func passed() {}
func other() {}
func Left() { T[int]{}.called(); strings.Fields(""); func(any) {}(passed) }
func Kept() { Left() }
`)
	_, funcs, named, err := BuildSSAWithout(pass, func(decl *ast.FuncDecl) bool { return decl.Name.Name == "Left" })
	require.NoError(t, err)
	var names []string
	for _, fn := range funcs {
		names = append(names, FuncDocName(fn))
	}
	assert.Equal(t, []string{"T.called", "passed", "other", "Kept"}, names)
	assert.Equal(t, map[string]bool{"(example.com/p.T[K]).called": true, "example.com/p.passed": true}, named)
	_, funcs, err = BuildSSA(pass)
	require.NoError(t, err)
	assert.Len(t, funcs, 6)
}

func TestBuildSSABroken(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/p", "package p\nimport \"sync\"\nfunc F(m *sync.Map) { m.Load(undefined) }\n")
	_, _, err := BuildSSA(pass)
	require.ErrorIs(t, err, errBroken)
	pass.TypeErrors = nil // a driver that does not tell
	_, _, err = BuildSSA(pass)
	assert.ErrorContains(t, err, "example.com/p")
}
