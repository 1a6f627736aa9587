package fix

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/check"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

// A method for each rule, which it rewrites, and one like it, for which there is no fix.
const ruled = `package rules

import (
	"sync"
	"sync/atomic"
)

type conn struct { mu sync.Mutex; id string; old bool }

func (c *conn) close() { c.mu.Lock(); c.old = true; c.mu.Unlock() }

var log func(string)

type Pool struct{ M sync.Map }

func (p *Pool) F1(id string) *conn {
	v, ok := p.M.Load(id)
	if !ok {
		return nil
	}
	p.M.Delete(id)
	return v.(*conn)
}

func (p *Pool) NotF1(id string) *conn {
	v, ok := p.M.Load(id)
	if !ok {
		return nil
	}
	log(id)
	p.M.Delete(id)
	return v.(*conn)
}

func (p *Pool) F2(c *conn) {
	if v, ok := p.M.Load(c.id); ok && v == c {
		p.M.Delete(c.id)
	}
}

func (p *Pool) NotF2(id string) {
	if v, ok := p.M.Load(id); ok && v.(*conn).old {
		log(id)
		p.M.Delete(id)
	}
}

func (p *Pool) F3(id string) {
	if v, ok := p.M.Load(id); ok && v.(*conn).old {
		p.M.Delete(id)
		v.(*conn).close()
	}
}

func (p *Pool) NotF3(id string) {
	if v, ok := p.M.Load(id); ok && v.(*conn).old {
		v.(*conn).close()
		p.M.Delete(id)
	}
}

func (p *Pool) F4(id string) *conn {
	if v, ok := p.M.Load(id); ok {
		return v.(*conn)
	}
	c := &conn{id: id}
	p.M.Store(id, c)
	return c
}

func (p *Pool) NotF4(id string) *conn {
	if v, ok := p.M.Load(id); ok {
		return v.(*conn)
	}
	c := &conn{id: id}
	p.M.Store(id, c)
	log(id)
	return c
}

func (p *Pool) F5(id string, c *conn) {
	if _, ok := p.M.Load(id); !ok {
		p.M.Store(id, c)
	}
}

func (p *Pool) NotF5(id string, dial func() *conn) {
	if _, ok := p.M.Load(id); !ok {
		p.M.Store(id, dial())
	}
}

func (p *Pool) F6(id string, c *conn) {
	if _, ok := p.M.Load(id); !ok {
		p.M.Store(id, c)
		log(id)
	}
}

func (p *Pool) NotF6(id string, dial func() *conn) {
	if _, ok := p.M.Load(id); !ok {
		p.M.Store(id, dial())
		log(id)
	}
}

type Flag struct{ On atomic.Bool }

func (f *Flag) F7() bool {
	if f.On.Load() {
		return false
	}
	f.On.Store(true)
	return true
}

func (f *Flag) NotF7() bool {
	if f.On.Load() {
		return false
	}
	log("on")
	f.On.Store(true)
	return true
}

type Gauge struct{ N atomic.Int64 }

func (g *Gauge) F8(n int64) { g.N.Store(g.N.Load() + n) }

type Conns struct {
	mu sync.RWMutex
	m  map[string]*conn
}

func (c *Conns) F9(id string) *conn {
	c.mu.RLock()
	v, ok := c.m[id]
	c.mu.RUnlock()
	if !ok {
		v = &conn{id: id}
		c.mu.Lock()
		c.m[id] = v
		c.mu.Unlock()
	}
	return v
}

func (c *Conns) NotF9(id string, dial func() *conn) *conn {
	c.mu.RLock()
	v, ok := c.m[id]
	c.mu.RUnlock()
	if !ok {
		v = dial()
		c.mu.Lock()
		c.m[id] = v
		c.mu.Unlock()
	}
	return v
}

func (g *Gauge) NotF8(next func(int64) int64) { g.N.Store(next(g.N.Load())) }
`

func TestRules(t *testing.T) {
	pass := passtest.New(t).Pass("example.com/rules", ruled)
	require.Empty(t, pass.TypeErrors)
	pass.ReadFile = func(string) ([]byte, error) { return []byte(ruled), nil }
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	c := check.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs), check.Options{}, nil)
	found := c.Extensions()
	got := map[string]string{}
	for _, x := range found {
		name := x.In.Fn.Name()
		got[name] += "" // seen
		if rule, fixes := suggest(c, x.Finding, found); len(fixes) > 0 {
			got[name] += rule
		}
	}
	for _, r := range Rules() {
		assert.Equal(t, r.ID, got[r.ID])
		rule, is := got["Not"+r.ID]
		assert.True(t, is && rule != r.ID, "%s: %q", r.ID, rule)
	}
}

// TestRulesAreDocumented compares the table with that of docs/rules.md, both ways.
func TestRulesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/rules.md")
	require.NoError(t, err)
	var want []string
	for _, r := range Rules() {
		want = append(want, fmt.Sprintf("| %s | %s |", r.ID, r.Says))
	}
	assert.Equal(t, strings.Join(want, "\n"), strings.Join(regexp.MustCompile(`(?m)^\| F\d+ .*\|$`).FindAllString(string(page), -1), "\n"),
		"the table of docs/rules.md has what the table of rules.go says, in the same order")
}
