package fix

import (
	"fmt"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer/internal/check"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
	"github.com/mapatom/mapatom/analyzer/internal/judge"
	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
)

const unfixed = `package sessions

import "sync"

type session struct{ id string }

type Store struct{ m, other sync.Map }

func (r *Store) Put(id string, s *session) { r.m.Store(id, s) }

func (r *Store) Other(id string, s *session) { r.other.Store(id, s) }

func (r *Store) Open(id string) *session {
	if v, ok := r.m.Load(id); ok {
		return v.(*session)
	}
	s := &session{id: id}
	r.m.Store(id, s)
	return s
}

func (r *Store) Drop(s *session) {
	if v, ok := r.m.Load(s.id); ok && v == s {
		r.m.Delete(s.id)
	}
}
`

// extensionOf analyses a package of one file and finds the extension of one of
// its functions.
func extensionOf(t *testing.T, src, function string) (*check.Package, *judge.Finding, []evidence.Weighed) {
	t.Helper()
	pass := passtest.New(t).Pass("example.com/sessions", src)
	require.Empty(t, pass.TypeErrors)
	pass.ReadFile = func(string) ([]byte, error) { return []byte(src), nil }
	pkg, funcs, err := ssaprog.BuildSSA(pass)
	require.NoError(t, err)
	c := check.New(ssaprog.Lower(pass, catalog.Default(), pkg, funcs), check.Options{}, nil)
	found := c.Extensions()
	for _, x := range found {
		if x.Function() == function {
			return c, x.Finding, found
		}
	}
	require.Fail(t, "no extension in "+function)
	return nil, nil, nil
}

// TestVerifies has edits that leave the finding or bring another one, that do
// not compile, and one that is right.
func TestVerifies(t *testing.T) {
	c, x, found := extensionOf(t, unfixed, "(*Store).Open")
	f := newFixer(c, x, found)
	require.NotNil(t, f)
	const stmt = "r.m.Store(id, s)\n\treturn s"
	at := f.file.FileStart
	for text, want := range map[string]bool{
		"actual, _ := r.m.LoadOrStore(id, s)\n\treturn actual.(*session)": true,
		"r.m.LoadOrStore(id, s)\n\treturn s":                              false,
		"r.m.Swap(id, s)\n\treturn s":                                     false,
		"actual, _ := r.m.LoadOrStore(id, s)\n\treturn s":                 false,
		"actual, _ := r.m.LoadOrStore(id, s)\n\treturn actual.(*missing)": false,
		"actual, _ := r.m.LoadOrStore(id, s)\n\treturn actual.(*session":  false,
		"actual, _ := r.m.LoadOrStore(id, s)\n" +
			"if v, ok := r.other.Load(id); ok { return v.(*session) }\n" +
			"r.other.Store(id, s)\nreturn actual.(*session)": false,
	} {
		from := at + token.Pos(strings.Index(unfixed, stmt))
		edit, ok := f.edit([]splice{{from, from + token.Pos(len(stmt)), text}})
		assert.Equal(t, want, ok && f.verifies(edit), text)
	}
}

// TestRetryKeepsJumps has statements that would go elsewhere from inside of a
// loop, or would be done more than once in it.
func TestRetryKeepsJumps(t *testing.T) {
	const frame = "package gauge\nimport \"sync/atomic\"\n" +
		"type Gauge struct { N atomic.Int64; log []int64 }\n" +
		"func (g *Gauge) Raise(limits []int64, next func(int64) int64) {\n%s\n}\n"
	for body, want := range map[string]bool{
		"n := g.N.Load()\ng.N.Store(n + limits[0])":                                                        true,
		"n := g.N.Load()\nif n > limits[0] { next(n); return }\ng.N.Store(limits[0])":                      true,
		"for _, limit := range limits {\nif g.N.Load() > limit { continue }\ng.N.Store(limit)\n}":          false,
		"n := g.N.Load()\nfor _, limit := range limits { n += limit }\ng.N.Store(n)":                       false,
		"if g != nil && g.N.Load() < 5 { g.N.Store(5) }":                                                   false,
		"if g.N.Load() < 5 && g != nil { g.N.Store(5) }":                                                   true,
		"if g := g; g.N.Load() < 5 { g.N.Store(5) }":                                                       false,
		"if limits != nil { if g.N.Load() < 5 { g.N.Store(5) } }":                                          true,
		"if limits == nil { return } else if g.N.Load() < 5 { g.N.Store(5) }":                              false,
		"g.N.Store(next(g.N.Load()))":                                                                      false,
		"n := g.N.Load()\ng.log = append(g.log, n)\ng.N.Store(n + limits[0])":                              false,
		"n := g.N.Load()\ndefer next(n)\ng.N.Store(n + limits[0])":                                         false,
		"sum := int64(0)\nn := g.N.Load()\nsum += n\ng.N.Store(sum)":                                       false,
		"n := g.N.Load()\ng.N.Store(n + limits[0])\nnext(n)":                                               false,
		"if n := g.N.Load(); n > 0 { goto done }\ng.N.Store(limits[0])\ndone:":                             false,
		"n := g.N.Load()\nfunc() { g.N.Store(n + limits[0]) }()":                                           false,
		"n := g.N.Load()\nif n < limits[0] { g.N.Store(limits[0]) } else { g.N.Store(n + limits[0]) }":     false,
		"n := g.N.Load()\nif n < limits[0] { if limits[0] > 1 { g.N.Store(limits[0]) } }\nnext(limits[0])": true,
	} {
		c, x, found := extensionOf(t, fmt.Sprintf(frame, body), "(*Gauge).Raise")
		f := newFixer(c, x, found)
		require.NotNil(t, f, body)
		_, ok := f.retryLoop()
		assert.Equal(t, want, ok, body)
	}
}

// TestFixesNeedVersion has a module that asks for less than the fix uses.
func TestFixesNeedVersion(t *testing.T) {
	c, x, found := extensionOf(t, unfixed, "(*Store).Drop")
	require.Len(t, Suggest(c, x, found), 1)
	for _, file := range c.Ps.Pass.Files {
		c.Ps.Pass.TypesInfo.FileVersions[file] = "go1.19"
	}
	assert.Empty(t, Suggest(c, x, found))
}

// TestFixesNeedSource has a file that changed since it was parsed.
func TestFixesNeedSource(t *testing.T) {
	c, x, found := extensionOf(t, unfixed, "(*Store).Drop")
	c.Ps.Pass.ReadFile = func(string) ([]byte, error) { return []byte(unfixed + "\n"), nil }
	assert.Empty(t, Suggest(c, x, found))
}

// TestFixesLeaveThePass has the analysis of the fixed package do nothing to
// the pass of the first one.
func TestFixesLeaveThePass(t *testing.T) {
	c, x, found := extensionOf(t, unfixed, "(*Store).Open")
	files, pkg, info := c.Ps.Pass.Files[0], c.Ps.Pass.Pkg, c.Ps.Pass.TypesInfo
	first := Suggest(c, x, found)
	require.Len(t, first, 1)
	assert.Same(t, files, c.Ps.Pass.Files[0])
	assert.Same(t, pkg, c.Ps.Pass.Pkg)
	assert.Same(t, info, c.Ps.Pass.TypesInfo)
	assert.Equal(t, first, Suggest(c, x, found))
}

func TestChangedLines(t *testing.T) {
	for _, c := range []struct {
		a, b, text string
		from, to   int
	}{
		{"a\nb\nc\n", "a\nx\nc\n", "x\n", 2, 4},
		{"a\nb\nc\n", "a\nc\n", "", 2, 4},
		{"a\na\n", "a\na\na\n", "a\n", 4, 4},
		{"a\nb", "a\nb\n", "b\n", 2, 3},
	} {
		from, to, text := changedLines([]byte(c.a), []byte(c.b))
		assert.Equal(t, c.b, c.a[:from]+string(text)+c.a[to:])
		assert.Equal(t, []any{c.from, c.to, c.text}, []any{from, to, string(text)}, "%q", c.a)
	}
}
