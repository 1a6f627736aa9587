package ssaprog

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
)

const resolveSrc = `package p

import (
	"sync"
	"sync/atomic"
)

type T struct {
	mu     sync.Mutex
	m      sync.Map
	n      atomic.Int64
	flag   atomic.Bool
	v      atomic.Value
	ptr    atomic.Pointer[T]
	raw    uint32
	store  Store
	once   sync.Once
	locker sync.Locker
}

type Store interface {
	Load(key string) (int, bool)
	Store(key string, value int)
	Delete(key string)
}

type Embeds struct{ sync.Map }

func (t *T) Map(k string)  { if _, ok := t.m.Load(k); !ok { t.m.Store(k, 1) } }
func (t *T) Zero()         { t.n.Load(); t.flag.Load(); t.v.Load(); t.ptr.Load(); atomic.LoadUint32(&t.raw) }
func (t *T) Add()          { t.n.Add(2); atomic.AddUint32(&t.raw, 1) }
func (t *T) Face(k string) { if _, ok := t.store.Load(k); !ok { t.store.Store(k, 1) } }
func (t *T) Bound(k string) { load := t.store.Load; load(k) }
func (t *T) Locks()        { t.mu.Lock(); t.m.Clear(); t.mu.Unlock() }
func (t *T) Face2()        { t.locker.Lock(); t.m.Delete(1); t.locker.Unlock() }
func (t *T) Try()          { if t.mu.TryLock() { t.m.Delete(1) } }
func (t *T) Once()         { t.once.Do(func() { t.m.Store(1, 2) }) }
func (e *Embeds) Promoted(k string) { e.Load(k); f := (*Embeds).Store; f(e, k, 1) }
func (t *T) Sweep() {
	t.m.Range(func(k, v any) bool { t.m.Delete(k); return true })
	for k := range t.m.Range { t.m.Delete(k) }
}
`

func TestResolveOperations(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", resolveSrc)
	for name, want := range map[string][]string{
		"(*T).Map":           {"read t.m[k] Load", "write t.m[k] Store"},
		"(*T).Zero":          {"read t.n Load", "read t.flag Load", "read t.v Load", "read t.ptr Load", "read t.raw atomic.LoadUint32"},
		"(*T).Add":           {"read t.n Add", "write t.n Add", "read t.raw atomic.AddUint32", "write t.raw atomic.AddUint32"},
		"(*T).Face":          {"read t.store[k] Load", "write t.store[k] Store"},
		"(*T).Bound":         {"read t.store[k] Load"},
		"(*T).Face2":         {"write t.m[1] Delete"},
		"(*T).Try":           {"write t.m[1] Delete"},
		"(*T).Once":          nil, // runs once for all: a root of its own
		"(*Embeds).Promoted": {"read e.Map[k] Load", "write e.Map[k] Store"},
		"(*T).Sweep":         {"read t.m[k] Range", "write t.m[k] Delete", "read t.m[key] Range", "write t.m[key] Delete"},
	} {
		assert.ElementsMatch(t, want, ps.baseOps(t, name), name)
	}
}

func TestResolveZero(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", resolveSrc)
	var zeros []string
	for _, c := range ps.Inlined(ps.function(t, "(*T).Zero")).Cells {
		zeros = append(zeros, c.Zero)
	}
	assert.Equal(t, []string{"0", "false", "nil", "nil", "0"}, zeros)
	assert.Equal(t, "0", ps.Inlined(ps.function(t, "(*T).Face")).Cells[0].Zero)
}

func TestResolveLocks(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", resolveSrc)
	assert.Contains(t, ps.text(t, "(*T).Locks"), "lock w mu")
	assert.Contains(t, ps.text(t, "(*T).Locks"), "unlock w mu")
	assert.Contains(t, ps.text(t, "(*T).Face2"), "lock w locker")
	assert.Contains(t, ps.text(t, "(*T).Try"), "lock w mu", "who fails to take it leaves the data alone")
}

func TestOperationPlace(t *testing.T) {
	w := passtest.New(t)
	ps := load(w, "example.com/p", resolveSrc)
	p := ps.Inlined(ps.function(t, "(*T).Map"))
	in := p.Blocks[0].Instrs[len(p.Blocks[0].Instrs)-1]
	require.True(t, in.IsBase())
	op, ok := ps.Res.OperationAt(in.Pos)
	require.True(t, ok)
	from, to := w.Fset.Position(op.Pos), w.Fset.Position(op.End)
	assert.Equal(t, "t.m.Load(k)", resolveSrc[from.Offset:to.Offset])
	assert.False(t, op.Wrapper)
	for _, blk := range p.Blocks {
		for _, in := range blk.Instrs {
			if op, _ := ps.Res.OperationAt(in.Pos); op.Name == "Store" {
				assert.Equal(t, types.Typ[types.Int], op.Stored)
			}
		}
	}
}

func TestFunctionNames(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", `package p
type R struct{}
type G[T any] struct{}
func Get()             { func() { func() {}() }() }
func (r *R) Get()      {}
func (r R) Len()       {}
func (g *G[T]) Put()   {}
func (g G[T]) Size()   {}
var f = func() {}
`)
	var names []string
	for _, fn := range ps.Funcs {
		names = append(names, FuncDocName(fn))
	}
	assert.Equal(t, []string{"Get", "Get.func1", "Get.func1.func1", "(*R).Get", "R.Len", "(*G).Put", "G.Size", "init.func1"}, names)
}
