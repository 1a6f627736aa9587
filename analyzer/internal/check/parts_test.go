package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

const gates = `package gates

import (
	"sync"
	"sync/atomic"
)

type Gates struct {
	a, b, c, d atomic.Bool
	m          sync.Map
}

func (g *Gates) Put(k string) {
	if g.a.Load() && g.b.Load() && g.c.Load() && g.d.Load() {
		g.m.Store(k, 1)
	}
}

func (g *Gates) Open() {
	g.a.Store(true)
	g.b.Store(true)
	g.c.Store(true)
	g.d.Store(true)
}
`

// TestParts: a sequence on more cells than are followed at once is decided by its parts:
// what is wrong with one of them is wrong with it, and what is right with all of them is
// not said of the whole.
func TestParts(t *testing.T) {
	only := func(t *testing.T, c *Package) evidence.Weighed {
		all := c.Extensions()
		require.Len(t, all, 1)
		return all[0]
	}
	t.Run("right", func(t *testing.T) {
		x := only(t, New(programs(t, gates), Options{}, nil))
		assert.Equal(t, absint.Verified, x.Verdict, x.Reason)
		assert.Equal(t, absint.InParts, x.Assumption)
		assert.Len(t, x.Group.Cells, 5)
	})
	t.Run("wrong", func(t *testing.T) {
		x := only(t, New(programs(t, gates+"\nfunc (g *Gates) Close() { g.c.Store(false) }\n"), Options{}, nil))
		assert.Equal(t, absint.Violation, x.Verdict, x.Reason)
		assert.Equal(t, "g.c, g.m", x.Map, "the part that breaks")
	})
	t.Run("whole", func(t *testing.T) {
		c := New(programs(t, gates), Options{}, nil)
		for _, f := range c.Functions {
			if f.Name == "(*Gates).Put" {
				x := c.Whole(f)
				assert.Equal(t, absint.Unknown, x.Verdict, "parts are not enough for what is to be one step")
				assert.Contains(t, x.Reason, "5 cells")
			}
		}
	})
}

// TestManyKeys: the ways in which many keys of one map can be equal are not written out, whatever is found of them, and
// what has not been tried in all of them is not verified.
func TestManyKeys(t *testing.T) {
	const keys = 26
	var src, params, looks strings.Builder
	for k := range keys {
		fmt.Fprintf(&params, "k%d, ", k)
		fmt.Fprintf(&looks, "\tif _, ok := s.m.Load(k%d); ok {\n\t\tn++\n\t}\n", k)
	}
	src.WriteString(manyKeys)
	fmt.Fprintf(&src, "func (s *Keys) All(%s string) (n int) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n", strings.TrimSuffix(params.String(), ", "))
	fmt.Fprintf(&src, "%s\tif s.on.Load() && n > 3 {\n\t\ts.m.Store(k0, 1)\n\t}\n\treturn n\n}\n", &looks)
	all := New(programs(t, src.String()), Options{Env: config.EnvPackage}, nil).Extensions()
	require.True(t, slices.ContainsFunc(all, func(x evidence.Weighed) bool { return len(x.Group.Cells) > keys }))
	for _, x := range all {
		if len(x.Group.Cells) > keys {
			assert.Equal(t, absint.Unknown, x.Verdict)
			assert.Contains(t, x.Reason, "27 cells")
		}
	}
}

const manyKeys = `package keys

import (
	"sync"
	"sync/atomic"
)

type Keys struct {
	mu sync.Mutex
	m  sync.Map
	on atomic.Bool
}

func (s *Keys) Add(k string) { s.mu.Lock(); s.m.Store(k, 1); s.mu.Unlock() }

func (s *Keys) Look(k string) bool { _, ok := s.m.Load(k); return ok }

func (s *Keys) On() { s.on.Store(true) }

`

const crossed = `package crossed

import "sync"

type node struct{ n int }

type Nodes struct {
	mu sync.Mutex
	m  map[string]*node
}

func (s *Nodes) Decides(k, k2 string) *node {
	s.mu.Lock()
	if _, ok := s.m[k2]; !ok {
		s.m[k] = &node{2}
	}
	v := s.m[k2]
	s.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	w, ok := s.m[k2]
	if !ok {
		delete(s.m, k)
	}
	if w == nil {
		s.m[k] = w
	}
	return v
}
`

// TestCrossedLook: what decides about an entry is a part of the sequence on it if it is found under a key that can be
// the same one.
func TestCrossedLook(t *testing.T) {
	all := verdicts(New(programs(t, crossed), Options{}, nil))
	assert.NotContains(t, all["(*Nodes).Decides"], absint.Verified.String())
}
