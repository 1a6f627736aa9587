package driver

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/internal/load"
)

// marked is a Fact of functions whose name begins with Mark, and of the functions
// that call one.
type marked struct{ By string }

func (*marked) AFact() {}

// mark says how a function is marked.
type mark func(*types.Func) (string, bool)

// ranOn are the packages that the marker ran on.
type ranOn struct {
	mu  sync.Mutex
	all []string
}

func (r *ranOn) add(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, what)
}

// marker reports calls of marked functions. Like mapatom, it leaves Facts to an
// Analyzer that it requires.
func marker(ran *ranOn) *analysis.Analyzer {
	facts := &analysis.Analyzer{
		Name: "marks", Doc: "find marked functions", FactTypes: []analysis.Fact{new(marked)},
		ResultType: reflect.TypeFor[mark](),
		Run: func(pass *analysis.Pass) (any, error) {
			ran.add("facts of " + pass.Pkg.Path())
			for _, f := range pass.Files {
				for _, d := range f.Decls {
					if fn, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Mark") {
						pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], &marked{fn.Name.Name})
					}
				}
			}
			return mark(func(fn *types.Func) (string, bool) {
				var m marked
				ok := pass.ImportObjectFact(fn, &m)
				return m.By, ok
			}), nil
		},
	}
	return &analysis.Analyzer{
		Name: "marker", Doc: "report calls of marked functions", URL: "https://example.com/marker",
		Requires: []*analysis.Analyzer{facts}, ResultType: reflect.TypeFor[*calls](),
		Run: func(pass *analysis.Pass) (any, error) {
			ran.add(pass.Pkg.Path())
			result := &calls{}
			for id, obj := range pass.TypesInfo.Uses {
				fn, ok := obj.(*types.Func)
				if !ok || fn.Pkg() == pass.Pkg {
					continue
				}
				if by, ok := pass.ResultOf[facts].(mark)(fn); ok {
					result.Names = append(result.Names, by)
					pass.Report(analysis.Diagnostic{Pos: id.Pos(), End: id.End(), Category: "marked", Message: "calls " + by})
				}
			}
			return result, nil
		},
	}
}

// calls is the result of the marker.
type calls struct{ Names []string }

// testModule writes files of a module, and returns a function that analyses packages
// of it and says what was found and which packages the Analyzer ran on.
func testModule(t *testing.T, files map[string]string) func(patterns ...string) (found, ran []string) {
	dir, store := t.TempDir(), t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	for name, text := range files {
		write(t, dir, name, text)
	}
	t.Chdir(dir)
	return func(patterns ...string) (found, ran []string) {
		pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{Dir: dir}, patterns...)
		require.NoError(t, err)
		s, err := OpenStore(store)
		require.NoError(t, err)
		var on ranOn
		g, err := Analyze(t.Context(), marker(&on), pkgs, Options{Dir: dir, Identity: "test", Store: s})
		require.NoError(t, err)
		for _, act := range g.Roots {
			for _, e := range act.Package.Errors {
				found = append(found, strings.TrimPrefix(e.Pos, dir+"/")+": "+e.Msg)
			}
			for _, d := range act.Diagnostics {
				posn := act.Package.Fset.Position(d.Pos)
				found = append(found, fmt.Sprintf("%s:%d:%d: %s", filepath.Base(posn.Filename), posn.Line, posn.Column, d.Message))
				assert.Equal(t, "https://example.com/marker#marked", d.URL)
			}
			if act.Err == nil {
				assert.Len(t, act.Result.(*calls).Names, len(act.Diagnostics))
			}
		}
		return found, on.all
	}
}

func write(t *testing.T, dir, name, text string) {
	path := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
}

const (
	libText = "package lib\n\nfunc Mark() {}\n"
	useText = "package use\n\nimport \"example.com/m/lib\"\n\nfunc F() { lib.Mark() }\n"
)

// TestKept: what has not changed is not analysed again, neither are the imports of
// what has.
func TestKept(t *testing.T) {
	analyse := testModule(t, map[string]string{"lib/lib.go": libText, "use/use.go": useText, "other/other.go": "package other\n"})
	found, ran := analyse("./use")
	assert.Equal(t, []string{"use.go:5:16: calls Mark"}, found)
	assert.Equal(t, []string{"facts of example.com/m/lib", "facts of example.com/m/use", "example.com/m/use"}, ran)

	again, ran := analyse("./use")
	assert.Equal(t, found, again)
	assert.Empty(t, ran)

	write(t, ".", "use/use.go", strings.Replace(useText, "func", "//\n\nfunc", 1))
	found, ran = analyse("./use", "./other")
	assert.Equal(t, []string{"use.go:7:16: calls Mark"}, found)
	assert.NotContains(t, ran, "facts of example.com/m/lib")
	assert.ElementsMatch(t, []string{"facts of example.com/m/use", "example.com/m/use", "facts of example.com/m/other", "example.com/m/other"}, ran)

	write(t, ".", "lib/lib.go", strings.Replace(libText, "Mark()", "Plain() {}\n\nfunc Mark()", 1))
	found, _ = analyse("./use")
	assert.Equal(t, []string{"use.go:7:16: calls Mark"}, found)

	write(t, ".", "lib/lib.go", "package lib\n\nvar Mark = func() {}\n")
	found, _ = analyse("./use")
	assert.Empty(t, found, "it is not a function any more")
}

// TestBroken: errors are those of the package that has them, in every run, and
// what imports it is not analysed.
func TestBroken(t *testing.T) {
	analyse := testModule(t, map[string]string{
		"lib/lib.go": "package lib\n\nfunc Mark() Missing { return 1 }\n", "use/use.go": useText, "other/other.go": "package other\n",
	})
	for range 2 {
		found, ran := analyse("./lib", "./use")
		assert.Equal(t, []string{"lib/lib.go:3:13: undefined: Missing"}, found)
		assert.Empty(t, ran)
	}
	write(t, ".", "lib/lib.go", libText)
	found, _ := analyse("./lib", "./use")
	assert.Equal(t, []string{"use.go:5:16: calls Mark"}, found)
}

// TestIdentity: another program or other options have other answers.
func TestIdentity(t *testing.T) {
	analyse := testModule(t, map[string]string{"lib/lib.go": libText})
	analyse("./lib")
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, "./lib")
	require.NoError(t, err)
	s, err := OpenStore(t.TempDir())
	require.NoError(t, err)
	for _, c := range []struct {
		identity string
		ran      int
	}{{"one", 2}, {"one", 0}, {"two", 2}} {
		var ran ranOn
		_, err = Analyze(t.Context(), marker(&ran), pkgs, Options{Identity: c.identity, Store: s})
		require.NoError(t, err)
		assert.Len(t, ran.all, c.ran, c.identity)
	}
}

// TestTrim: what nobody has asked for in a long time is removed.
func TestTrim(t *testing.T) {
	testModule(t, map[string]string{"lib/lib.go": libText})
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, "./lib")
	require.NoError(t, err)
	dir := t.TempDir()
	for range 2 {
		s, err := OpenStore(dir)
		require.NoError(t, err)
		var ran ranOn
		_, err = Analyze(t.Context(), marker(&ran), pkgs, Options{Identity: "test", Store: s})
		require.NoError(t, err)
		assert.Len(t, ran.all, 2, "it is analysed, the second time since it was removed")
		age(t, dir)
		s.trim()
	}
}

// age has all files of a directory be as old as if they had been left for ten days,
// and forgets when it was looked through.
func age(t *testing.T, dir string) {
	then := time.Now().Add(-10 * 24 * time.Hour)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		if d.Name() == "trim.txt" {
			return os.Remove(path)
		}
		return os.Chtimes(path, then, then)
	}))
}

// TestCancelled: a run that is interrupted ends.
func TestCancelled(t *testing.T) {
	testModule(t, map[string]string{"lib/lib.go": libText})
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, "./lib")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var ran ranOn
	a := marker(&ran)
	a.Run = func(*analysis.Pass) (any, error) {
		cancel()
		select {} // it never ends
	}
	_, err = Analyze(ctx, a, pkgs, Options{})
	assert.ErrorIs(t, err, context.Canceled)
}

// TestPanic: a panic is an error of one package.
func TestPanic(t *testing.T) {
	testModule(t, map[string]string{"lib/lib.go": libText, "other/other.go": "package other\n"})
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, "./...")
	require.NoError(t, err)
	var ran ranOn
	a := marker(&ran)
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		if pass.Pkg.Name() == "lib" {
			panic("no such thing")
		}
		return run(pass)
	}
	g, err := Analyze(t.Context(), a, pkgs, Options{})
	require.NoError(t, err)
	assert.EqualError(t, g.Roots[0].Err, "internal error: no such thing")
	assert.NoError(t, g.Roots[1].Err)
}
