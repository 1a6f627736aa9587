package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
)

// steps are functions of one map, each with a sequence, from small to large.
var steps = []string{`
func A(k string) {
	if _, ok := m.Load(k); !ok {
		m.Store(k, 1)
	}
}
`, `
func B(k string) {
	if _, ok := m.Load(k); !ok {
		m.Store(k, 2)
	}
}
`, `
func C(k string, n int) {
	if v, ok := m.Load(k); ok && v.(int) < n {
		if n > 7 {
			m.Store(k, n)
		}
	}
}
`}

func sequences(t *testing.T, budget int, steps ...string) map[string]string {
	t.Helper()
	c := New(programs(t, "package counters\n\nimport \"sync\"\n\nvar m sync.Map\n"+strings.Join(steps, "")), Options{Budget: budget}, nil)
	return verdicts(c)
}

// TestBudget: what is left when the package's budget is used up is unknown, and says so.
func TestBudget(t *testing.T) {
	all := sequences(t, 0, steps...)
	require.Len(t, all, 3)
	for name, verdict := range all {
		assert.Equal(t, absint.Violation.String(), verdict, name)
	}
	const left = "unknownU1: the package's budget of 1 steps of work is used up; -budget gives more"
	assert.Equal(t, map[string]string{"A": absint.Violation.String(), "B": left, "C": left}, sequences(t, 1, steps...))
}

// TestBudgetOrder: which sequences are left follows neither from the order in which files
// are given, nor from that of a large function and a small one.
func TestBudgetOrder(t *testing.T) {
	want := sequences(t, 1, steps...)
	assert.Equal(t, want, sequences(t, 1, steps[2], steps[0], steps[1]))

	ps := programs(t, "package counters\n\nimport \"sync\"\n\nvar m sync.Map\n"+steps[0], "package counters\n"+steps[1])
	given := verdicts(New(ps, Options{Budget: 1}, nil))
	slices.Reverse(ps.Funcs)
	assert.Equal(t, given, verdicts(New(ps, Options{Budget: 1}, nil)))
}

// TestBudgetOfFixes: to verify a fix is on the package's account.
func TestBudgetOfFixes(t *testing.T) {
	ps := programs(t, "package counters\n\nimport \"sync\"\n\nvar m sync.Map\n"+steps[0])
	c := New(ps, Options{Budget: 1}, nil)
	c.Extensions()
	_, _, err := c.With(ps.Pass.Files[0], nil, "", nil)
	assert.ErrorContains(t, err, "nothing is left")
}

const dropped = `
func Put(k string, n int) { m.Store(k, n) }

func Drop(k string) any {
	v, ok := m.Load(k)
	if ok && v != 3 {
		m.Delete(k)
	}
	return v
}
`

// TestFinish: what was looked at briefly is decided when all has been looked at, and what
// contains it is not told twice.
func TestFinish(t *testing.T) {
	c := New(programs(t, "package counters\n\nimport \"sync\"\n\nvar m sync.Map\n"+dropped), Options{}, nil)
	found := c.Extensions()
	require.Len(t, found, 1)
	require.True(t, found[0].Settled())
	brief := func() evidence.Weighed {
		return evidence.Weighed{Finding: &judge.Finding{In: found[0].In, Group: found[0].Group, Brief: true}}
	}
	s := &collector{Package: c, weigher: evidence.New(c.Ps, c.Judge, c.opts.Weigh, nil), all: []evidence.Weighed{brief(), brief()}}
	s.finish()
	require.Len(t, s.all, 1)
	assert.Equal(t, found[0].Verdict, s.all[0].Verdict)
	assert.False(t, s.all[0].Brief)
}

const asking = `package counters

import "sync/atomic"

var n atomic.Int64

func rounds(again func(int) bool) bool {
	for i := 0; ; i++ {
		v := n.Load()
		if n.CompareAndSwap(v, v+1) {
			return true
		}
		if !again(i) {
			return false
		}
	}
}

func Count(again func(int) bool) string {
	if rounds(again) {
		return "counted"
	}
	return "given up"
}
`

// TestFinishUndecided: what contains a step that is not decided at length either is not told beside it.
func TestFinishUndecided(t *testing.T) {
	c := New(programs(t, asking), Options{}, nil)
	s := &collector{Package: c, weigher: evidence.New(c.Ps, c.Judge, c.opts.Weigh, nil)}
	for _, f := range c.Functions {
		require.Len(t, f.Groups, 1, f.Fn.Name())
		s.all = append(s.all, evidence.Weighed{Finding: &judge.Finding{In: f, Group: f.Groups[0], Brief: true}})
	}
	require.Len(t, s.all, 2)
	require.Equal(t, "rounds", s.all[0].In.Fn.Name())
	s.finish()
	require.Len(t, s.all, 1)
	assert.Equal(t, absint.Unknown, s.all[0].Verdict)
	assert.Equal(t, "rounds", s.all[0].In.Fn.Name())
}

// TestTellOnce: what is undecided in a function and in one that calls it is told once.
func TestTellOnce(t *testing.T) {
	c := New(programs(t, asking), Options{}, nil)
	s := &collector{Package: c, weigher: evidence.New(c.Ps, c.Judge, c.opts.Weigh, nil)}
	for _, f := range c.Functions {
		s.all = append(s.all, s.judged(f, f.Groups[0]))
	}
	require.Len(t, s.all, 2)
	s.tellOnce()
	require.Len(t, s.all, 1)
	assert.Equal(t, "rounds", s.all[0].In.Fn.Name())
	s.all = []evidence.Weighed{s.all[0], s.all[0]} // two sequences of one function
	s.tellOnce()
	assert.Len(t, s.all, 2)
}
