package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNilPassed: where the package passes nil to the helper that fills a map, or what it has looked up or taken out of
// an atomic that nobody has filled at first, there can be a nil in it, and two calls each remove the entry that the other one has found to be nil. Where it never does, no
// entry is nil.
func TestNilPassed(t *testing.T) {
	const head = `
type node struct{ n int }

type store struct {
	mu sync.Mutex
	m  map[string]*node
}

func (w *store) load(k string) (*node, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.m[k]
	return v, ok
}

func (w *store) loadOrStore(k string, v *node) (*node, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if old, ok := w.m[k]; ok {
		return old, true
	}
	w.m[k] = v
	return v, false
}

func (w *store) compareAndDelete(k string, old *node) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	v, ok := w.m[k]
	if ok && v == old {
		delete(w.m, k)
		return true
	}
	return false
}

type Pairs struct{ s store }

func (p *Pairs) Drop(k, other string) bool {
	v, ok := p.s.load(k)
	if !ok || v != nil {
		return true
	}
	return !p.s.compareAndDelete(other, v)
}
`
	const atomics = `
type Now struct {
	Pairs
	c atomic.Pointer[node]
}
`
	for name, c := range map[string]struct{ src, want string }{
		"nil":                             {head + "func (p *Pairs) Add(k string) { p.s.loadOrStore(k, nil) }\n", "violation"},
		"an object":                       {head + "func (p *Pairs) Add(k string) { p.s.loadOrStore(k, &node{}) }\n", "verified"},
		"another one":                     {head + "func (p *Pairs) Add(k string) { v, _ := p.s.load(k + \"x\"); p.s.loadOrStore(k, v) }\n", "violation"},
		"out of an atomic":                {head + atomics + "func (p *Now) Add(k string) { p.s.loadOrStore(k, p.c.Load()) }\n", "violation"},
		"out of one that is filled later": {head + atomics + "func (p *Now) Add(k string) { p.s.loadOrStore(k, p.c.Load()) }\nfunc (p *Now) Set(n *node) { p.c.Store(n) }\n", "violation"},
		"asked before":                    {head + atomics + "func (p *Now) Add(k string) { if v := p.c.Load(); v != nil { p.s.loadOrStore(k, v) } }\n", "verified"},
		"out of a filled one": {head + atomics + "func New(n *node) *Now { p := &Now{}; p.c.Store(n); return p }\n" +
			"func (p *Now) Add(k string) { p.s.loadOrStore(k, p.c.Load()) }\n", "verified"},
	} {
		t.Run(name, func(t *testing.T) {
			src := "package pairs\n\nimport (\n\"sync\"\n\"sync/atomic\"\n)\n\nvar _ atomic.Bool\n" + c.src
			assert.Equal(t, c.want, verdicts(New(programs(t, src), Options{}, nil))["(*Pairs).Drop"])
		})
	}
}
