package ssaprog

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// exportResults type-checks a package and says what its functions give.
func exportResults(w *passtest.World, path, src string) string {
	w.T.Helper()
	pass := w.Pass(path, src)
	require.Empty(w.T, pass.TypeErrors)
	ExportResults(pass, catalog.Default())
	var f resultsFact
	if !pass.ImportPackageFact(pass.Pkg, &f) {
		return ""
	}
	return f.String()
}

// TestResults: each rule has functions on both sides. Those whose name begins with
// No break it.
func TestResults(t *testing.T) {
	for rule, c := range map[string]struct{ src, want string }{
		"K1: basic values": {`
type ID struct{ Namespace, Name string }
func Key(ns, name string) string { return ns + "/" + name }
func Make(ns, name string) ID { return ID{Namespace: ns, Name: name} }
func (id ID) String() string { return id.Namespace + "/" + id.Name }
func NoBytes(s string) []byte { return []byte(s) }
func NoError(s string) (string, error) { return s, nil }
func NoResult(s string) {}
func NoResults(s string) () {}
func unexported(s string) string { return s }`, "pure: ID.String, Key, Make; fresh: "},
		"K2: values and fields": {`
type Pod struct{ Name string; labels map[string]string }
type Named interface{ GetName() string }
func Key(p *Pod) string { return p.Name }
func (p Pod) Own() string { return p.Name }
func NoSlice(ks []string) string { return ks[0] }
func NoVariadic(ks ...string) string { return ks[0] }
func NoInterface(n Named) string { return n.GetName() }
func NoLabel(p *Pod) string { return p.labels["app"] }
func NoArguments() string { return "x" }
func NoGeneric[T ~string](s T) string { return string(s) }`, "pure: Key, Pod.Own; fresh: "},
		"K3: statements": {`
var last string
func Branch(n int) int { if n > 3 { return n } else { n++ }; switch n { case 1: n = 2 }; return n }
func Loop(s string) int { sum := 0; for i, r := range s { sum += i * int(r) }; for i := 0; i < 3; i++ { sum-- }; return sum }
func Declare(s string) string { const sep = "/"; var out string = s + sep; return out }
func NoGlobal(s string) string { last = s; return s }
func NoGo(s string) string { go print(s); return s }
func NoDefer(s string) string { defer print(s); return s }
func NoSend(c chan int, n int) int { c <- n; return n }
func NoField(p *struct{ n int }) int { p.n++; return p.n }`, "pure: Branch, Declare, Loop; fresh: "},
		"K4: expressions": {`
import ("fmt"; "strings"; "time"; "os")
const prefix = "app-"
var suffix = "-x"
func Join(a, b string) string { return prefix + strings.Join([]string{strings.ToLower(a), b}, "/") }
func Print(a string, n int) string { return fmt.Sprintf("%s-%d", a, n) }
func Call(a string) string { return helper(a)[1:] }
func helper(a string) string { return a + "!" }
func Convert(n int) uint8 { return uint8(min(n, len("abc"))) }
func NoVariable(a string) string { return a + suffix }
func NoClock(a string) string { return a + time.Now().String() }
func NoEnvironment(a string) string { return os.Getenv(a) }
func NoFunction(a string) string { return func() string { return a }() }
func NoReceive(c chan string, a string) string { return a + <-c }
func NoRecursion(n int) int { if n == 0 { return 0 }; return NoRecursion(n - 1) }
func NoEffect(a string) string { return shout(a) }
func shout(a string) string { print(a); return a }`, "pure: Call, Convert, Join, Print; fresh: "},
		"F1: something new": {`
type Pool struct{ size int; next *Pool }
var shared = new(Pool)
func New(n int) *Pool { return &Pool{size: n} }
func Maybe(n int) (*Pool, error) { if n < 0 { return nil, nil }; p := New(n); return p, nil }
func Table() map[string]int { return map[string]int{} }
func NoShared() *Pool { return shared }
func NoSame(p *Pool) *Pool { return p }
func NoField(p *Pool) *Pool { return p.next }
func NoSometimes(p *Pool) *Pool { q := &Pool{}; if p != nil { q = p }; return q }
func NoNamed() (p *Pool) { p = &Pool{}; return }
func NoNothing() *Pool { return nil }
func NoSecond() *Pool { _, p := both(); return p }
func both() (*Pool, *Pool) { return &Pool{}, shared }`, "pure: ; fresh: Maybe, New, Table"},
		"F2: parts of its own": {`
type Pool struct{ size int; tags map[string]int }
func New(n int) *Pool { p := &Pool{tags: map[string]int{}}; p.size = n; return p }
func Tags() map[string]int { m := make(map[string]int); m["a"] = 1; return m }
func NoParameter(o *Pool) *Pool { o.size++; return &Pool{} }
func NoAlias(o *Pool) *Pool { q := o; q.size++; return &Pool{} }
func NoEntry(m map[string]int) *Pool { m["a"] = 1; return &Pool{} }`, "pure: ; fresh: New, Tags"},
		"F3: no effect": {`
import ("time"; "net"; "os")
type Pool struct{ made time.Time; size int; stop func() }
var size = 3
func New() *Pool { return &Pool{made: time.Now(), size: size, stop: func() { print() }} }
func Dial(a string) (*Pool, error) { c, err := net.Dial("tcp", a); _ = c; return &Pool{}, err }
func NoStart() *Pool { p := &Pool{}; go p.stop(); return p }
func NoRemove() *Pool { return &Pool{size: remove()} }
func remove() int { os.Remove("x"); return 1 }`, "pure: ; fresh: Dial, New"},
	} {
		t.Run(rule, func(t *testing.T) {
			assert.Equal(t, c.want, exportResults(passtest.New(t), "example.com/lib", "package lib\n"+c.src))
		})
	}
	assert.Empty(t, exportResults(passtest.New(t), "example.com/cmd", "package main\nfunc Key(s string) string { return s }\nfunc main() {}"))
	assert.Empty(t, exportResults(passtest.New(t), "example.com/lib", "package lib\nfunc F() {}"))
}

// TestResultsImported: two calls of a function that makes keys are about one cell,
// and what a constructor makes is new.
func TestResultsImported(t *testing.T) {
	w := passtest.New(t)
	assert.Equal(t, "pure: ; fresh: New", exportResults(w, "example.com/pool", `package pool
type Pool struct{ n int }
func New() *Pool { return &Pool{} }`))
	assert.Equal(t, "pure: Key, Long; fresh: ", exportResults(w, "example.com/keys", `package keys
func Key(ns, name string) string { return ns + "/" + name }
func Long(ns, name string) string { return "long-" + Key(ns, name) }`))
	ps := load(w, "example.com/p", `package p
import ("sync"; "example.com/keys"; "example.com/pool")
var m sync.Map
func Get(ns, name string) any {
	if v, ok := m.Load(keys.Long(ns, name)); ok { return v }
	v := pool.New()
	m.Store(keys.Long(ns, name), v)
	return v
}`)
	ops := ps.baseOps(t, "Get")
	require.Len(t, ops, 2)
	assert.Contains(t, ps.text(t, "Get"), "= fresh pool.Pool")
	p := ps.Inlined(ps.Funcs[0])
	assert.NotContains(t, p.String(), "unknown", "of the key")
}

// TestResultsBudget: a package of many functions has a small Fact.
func TestResultsBudget(t *testing.T) {
	src := "package lib\n"
	for i := range 2000 {
		src += "func Key" + string(rune('A'+i%26)) + strconv.Itoa(i) + "(s string) string { return s }\n"
	}
	assert.Less(t, len(exportResults(passtest.New(t), "example.com/lib", src)), maxResultsText+100)
}
