package check

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

const counters = `package counters

import "sync"

type Counters struct{ m, other sync.Map }

func (c *Counters) First(k string) {
	if _, ok := c.m.Load(k); !ok {
		c.m.Store(k, 1)
	}
}

func (c *Counters) Second(k string) {
	if _, ok := c.other.Load(k); !ok {
		c.other.Store(k, 1)
	}
}
`

func programs(t *testing.T, srcs ...string) *ssaprog.Programs {
	t.Helper()
	pass := passtest.New(t).Pass("example.com/counters", srcs...)
	require.Empty(t, pass.TypeErrors)
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	return ssaprog.Lower(pass, catalog.Default(), pkg, funcs)
}

func verdicts(c *Package) map[string]string {
	out := map[string]string{}
	for _, x := range c.Extensions() {
		out[x.Function()] = x.Verdict.String() + x.Reason
	}
	return out
}

// TestInternalErrors has one function fail, in each of the rooms: it is unknown, with a
// message, and the others are judged.
func TestInternalErrors(t *testing.T) {
	const second = "(*Counters).Second"
	ps := programs(t, counters)
	want := verdicts(New(ps, Options{}, nil))
	require.Len(t, want, 2)

	t.Run("judge", func(t *testing.T) {
		c := New(ps, Options{}, nil)
		c.Judge.Apart = func(s *rivals.Step) bool {
			if s.From.Name == second {
				panic("out of order")
			}
			return false
		}
		got := verdicts(c)
		assert.Equal(t, want["(*Counters).First"], got["(*Counters).First"])
		assert.Equal(t, absint.Unknown.String()+"internal error: out of order", got[second])
	})
	t.Run("rivals", func(t *testing.T) {
		c := New(ps, Options{}, nil)
		for _, f := range c.Functions {
			if f.Name == second {
				f.Groups[0].Accesses[0].Start = register.Ref{Block: 1000}
			}
		}
		w := rivals.NewWorld(ps, c.Functions, c.outer, c.keeps)
		assert.True(t, w.Closed(c.Functions[0].Root(0)))
		assert.False(t, w.Closed(c.Functions[1].Root(0)), "what the function does to its map is not known")
		again := New(ps, Options{}, nil) // where only that is not known
		again.Judge.World = w
		got := verdicts(again)
		assert.Equal(t, want["(*Counters).First"], got["(*Counters).First"])
		assert.Contains(t, got[second], absint.Unknown.String()+"internal error in ")
	})
	t.Run("programs", func(t *testing.T) {
		c := New(ps, Options{}, nil)
		c.failed = append(c.failed, failure{c.Functions[0].Fn, assert.AnError})
		got := c.Extensions()
		require.Len(t, got, 3)
		assert.Equal(t, absint.Unknown, got[0].Verdict)
		assert.Equal(t, assert.AnError.Error(), got[0].Reason)
		assert.Equal(t, "(*Counters).First", got[0].Function())
		assert.False(t, got[0].Shown())
	})
}

// TestUndecidedOnce: what cannot be decided is told where it is, and not again of each
// function that inlines it.
func TestUndecidedOnce(t *testing.T) {
	ps := programs(t, `package counters

import "sync"

type Counters struct{ m sync.Map }

func (c *Counters) Put(k string) any {
	if v, ok := c.m.Load(k); ok {
		return v
	}
	v, _ := c.m.LoadOrStore(k, 1)
	return v
}

func (c *Counters) Again(k string) any {
	if v, ok := c.m.Load(k); ok {
		return v
	}
	return c.Put(k)
}
`)
	assert.Len(t, verdicts(New(ps, Options{}, nil)), 2)
	c := New(ps, Options{}, nil)
	c.Judge.Apart = func(*rivals.Step) bool { panic("too much") }
	assert.Equal(t, map[string]string{"(*Counters).Put": absint.Unknown.String() + "internal error: too much"}, verdicts(c))
}

// TestLeavesTestsOut: what go test runs, and what it alone calls, is not looked at, unless
// somebody asks for it.
func TestLeavesTestsOut(t *testing.T) {
	src := counters + `
//line counters_test.go:1
func TestFirst() {
	c := &Counters{}
	put(&c.m)
	if _, ok := c.other.Load("k"); !ok {
		c.other.Store("k", 1)
	}
	func() {
		if _, ok := shared.Load("k"); !ok {
			shared.Store("k", 1)
		}
	}()
}

var shared sync.Map

func put(m *sync.Map) {
	if _, ok := m.Load("k"); !ok {
		m.Store("k", 1)
	}
}

func help(k string) {
	if _, ok := shared.Load(k); !ok {
		shared.Store(k, 1)
	}
}
`
	names := func(o Options) []string {
		pass := passtest.New(t).Pass("example.com/counters", src)
		ps, err := Build(pass, catalog.Default(), o, nil)
		require.NoError(t, err)
		return slices.Sorted(maps.Keys(verdicts(New(ps, o, nil))))
	}
	usual := []string{"(*Counters).First", "(*Counters).Second", "help"}
	assert.Equal(t, usual, names(Options{}))
	everything := append(slices.Clone(usual[:2]), "TestFirst", "help")
	assert.Equal(t, everything, names(Options{Weigh: evidence.Options{Tests: true}}))
	assert.Equal(t, everything, names(Options{Weigh: evidence.Options{Report: config.ReportAll}}))
}
