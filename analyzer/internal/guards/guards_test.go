package guards_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/mapatom/mapatom/analyzer/internal/guards"
)

// imported packages are read once.
var (
	fset    = token.NewFileSet()
	imports = importer.ForCompiler(fset, "source", nil)
)

// build compiles a package from its text.
func build(t *testing.T, src string) []*ssa.Function {
	t.Helper()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+src, 0)
	require.NoError(t, err)
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: imports}, fset,
		types.NewPackage("p", "p"), []*ast.File{file}, ssa.BuilderMode(0))
	require.NoError(t, err)
	var funcs []*ssa.Function
	seen := map[*ssa.Function]bool{}
	for fn := range ssautil.AllFunctions(pkg.Prog) {
		if o := fn.Origin(); o != nil {
			fn = o
		}
		if fn.Pkg == pkg && len(fn.Blocks) > 0 && !seen[fn] {
			seen[fn] = true
			funcs = append(funcs, fn)
		}
	}
	slices.SortFunc(funcs, func(a, b *ssa.Function) int { return strings.Compare(a.String(), b.String()) })
	return funcs
}

// locks knows the locks of package sync by their names.
func locks(call ssa.CallInstruction) (guards.LockCall, bool) {
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync" || len(call.Common().Args) == 0 {
		return guards.LockCall{}, false
	}
	lc := guards.LockCall{Mutex: call.Common().Args[0]}
	switch fn.Name() {
	case "Lock":
	case "Unlock":
		lc.Release = true
	case "RLock":
		lc.Shared = true
	case "RUnlock":
		lc.Release, lc.Shared = true, true
	default:
		return guards.LockCall{}, false
	}
	return lc, true
}

var calls = guards.Calls{
	Locks:   locks,
	Flags:   flags,
	Entries: func(ssa.CallInstruction) (ssa.Value, guards.EntryOp, ssa.Value) { return nil, guards.EntryOther, nil },
	Through: func(ssa.CallInstruction) *ssa.Function { return nil },
}

// flags knows the methods of atomic.Bool by their names.
func flags(call ssa.CallInstruction) (ssa.Value, guards.FlagOp) {
	fn := call.Common().StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "sync/atomic" || fn.Signature.Recv() == nil {
		return nil, guards.FlagOther
	}
	args := call.Common().Args
	is := func(i int, want string) bool { return args[i].Name() == want+":bool" }
	switch {
	case fn.Name() == "CompareAndSwap" && is(1, "false") && is(2, "true"):
		return args[0], guards.FlagTake
	case fn.Name() == "Store" && is(1, "false"):
		return args[0], guards.FlagRelease
	case fn.Name() == "Load":
		return args[0], guards.FlagLook
	}
	return args[0], guards.FlagOther
}

// infer gives, for each guarded memory, its lock; exact ones have no mark, others a
// tilde. A memory that some function uses in several sections has a star.
func infer(t *testing.T, src string) []string {
	t.Helper()
	return marked(t, src, (*guards.Guards).Split)
}

// registers is infer with a star for what is looked at as registers.
func registers(t *testing.T, src string) []string {
	t.Helper()
	return marked(t, src, (*guards.Guards).Registers)
}

func marked(t *testing.T, src string, by func(*guards.Guards) map[*types.Var]bool) []string {
	t.Helper()
	g := guards.Infer(build(t, src), calls, func(*ssa.Function) bool { return false })
	split := by(g)
	var out []string
	for _, mem := range g.Memories() {
		guard, _ := g.Of(mem)
		text := mem.Name() + " by "
		if !guard.Exact {
			text += "~"
		}
		text += guard.Lock.Name()
		if split[mem] {
			text += " *"
		}
		out = append(out, text)
	}
	return out
}

const head = `
import "sync"

type T struct {
	mu sync.Mutex
	rw sync.RWMutex
	m  map[string]int
	n  int
	sub struct{ k int }
	kids []*kid
}

type kid struct{ age int }

var _ sync.Mutex
`

// TestCoupled: what one section changes together is looked at where one of the two is
// looked at, and the other one changed, in different sections.
func TestCoupled(t *testing.T) {
	const look = `
func (t *T) full() bool { t.mu.Lock(); defer t.mu.Unlock(); return t.n > 9 }`
	const set = `
func (t *T) set(k string) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }`
	const both = `
func (t *T) Reset() { t.mu.Lock(); defer t.mu.Unlock(); t.n = 0; t.m = nil }`
	const apart = `
func (t *T) Reset() { t.mu.Lock(); t.n = 0; t.mu.Unlock(); t.mu.Lock(); t.m = nil; t.mu.Unlock() }`
	const use = `
func (t *T) Add(k string) { if !t.full() { t.set(k) } }`
	for name, tt := range map[string]struct {
		src  string
		want []string
	}{
		"changed together, used apart":   {look + set + both + use, []string{"m by mu *", "n by mu *"}},
		"changed together, used by none": {look + set + both, []string{"m by mu", "n by mu"}},
		"changed apart":                  {look + set + apart + use, []string{"m by mu", "n by mu"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, infer(t, head+tt.src)) })
	}
}

// TestNested: who changes two memories while he holds the lock of one of them, in a section of its own
// for the other, changes them together.
func TestNested(t *testing.T) {
	const types = `
type Table struct { mu sync.Mutex; all map[string]*Entry }
type Entry struct { mu sync.Mutex; id string; users int }
func (e *Entry) add(n int) int { e.mu.Lock(); defer e.mu.Unlock(); e.users += n; return e.users }
func (t *Table) Drop(e *Entry) {
	if e.add(-1) == 0 {
		t.mu.Lock()
		delete(t.all, e.id)
		t.mu.Unlock()
	}
}
`
	const finds = `
func (t *Table) find(id string) *Entry { t.mu.Lock(); defer t.mu.Unlock(); return t.all[id] }
func (t *Table) Use(id string) { t.find(id).add(1) }
func (t *Table) Put(e *Entry) { t.mu.Lock(); t.all[e.id] = e; t.mu.Unlock() }
func (e *Entry) unused() bool { e.mu.Lock(); defer e.mu.Unlock(); return e.users == 0 }`
	for name, tt := range map[string]struct {
		src  string
		want []string
	}{
		"found, and retired if unused": {finds + `
func (t *Table) Retire() { t.mu.Lock(); defer t.mu.Unlock(); for id, e := range t.all { if e.unused() { delete(t.all, id) } } }`,
			[]string{"all by mu *", "users by mu *"}},
		"found, and listed if unused": {finds + `
func (t *Table) Unused() (n int) { t.mu.Lock(); defer t.mu.Unlock(); for _, e := range t.all { if e.unused() { n++ } }; return n }`,
			[]string{"all by mu", "users by mu"}},
		"counted while the table is locked": {`
func (t *Table) Put(id string) { t.mu.Lock(); defer t.mu.Unlock(); e := &Entry{id: id}; t.all[id] = e; e.add(1) }`,
			[]string{"all by mu *", "users by mu *"}},
		"counted afterwards": {`
func (t *Table) Put(id string) { t.mu.Lock(); e := &Entry{id: id}; t.all[id] = e; t.mu.Unlock(); e.add(1) }`,
			[]string{"all by mu", "users by mu"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, infer(t, head+types+tt.src)) })
	}
}

// TestRetired: a map of which somebody takes entries away that nobody uses, as an atomic in them says, is found in one section and
// used after that, unless whoever finds an entry counts himself in under the lock.
func TestRetired(t *testing.T) {
	const lines = `
import ("sync"; "sync/atomic")
type Line struct { uses atomic.Int32 }
type Lines struct { mu sync.Mutex; lines map[string]*Line }
func (l *Lines) find(id string) *Line { l.mu.Lock(); defer l.mu.Unlock(); return l.lines[id] }
func (l *Lines) Put(id string) { l.mu.Lock(); l.lines[id] = new(Line); l.mu.Unlock() }
`
	const retire = `
func (l *Lines) Retire() { l.mu.Lock(); defer l.mu.Unlock(); for id, e := range l.lines { if e.uses.Load() == 0 { delete(l.lines, id) } } }`
	const list = `
func (l *Lines) Idle() (n int) { l.mu.Lock(); defer l.mu.Unlock(); for _, e := range l.lines { if e.uses.Load() == 0 { n++ } }; return n }`
	const use = `
func (l *Lines) Use(id string) { l.find(id).uses.Add(1) }`
	const useUnderLock = `
func (l *Lines) Use(id string) { l.mu.Lock(); defer l.mu.Unlock(); l.lines[id].uses.Add(1) }`
	for name, tt := range map[string]struct {
		src  string
		want []string
	}{
		"found, and counted later": {lines + retire + use, []string{"lines by mu *"}},
		"counted under the lock":   {lines + retire + useUnderLock, []string{"lines by mu"}},
		"only listed":              {lines + list + use, []string{"lines by mu"}},
		"found, as by a method that is handed on": {lines + retire + `
func (l *Lines) Get(id string) (*Line, func(string) *Line) { return l.find(id), l.find }`, []string{"lines by mu"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, infer(t, tt.src)) })
	}
}

// TestAskedTogether: a flag that somebody sets, and a list that one critical section asks about together before it waits, belong together
// where a function asks the one and adds to the other in sections of their own; not a number and a list, nor what nobody waits for.
func TestAskedTogether(t *testing.T) {
	const src = `
import "sync"
type Queue struct { mu sync.Mutex; more *sync.Cond; jobs []int; over bool; limit int }
func (q *Queue) IsOver() bool { q.mu.Lock(); defer q.mu.Unlock(); return q.over }
func (q *Queue) Limit() int { q.mu.Lock(); defer q.mu.Unlock(); return q.limit }
func (q *Queue) Put(job int) { q.mu.Lock(); q.jobs = append(q.jobs, job); q.mu.Unlock() }
func (q *Queue) End() { q.mu.Lock(); q.over, q.limit = true, 1; q.mu.Unlock() }
`
	const add = `
func (q *Queue) Add(job int) { if !q.IsOver() { q.Put(job) } }`
	for name, tt := range map[string]struct {
		src  string
		want []string
	}{
		"waits": {src + add + `
func (q *Queue) Wait() { q.mu.Lock(); defer q.mu.Unlock(); for !q.over && len(q.jobs) == 0 { q.more.Wait() } }`, []string{"jobs by mu *", "over by mu *", "limit by mu"}},
		"only asked": {src + add + `
func (q *Queue) Idle() bool { q.mu.Lock(); defer q.mu.Unlock(); return q.over && len(q.jobs) == 0 }`, []string{"jobs by mu", "over by mu", "limit by mu"}},
		"asked apart": {src + add, []string{"jobs by mu", "over by mu", "limit by mu"}},
		"a number": {src + `
func (q *Queue) Add(job int) { if q.Limit() > 0 { q.Put(job) } }
func (q *Queue) Wait() { q.mu.Lock(); defer q.mu.Unlock(); for len(q.jobs) > q.limit { q.more.Wait() } }`, []string{"jobs by mu", "over by mu", "limit by mu"}},
	} {
		t.Run(name, func(t *testing.T) { assert.Equal(t, tt.want, infer(t, tt.src)) })
	}
}

// TestShared: a map that is a variable is memory if its literals alone have it, and a lock that is
// the same for as long as the map is.
func TestShared(t *testing.T) {
	const count = `func() { mu.Lock(); n := m["a"]; mu.Unlock(); mu.Lock(); m["a"] = n + 1; mu.Unlock() }`
	tests := []struct {
		name, src string
		want      []string
	}{
		{"two variables of one function", `
func F() func() { var mu sync.Mutex; m := map[string]int{"b": 1}; return ` + count + ` }`, []string{"m by mu *"}},
		{"in a literal in a literal", `
func F() func() { var mu sync.Mutex; m := map[string]int{}; return func() { go ` + count + `() } }`, []string{"m by mu *"}},
		{"one section", `
func F() func() { var mu sync.Mutex; m := map[string]int{}; return func() { mu.Lock(); m["a"]++; mu.Unlock() } }`, []string{"m by mu"}},
		{"the lock is made again in a loop", `
func F() { m := map[string]int{}; for range 3 { var mu sync.Mutex; go ` + count + `() } }`, nil},
		{"the lock is made once for many", `
func F() { var mu sync.Mutex; for range 3 { m := map[string]int{}; go ` + count + `() } }`, []string{"m by mu *"}},
		{"a literal writes without the lock", `
func F() { var mu sync.Mutex; m := map[string]int{}; go ` + count + `(); go func() { m["a"] = 2 }() }`, nil},
		{"the map is somebody's", `
func F(m map[string]int) { var mu sync.Mutex; go ` + count + `() }`, nil},
		{"the map is stored elsewhere", `
var all map[string]int
func F() { var mu sync.Mutex; m := map[string]int{}; all = m; go ` + count + `() }`, []string{"m by mu"}},
		{"another map is put there", `
func F() { var mu sync.Mutex; m := map[string]int{}; go ` + count + `(); m = map[string]int{} }`, nil},
		{"handed on when all are done", `
func F() map[string]int { var mu sync.Mutex; var wg sync.WaitGroup; m := map[string]int{}; wg.Go(` + count + `); wg.Wait(); return m }`, []string{"m by mu *"}},
		{"handed on before that", `
func F() map[string]int { var mu sync.Mutex; m := map[string]int{}; go ` + count + `(); return m }`, []string{"m by mu"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, registers(t, head+tt.src)) })
	}
}

// TestWholeMaps: a map that is loaded as a whole is looked at in registers where nobody gets it who could
// change its entries.
func TestWholeMaps(t *testing.T) {
	const both = `
func (t *T) Add(k string) {
	t.mu.Lock()
	n := t.m[k]
	t.mu.Unlock()
	t.mu.Lock()
	t.m[k] = n + 1
	t.mu.Unlock()
}
func show(m map[string]int) int { n := 0; for _, v := range m { n += v }; return n + len(m) }
func pass(m map[string]int) int { return show(m) }
func set(m map[string]int) { m["a"] = 1 }
func keep(m map[string]int) map[string]int { return m }
`
	tests := []struct {
		name, src string
		want      []string
	}{
		{"a helper that looks", `
func (t *T) Sum() int { t.mu.Lock(); defer t.mu.Unlock(); return pass(t.m) }`, []string{"m by mu *"}},
		{"a helper that writes", `
func (t *T) Set() { t.mu.Lock(); defer t.mu.Unlock(); set(t.m) }`, []string{"m by mu"}},
		{"a helper that keeps it", `
func (t *T) All() map[string]int { t.mu.Lock(); defer t.mu.Unlock(); return keep(t.m) }`, []string{"m by mu"}},
		{"handed out", `
func (t *T) All() map[string]int { t.mu.Lock(); defer t.mu.Unlock(); return t.m }`, []string{"m by mu"}},
		{"taken out", `
func (t *T) Take() map[string]int { t.mu.Lock(); defer t.mu.Unlock(); m := t.m; t.m = nil; return m }`, []string{"m by mu *"}},
		{"taken out, and changed without the lock", `
func (t *T) Take() map[string]int {
	t.mu.Lock()
	m := t.m
	t.m = make(map[string]int, len(m))
	t.mu.Unlock()
	m["a"] = 1
	return m
}`, []string{"m by mu *"}},
		{"that of another one is emptied", `
func (t *T) Take(u *T) map[string]int { t.mu.Lock(); defer t.mu.Unlock(); m := t.m; u.m = nil; return m }`, []string{"m by ~mu"}},
		{"taken out after the lock was let go", `
func (t *T) Take() map[string]int {
	t.mu.Lock()
	m := t.m
	t.mu.Unlock()
	t.mu.Lock()
	t.m = nil
	t.mu.Unlock()
	return m
}`, []string{"m by mu"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, registers(t, head+both+tt.src)) })
	}
}

func TestInfer(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"a method that holds its lock", `
func (t *T) Set(k string) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = 1 }
func (t *T) Get(k string) int { t.mu.Lock(); defer t.mu.Unlock(); return t.m[k] }`, []string{"m by mu"}},
		{"a write without the lock", `
func (t *T) Set(k string) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }
func (t *T) Put(k string) { t.m[k] = 1 }`, nil},
		{"a write after it was released", `
func (t *T) Set(k string) { t.mu.Lock(); t.mu.Unlock(); t.m[k] = 1 }`, nil},
		{"a write under the lock of readers", `
func (t *T) Set(k string) { t.rw.RLock(); t.m[k] = 1; t.rw.RUnlock() }`, nil},
		{"a lock on one way only", `
func (t *T) Set(k string, b bool) { if b { t.mu.Lock() }; t.m[k] = 1; if b { t.mu.Unlock() } }`, nil},
		{"a read without the lock", `
func (t *T) Set(k string) { t.mu.Lock(); t.m[k] = 1; t.mu.Unlock() }
func (t *T) Len() int { return len(t.m) }`, []string{"m by mu"}},
		{"two sections of one function", `
func (t *T) Inc() {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	t.mu.Lock()
	t.n = n + 1
	t.mu.Unlock()
}`, []string{"n by mu *"}},
		{"two calls of one function each", `
func (t *T) get() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n }
func (t *T) set(n int) { t.mu.Lock(); defer t.mu.Unlock(); t.n = n }
func (t *T) Inc() { t.set(t.get() + 1) }`, []string{"n by mu *"}},
		{"the lock of the caller", `
func (t *T) add() { t.n++ }
func (t *T) Add() { t.mu.Lock(); t.add(); t.mu.Unlock() }`, []string{"n by mu"}},
		{"a caller without it", `
func (t *T) add() { t.n++ }
func (t *T) Add() { t.mu.Lock(); t.add(); t.mu.Unlock() }
func (t *T) Other() { t.add() }`, nil},
		{"a caller in a goroutine of its own", `
func (t *T) add() { t.n++ }
func (t *T) Add() { t.mu.Lock(); go t.add(); t.mu.Unlock() }`, nil},
		{"a helper that needs the lock, in two sections", `
func (t *T) add() { t.n++ }
func (t *T) Add() {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	if n > 0 {
		t.mu.Lock()
		t.add()
		t.mu.Unlock()
	}
}`, []string{"n by mu *"}},
		{"two sections that nothing joins", `
func (t *T) reset() { t.mu.Lock(); t.n = 0; t.mu.Unlock() }
func (t *T) Both() { t.reset(); t.reset() }`, []string{"n by mu"}},
		{"wrappers of the lock", `
func (t *T) lock() { t.mu.Lock() }
func (t *T) unlock() { t.mu.Unlock() }
func (t *T) Add() { t.lock(); t.n++; t.unlock() }`, []string{"n by mu"}},
		{"a struct in the struct", `
func (t *T) Add() { t.mu.Lock(); t.sub.k++; t.mu.Unlock() }

`, []string{"k by mu"}},
		{"the lock of another object", `
func (t *T) Add(u *T) { u.mu.Lock(); t.n++; u.mu.Unlock() }`, []string{"n by ~mu"}},
		{"the lock of an owner", `
func (t *T) Age() { t.mu.Lock(); for _, k := range t.kids { k.age++ }; t.mu.Unlock() }`, []string{"age by ~mu"}},
		{"a package variable", `
var mu sync.Mutex
var count int
func Add() { mu.Lock(); defer mu.Unlock(); count++ }`, []string{"count by mu"}},
		{"a closure in plain sight", `
func (t *T) Add() { t.mu.Lock(); defer t.mu.Unlock(); func() { t.n++ }() }`, []string{"n by mu"}},
		{"a deferred closure that releases", `
func (t *T) Add() { t.mu.Lock(); defer func() { t.n++; t.mu.Unlock() }() }`, []string{"n by mu"}},
		{"a guard that calls what it is given", `
type guarded[V any] struct { mu sync.Mutex; v V }
func (g *guarded[V]) with(f func(*V)) { g.mu.Lock(); defer g.mu.Unlock(); f(&g.v) }
type counts struct { hits int }
type Stats struct { g guarded[counts] }
func (s *Stats) Hit() {
	n := 0
	s.g.with(func(c *counts) { n = c.hits })
	s.g.with(func(c *counts) { c.hits = n + 1 })
}`, []string{"v by mu", "hits by mu *"}},
		{"a function that calls what it is given without the lock", `
func run(f func()) { f() }
func (t *T) Add() { t.mu.Lock(); t.n++; t.mu.Unlock(); run(func() { t.n++ }) }`, nil},
		{"construction", `
func New() *T { t := &T{}; t.n = 3; return t }
func (t *T) Add() { t.mu.Lock(); t.n++; t.mu.Unlock() }`, []string{"n by mu"}},
		{"only construction", `
func New() *T { t := &T{}; t.n = 3; return t }
func (t *T) Get() int { t.mu.Lock(); defer t.mu.Unlock(); return t.n }`, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { assert.Equal(t, tt.want, infer(t, head+tt.src)) })
	}
}

func TestInferWide(t *testing.T) {
	const types = `
import "sync/atomic"

type C struct {
	turn, token, wake chan int
	busy, started atomic.Bool
	n int
}

func newC() *C {
	c := &C{turn: make(chan int, 1), token: make(chan int, 1), wake: make(chan int, 1)}
	c.token <- 0
	return c
}
`
	tests := []struct {
		name, src string
		want      []string
	}{
		{"sent and received again", `
func (c *C) Add() { c.turn <- 1; c.n++; <-c.turn }`, []string{"n by turn"}},
		{"received and sent again", `
func (c *C) Add() { <-c.token; c.n++; c.token <- 1 }`, []string{"n by token"}},
		{"given back by a deferred literal", `
func (c *C) Add() { c.turn <- 1; defer func() { <-c.turn }(); c.n++ }`, []string{"n by turn"}},
		{"chosen by a select", `
func (c *C) Add() {
	select {
	case c.turn <- 1:
		c.n++
		<-c.turn
	default:
	}
}`, []string{"n by turn"}},
		{"a message", `
func (c *C) Add() { c.wake <- 1; c.n++ }
func (c *C) Wait() { <-c.wake }`, nil},
		{"compared and swapped", `
func (c *C) Add() {
	for !c.busy.CompareAndSwap(false, true) {
	}
	c.n++
	c.busy.Store(false)
}`, []string{"n by busy"}},
		{"in functions of their own", `
func (c *C) lock() {
	for !c.busy.CompareAndSwap(false, true) {
	}
}
func (c *C) unlock() { c.busy.Store(false) }
func (c *C) Add() { c.lock(); defer c.unlock(); c.n++ }
func (c *C) Sub() { c.lock(); c.n--; c.unlock() }`, []string{"n by busy"}},
		{"outside of the section", `
func (c *C) lock() {
	for !c.busy.CompareAndSwap(false, true) {
	}
}
func (c *C) unlock() { c.busy.Store(false) }
func (c *C) Add() { c.lock(); c.unlock(); c.n++ }`, nil},
		{"set free by somebody else", `
func (c *C) Start() {
	if c.started.CompareAndSwap(false, true) {
		c.n++
	}
}
func (c *C) Stop() { c.started.Store(false) }`, nil},
		{"not always taken by a comparison", `
func (c *C) Add() {
	if c.busy.CompareAndSwap(false, true) {
		c.n++
		c.busy.Store(false)
	}
}
func (c *C) Disable() { c.busy.Store(true) }`, nil},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, infer(t, types+c.src))
		})
	}
}

// TestJoinsInAnyOrder: what a function joins does not depend on which others were
// asked about before it.
func TestJoinsInAnyOrder(t *testing.T) {
	funcs := build(t, head+`
func (t *T) Get(k string) int    { t.mu.Lock(); defer t.mu.Unlock(); return t.m[k] }
func (t *T) Set(k string, n int) { t.mu.Lock(); defer t.mu.Unlock(); t.m[k] = n }
func (t *T) both(k string)       { t.Set(k, t.Get(k)+1) }
func (t *T) c(k string)          { t.both(k) }
func (t *T) b(k string)          { t.c(k) }
func (t *T) a(k string)          { t.b(k) }
func (t *T) A(k string)          { t.a(k) }
func (t *T) B(k string)          { t.A(k); t.c(k) }`)
	joins := func(funcs []*ssa.Function) map[string]bool {
		g := guards.Infer(funcs, calls, func(*ssa.Function) bool { return false })
		out := map[string]bool{}
		for _, fn := range funcs {
			out[fn.Name()] = g.Joins(fn, g.Registers())
		}
		return out
	}
	want := joins(funcs)
	assert.True(t, want["both"])
	for range 20 {
		rand.Shuffle(len(funcs), func(i, j int) { funcs[i], funcs[j] = funcs[j], funcs[i] })
		assert.Equal(t, want, joins(funcs))
	}
}
