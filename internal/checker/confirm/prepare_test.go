package confirm

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
	"github.com/mapatom/mapatom/internal/checker/gosource"
	"github.com/mapatom/mapatom/internal/checker/workplace"
)

// pages is a package of which the structs point to each other.
const pages = `package m

import "sync"

type Browser struct {
	front *Page
	names map[string]string
}

type Page struct {
	root    *Page
	browser *Browser
	frame   *Frame
	visits  sync.Map
}

type Frame struct {
	page  *Page
	first *Node
}

type Node struct{ frame *Frame }

func (p *Page) Visit(name string) {
	v, _ := p.visits.Load(name)
	n, _ := v.(int)
	p.visits.Store(name, n+1)
}
`

// pagesIn writes the package, and gives a finding in it.
func pagesIn(t *testing.T) (dir string, f Finding) {
	dir = workplace.New(t, "prepare")
	file := filepath.Join(dir, "pages.go")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n\ngo 1.22\n"), 0o644))
	require.NoError(t, os.WriteFile(file, []byte(pages), 0o644))
	f = Finding{Package: "example.com/m", Function: "(*Page).Visit", Category: "lost-update"}
	for i, line := range strings.Split(pages, "\n") {
		for _, name := range []string{"Load", "Store"} {
			if strings.Contains(line, "."+name+"(") {
				f.Operations = append(f.Operations, Operation{Name: name, File: file, Line: i + 1})
			}
		}
	}
	require.Len(t, f.Operations, 2)
	return dir, f
}

// TestRecursive: structs that point to each other are filled as far as there are other
// structs in them: the page of a frame of a page is a new one.
func TestRecursive(t *testing.T) {
	dir, f := pagesIn(t)
	w, err := loadWorld(t.Context(), dir, []string{f.Package})
	require.NoError(t, err)
	pkg := w.packages[f.Package]
	file := gosource.NewFile(f.Package, pkg.Name, pkg.Types.Scope())
	h := &writer{Values: &gosource.Values{File: file, Leaves: leaves, Most: 3, Hollow: true}, pkg: pkg, f: &f}
	made := h.zero(named(pkg.Types.Scope().Lookup("Page").Type()))
	assert.Empty(t, h.filling)
	assert.Contains(t, made.code, "o.root = func() *Page {\nx := &Page{}\n")
	assert.Contains(t, made.code, "o.browser = func() *Browser {\nx := &Browser{}\n")
	assert.Contains(t, made.code, "x.names = map[string]string")
	assert.Contains(t, made.code, "x.frame = &Frame{}\n", "the frame of the first node of a frame")
	assert.Contains(t, made.code, "x.root = &Page{}\n", "the page of a page")
}

// TestTime: what is prepared has its time as well, and who ends the whole ends that.
func TestTime(t *testing.T) {
	dir, f := pagesIn(t)
	t.Run("preparation", func(t *testing.T) {
		results, err := Run(t.Context(), []Finding{f, f}, Options{Dir: dir, Time: time.Minute, Preparation: 6 * time.Nanosecond})
		require.NoError(t, err)
		require.Len(t, results, 2)
		for _, r := range results {
			assert.Equal(t, trial.CannotRun, r.Verdict)
			assert.Equal(t, "the packages were not loaded and rewritten within 6ns; -time=1ns gives this twice as much", r.Reason)
			assert.Zero(t, r.Executions)
		}
	})
	t.Run("end", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w, err := loadWorld(ctx, dir, []string{f.Package})
		require.NoError(t, err)
		cancel()
		_, err = w.harness(ctx, &f, 0)
		assert.ErrorIs(t, err, context.Canceled)
		_, err = Run(ctx, []Finding{f}, Options{Dir: dir})
		assert.ErrorIs(t, err, context.Canceled)
	})
}

// TestLastWords: what a process printed before it ended is told by the line that says why.
func TestLastWords(t *testing.T) {
	assert.Equal(t, "no folder", lastWords("reading settings\nno folder\n"))
	assert.Equal(t, "panic: no folder", lastWords("reading settings\npanic: no folder\n\ngoroutine 1 [running]:\n\tmain.go:3\n"))
	assert.Equal(t, "", lastWords(""))
}
