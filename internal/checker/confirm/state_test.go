package confirm

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/gosource"
)

const shapes = "github.com/mapatom/mapatom/testdata/shapes/"

// TestState: an object without a constructor has what no code of its package
// makes, and nothing else.
func TestState(t *testing.T) {
	for _, c := range []struct {
		path, object string
		want         []string // in one of the objects
		never        string   // in none
		zero         bool     // the zero value is one of them
	}{
		{"idioms/ownerslock/bug", "Tree", []string{"o.nodes = []*node{", "o.limit = 1"}, "o.mu", true},
		{"maps/loopbetween/bug", "Groups", []string{`o.allowed = []string{"a", "b", "a.b", }`}, "o.groups", true},
		{"sections/guards/generic/bug", "Budget", []string{"o.guard.value.left = 1"}, "", true},
		{"sections/sweep/idle/bug", "Pool", []string{"idle: true", "x.closed = make("}, "", false},
		{"sections/guards/sharded/bug", "Map", []string{"o.shards[0].m = ", "o.shards[15].m = "}, "o.shards[16]", true},
		{"sections/owntype/reservations/bug", "Hall", []string{"o.taken = func() *Set {", "x.m = "}, "", true},
		{"sections/closures/parallel/bug", "Totals", []string{"o.m = map[string]int{"}, "", false},
		{"sections/state/started/bug", "Agent", []string{"o.loop = func() () { trial.Ran(world)"}, "o.started", true},
	} {
		t.Run(c.path, func(t *testing.T) {
			h, named := writerOf(t, shapes+c.path, c.object)
			made := h.zero(named)
			for _, want := range c.want {
				assert.Contains(t, made.code, want)
			}
			if c.never != "" {
				assert.NotContains(t, made.code, c.never)
			}
			assert.Equal(t, c.zero, made.words[0][0] == "zero value", made.words)
		})
	}
}

// writerOf is a writer for a package, and one of its types.
func writerOf(t *testing.T, path, object string) (*writer, *types.Named) {
	w, err := loadWorld(t.Context(), "", []string{path})
	require.NoError(t, err)
	pkg := w.packages[path]
	file := gosource.NewFile(path, pkg.Name, pkg.Types.Scope())
	values := &gosource.Values{File: file, Leaves: leaves, Most: 3, Hollow: true, Runs: file.Import(trialPath) + ".Ran"}
	named, ok := pkg.Types.Scope().Lookup(object).Type().(*types.Named)
	require.True(t, ok)
	return &writer{Values: values, pkg: pkg, f: &Finding{Package: path}}, named
}

// TestHanded: who calls an operation that stands in a function literal.
func TestHanded(t *testing.T) {
	for path, want := range map[string]string{
		"maps/timerdelete/bug": "time.AfterFunc", "sections/closures/parallel/bug": "(*golang.org/x/sync/errgroup.Group).Go", "maps/goroutineexit/bug": "",
	} {
		w, err := loadWorld(t.Context(), "", []string{shapes + path})
		require.NoError(t, err)
		pkg := w.packages[shapes+path]
		var ops []Operation
		for _, file := range pkg.Syntax {
			name := pkg.Fset.Position(file.Pos()).Filename
			for line := range pkg.Fset.Position(file.End()).Line {
				ops = append(ops, Operation{Name: "any", File: name, Line: line + 1})
			}
		}
		var got []string
		pkg.handed(ops, func(fn *types.Func) { got = append(got, fn.FullName()) })
		if want == "" {
			assert.Empty(t, got, path)
		} else {
			assert.Equal(t, []string{want}, got, path)
		}
		assert.Equal(t, want == "time.AfterFunc", pkg.later(ops), path)
	}
}
