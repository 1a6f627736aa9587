package extension_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// A function for each rule, to which it applies, and one like it, to which it does not.
const source = `package rules

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

var errGone = errors.New("gone")

type T struct {
	m, other sync.Map
	n, users atomic.Int64
	wg       sync.WaitGroup
}

type lock = sync.Mutex

func use(any)
func fails(any) bool

func (t *T) X1(k string)    { if v, ok := t.m.Load(k); ok { t.other.Store(k, v) } }
func (t *T) NotX1(k string) { t.m.Load(k); t.other.Store(k, 1) }

func (t *T) X2(k string)    { t.m.Load(k); t.other.Store(k, 1) }
func (t *T) NotX2(k string) { if v, ok := t.m.Load(k); ok { t.other.Store(k, v) } }

func (t *T) X3() error    { if !t.n.CompareAndSwap(0, 1) { return fmt.Errorf("state is %d", t.n.Load()) }; return nil }
func (t *T) NotX3() int64 { if !t.n.CompareAndSwap(0, 1) { return t.n.Load() }; return 0 }

func (t *T) X4()    { for t.users.Load() != 0 { runtime.Gosched() }; v := t.n.Load(); t.n.Store(v + 1) }
func (t *T) NotX4() { v := t.n.Load(); t.n.Store(v + 1) }

func (t *T) X5()    { v := t.n.Load(); t.n.Store(v + 1) }
func (t *T) NotX5() { v := t.n.Load(); use(v); t.n.Store(1) }

func (t *T) X6()    { v := t.n.Load(); use(v); for t.users.Load() != 0 { runtime.Gosched() }; t.n.Store(0) }
func (t *T) NotX6() { v := t.n.Load(); use(v); t.n.Store(0) }

func (t *T) X7() bool    { t.n.Add(5); if t.n.Load() != 5 { t.n.Add(-5); return false }; return true }
func (t *T) NotX7() bool { t.n.Add(5); if t.n.Load() != 5 { t.n.Add(-4); return false }; return true }

func (t *T) X8()    { t.n.Store(1); t.wg.Wait(); t.n.Load(); t.n.Store(2) }
func (t *T) NotX8() { t.n.Store(1); v := t.n.Load(); use(v); t.n.Store(2) }

func (t *T) X9()    { if t.n.Add(1) > 10 { t.n.Add(-1) } }
func (t *T) NotX9(k string) { v, _ := t.m.LoadOrStore(k, new(int)); if fails(v) { t.m.Delete(k) } }

func (t *T) X10(k string)    { if _, ok := t.m.Load(k); !ok { t.m.Store(k, 1) } }
func (t *T) NotX10(k string) { t.m.Load(k); t.m.Store(k, 1) }

func (t *T) X11(k string)    { v, _ := t.m.Load(k); use(v); t.wg.Wait(); t.m.Store(k, 1) }
func (t *T) NotX11(k string) { v, _ := t.m.Load(k); use(v); t.m.Store(k, 1) }

func (t *T) X12(k string)    { v, _ := t.m.Load(k); use(v); t.m.Store(k, 1) }
func (t *T) NotX12(k string) { t.m.Load(k); t.m.Store(k, 1) }

func (t *T) X13() string    { t.n.Add(1); return fmt.Sprint(t.n.Load()) }
func (t *T) NotX13() string { t.n.Add(1); use(1); return fmt.Sprint(t.n.Load()) }

func (t *T) X14() int64    { return t.n.Load() + t.n.Load() }
func (t *T) NotX14() int64 { use(t.n.Load()); return t.n.Load() }

func (t *T) X15()          { if t.n.Load() > 0 { if t.n.Load() > 5 { use(1) } } }
func (t *T) NotX15() int64 { if t.n.Load() > 0 { return t.n.Load() }; return 0 }

func (t *T) X16(jobs chan int) { for range jobs { if t.n.Load() > 5 { return }; t.n.Add(1) } }
func (t *T) NotX16(n int)      { for range n { if t.n.Load() > 5 { return }; t.n.Add(1) } }

func (t *T) X17(n int)    { for range n { t.n.Store(1); use(n); if t.n.Load() > 5 { return } } }
func (t *T) NotX17(n int) { for range n { if t.n.Load() > 5 { return }; use(n) }; t.n.Store(1) }

func (t *T) X18(k string)    { v, _ := t.m.LoadOrStore(k, new(lock)); l := v.(*lock); l.Lock(); use(1); l.Unlock(); t.m.Delete(k) }
func (t *T) NotX18(k string) { v, _ := t.m.LoadOrStore(k, new(lock)); l := v.(*lock); l.Lock(); use(1); l.Unlock(); if t.n.Add(-1) == 0 { t.m.Delete(k) } }

func (t *T) X19(k string)    { if v, ok := t.m.LoadAndDelete(k); ok { if _, there := t.m.LoadOrStore(k, v); there { use(v) } } }
func (t *T) NotX19(k string) { if v, ok := t.m.LoadAndDelete(k); ok { t.m.Store(k, v) } }
`

// rulesOf are the rules that apply to two accesses of a function.
func rulesOf(f *extension.Function) map[string]bool {
	out := map[string]bool{}
	for i := range f.Find.Accesses {
		for j := range f.Find.Accesses {
			if r := f.Find.Rule(i, j); i != j && r != nil {
				out[r.ID] = true
			}
		}
	}
	return out
}

// TestRules has each rule apply where it should, and not where it should not. What
// it says is so of the groups.
func TestRules(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/rules", source)
	require.Empty(t, pass.TypeErrors)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	ps := ssaprog.Lower(pass, catalog.Default(), pkg, funcs)
	methods := map[string]*ssa.Function{}
	for _, fn := range funcs {
		methods[fn.Name()] = fn
	}
	known := map[string]bool{}
	for _, r := range extension.Rules() {
		assert.False(t, known[r.ID], r.ID)
		known[r.ID] = true
		right, wrong := methods[r.ID], methods["Not"+r.ID]
		require.NotNil(t, right, "the source above has no function %s, which the rule is for", r.ID)
		require.NotNil(t, wrong, "the source above has no function Not%s, which the rule is not for", r.ID)
		f := extension.TakeApart(right, right.Name(), ps.Inlined(right))
		assert.True(t, rulesOf(f)[r.ID], "%s: %v", r.ID, rulesOf(f))
		if r.Together {
			assert.NotEmpty(t, append(f.Groups, f.Wide...), r.ID)
		}
		g := extension.TakeApart(wrong, wrong.Name(), ps.Inlined(wrong))
		assert.False(t, rulesOf(g)[r.ID], r.ID)
	}
}

// TestRulesAreDocumented compares the table with that of docs/rules.md, both ways.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/rules.md")
	require.NoError(t, err)
	var want []string
	for _, r := range extension.Rules() {
		want = append(want, fmt.Sprintf("| %s | %s | %s |", r.ID, r.Says, map[bool]string{true: "yes", false: "no"}[r.Together]))
	}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(regexp.MustCompile(`(?m)^\| X\d+ .*\|$`).FindAllString(string(page), -1), "\n"),
		"the table of docs/rules.md has what the table of rules.go says, in the same order")
}
