package ssaprog

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

const summarySrc = `package p

import (
	"errors"
	"io"
	"log"
	"strings"
	"sync"
	"time"
)

type node struct {
	id, kind string
	hits     int
	next     *node
	done     chan int
}

var limit = 10
var count int
var errGone = errors.New("gone")
var m sync.Map

func pureArith(a, b int) int { for a < b { a += b / 2 }; return a - b }
func pureText(parts ...string) string { var b strings.Builder; for _, p := range parts { b.WriteString(p) }; return b.String() }
func pureField(n *node) string { return n.id }
func pureGlobal() int { return limit }
func pureError(x int) error { if x > 0 { return errGone }; return io.EOF }
func pureLogs(x int) int { log.Println(x); return x + 1 }
func pureLocal(n int) int { a := make([]int, 3); a[1] = n; mm := map[int]int{1: n}; mm[2] = n; return len(a) + a[1] + mm[2] }
func readField(n *node) int { return n.hits + 1 }
func readGlobal() int { return count }
func readTime() int64 { return time.Now().Unix() }
func readMap(mm map[string]int) int { return mm["a"] }
func readEither(n *node) *node { if n.id == "" { return &node{} }; return n }
func readCalls(n *node) int { return readField(n) * 2 }
func freshNode(id string) *node { n := &node{id: id}; n.hits = 3; n.next = &node{}; return n }
func freshErr(id string) (*node, error) { if id == "" { return nil, errGone }; return freshNode(id), nil }
func freshTwo(id string) (n *node, err error) { n, err = freshErr(id); if err != nil { return nil, err }; n.kind = id; return n, nil }
func freshMap() map[string]int { mm := map[string]int{}; mm["a"] = 1; return mm }
func freshAny(id string) any { return &node{id: id} }
func freshChan() chan int { return make(chan int) }
func effectField(n *node) { n.hits++ }
func effectGlobal() { count++ }
func effectSend(c chan int) { c <- 1 }
func effectGo() { go readTime() }
func effectLeak(n *node) *node { f := &node{}; n.next = f; return f }
func effectDynamic(f func() int) int { return f() }
func effectRecursive(n int) int { if n == 0 { return 0 }; return effectRecursive(n-1) }
func effectClose(n *node) { close(n.done) }
func effectCell() { m.Store(1, 2) }
func effectIO(w io.Writer) { w.Write(nil) }
func effectDefer() { defer readTime() }
`

func TestSummaries(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", summarySrc)
	words := map[string]summary{"pure": Pure, "read": readOnly, "fresh": fresh, "effect": Effectful}
	for _, fn := range ps.Funcs {
		want := ""
		for prefix := range words {
			if len(fn.Name()) > len(prefix) && fn.Name()[:len(prefix)] == prefix {
				want = prefix
			}
		}
		require.NotEmpty(t, want, fn.Name())
		assert.Equal(t, words[want], ps.Res.Sums.Of(fn), fn.Name())
	}
}

func TestMutableValue(t *testing.T) {
	ps := load(passtest.New(t), "example.com/p", `package p
import ("bytes"; "context"; "io"; "net/http"; "reflect"; "regexp"; "sync"; "sync/atomic"; "time"; "strings")
type counted struct { n int }
func (c *counted) inc() { c.n++ }
type set struct { n int }
func newSet(n int) *set { s := &set{}; s.n = n; return s }
type locked struct { mu sync.Mutex }
type nested struct { inner struct { hits atomic.Int64 } }
type named struct { id string; list []int; self *named }
type index map[string]int
func (x index) put(k string) { x[k]++ }
func emptied(m map[int]int) { clear(m) }
func table() map[string]bool { m := map[string]bool{}; m["a"] = true; delete(m, "b"); return m }
var (
	counted_ *counted
	locked_ *locked
	nested_ *nested
	chan_ chan int
	index_ index
	buffer_ *bytes.Buffer
	closer_ io.Closer
	client_ *http.Client
	number_ *int
	hasChan_ *struct{ c chan int }
	value_ struct{ m map[int]int }
	cancel_ context.Context
	adder_ interface{ Add(int) int }
	adders_ interface{ AddAll([]int) error }
	writer_ interface{ Write([]byte) (int, error) }

	addressed__ interface{ Address() string }
	decoder__ interface{ Decode([]byte) (string, error); Settings() string }
	printed__ interface{ WriteTo(io.Writer) (int64, error); Write(*bytes.Buffer, any) error }
	table__ map[string]bool
	set__ *set
	named__ *named
	int__ int
	string__ string
	slice__ []byte
	type__ reflect.Type
	regexp__ *regexp.Regexp
	time__ time.Time
	any__ any
	error__ error
	func__ func()
	copy__ counted
	replacer__ *strings.Replacer
)
`)
	scope := ps.Pass.Pkg.Scope()
	for _, name := range scope.Names() {
		v, ok := scope.Lookup(name).(*types.Var)
		if !ok || name == "cancel_" {
			continue
		}
		want := len(name) < 2 || name[len(name)-2:] != "__"
		assert.Equal(t, want, ps.Res.MutableValue(v.Type()), name)
	}
}

// TestConstant: a field is what its object was made with where all that assign it do so
// before the object can be anywhere else.
func TestConstant(t *testing.T) {
	w := passtest.New(t)
	pass := w.Pass("p", `package p
type T struct { literal, first, zero, later, given, unset, handed, branch, element int; Exported int }
var shared *T
var all []T
func Make(n int) *T { x := &T{literal: n, Exported: 1}; x.first = n + 1; return x }
func Publish(n int) { x := &T{}; shared = x; x.later = n }
func Change(x *T) { x.given = 2 }
func Hand(x *T, f func(*int)) { f(&x.handed) }
func Branch(n int) *T { x := new(T); if n > 0 { x.branch = n }; return x }
func Element(i int) { all[i].element = i }
func Read(x *T) int { return x.literal + x.first + x.zero + x.unset }
type W struct { whole int }
func Whole(x *W, y W) { *x = y }
type V struct { own int }
func Value(n int) int { var v V; if n > 0 { v.own = n }; return v.own }
`)
	require.Empty(t, pass.TypeErrors)
	_, funcs, err := BuildSSA(pass)
	require.NoError(t, err)
	r := newResolver(pass, catalog.Default(), funcs)
	var constant []string
	for _, name := range []string{"T", "V", "W"} {
		s := pass.Pkg.Scope().Lookup(name).Type().Underlying().(*types.Struct)
		for f := range s.Fields() {
			if r.Constant(f) {
				constant = append(constant, name+"."+f.Name())
			}
		}
	}
	assert.Equal(t, []string{"T.literal", "T.first", "T.zero", "T.unset", "V.own"}, constant)
}
