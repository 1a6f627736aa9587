package main

import (
	"bufio"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/driver"
	"github.com/mapatom/mapatom/internal/load"
)

const shapesDir = "../../testdata/shapes"

// TestShapes: each package of testdata/shapes whose directory is called bug has a
// finding of medium confidence at least, and none called right has one, but for those
// that gaps.txt lists. By default some of the atomics need high confidence.
func TestShapes(t *testing.T) {
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, shapesDir+"/...")
	require.NoError(t, err)
	graph, err := driver.Analyze(t.Context(), analyzer.New(analyzer.Options{Confidence: analyzer.ConfidenceMedium}), pkgs, driver.Options{})
	require.NoError(t, err)
	var wrong []string
	sides := map[string][]string{}
	for _, act := range graph.Roots {
		require.NoError(t, act.Err, act.Package.Errors)
		dir := filepath.ToSlash(act.Package.PkgPath)
		_, dir, ok := strings.Cut(dir, "testdata/shapes/")
		require.True(t, ok, dir)
		shape, side := filepath.Split(dir)
		switch side {
		case "bug", "right":
			sides[shape] = append(sides[shape], side)
		default: // it is there for the others
			assert.Empty(t, act.Diagnostics, dir)
			continue
		}
		if (side == "bug") != (len(act.Diagnostics) > 0) {
			wrong = append(wrong, dir)
		}
	}
	for shape, both := range sides {
		assert.Len(t, both, 2, "%s has one side only", shape)
	}
	slices.Sort(wrong)
	gaps := readGaps(t)
	for _, dir := range wrong {
		if slices.Contains(gaps, dir) {
			continue
		}
		if strings.HasSuffix(dir, "/bug") {
			t.Errorf("%s: nothing is reported", dir)
		} else {
			t.Errorf("%s: something is reported", dir)
		}
	}
	for _, dir := range gaps {
		assert.Contains(t, wrong, dir, "is a gap no more; take it out of gaps.txt")
	}
	t.Logf("%d shapes, %d of %d packages are as they should be", len(sides), 2*len(sides)-len(wrong), 2*len(sides))
}

// quiet are the bugs that are not in the report of the default: on a lone atomic, or a
// field, of which the code shows too little, beside a lock that is the wrong one, where
// nobody is told that a check no longer held, or of which a rule of evidence leaves it open
// whether anybody minds.
var quiet = []string{
	"atomics/drainbatch/bug", "atomics/highwater/bug", "atomics/limit/bug",
	"atomics/state/bug", "idioms/lockperkey/bug", "idioms/ownerslock/bug", "idioms/striped/bug",
	"maps/readback/bug", "sections/closures/flight/bug", "sections/guards/generic/bug", "sections/index/counted/bug",
}

// TestDefaultShapes: by default there is a finding in each package called bug, but for
// those that gaps.txt or quiet has.
func TestDefaultShapes(t *testing.T) {
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, shapesDir+"/...")
	require.NoError(t, err)
	graph, err := driver.Analyze(t.Context(), analyzer.New(analyzer.Options{}), pkgs, driver.Options{})
	require.NoError(t, err)
	gaps := readGaps(t)
	for _, act := range graph.Roots {
		_, dir, _ := strings.Cut(filepath.ToSlash(act.Package.PkgPath), "testdata/shapes/")
		if strings.HasSuffix(dir, "/bug") && !slices.Contains(gaps, dir) {
			assert.Equal(t, !slices.Contains(quiet, dir), len(act.Diagnostics) > 0, dir)
		}
	}
}

// TestDefaultTour: by default there is a finding in each function of the tour that says so,
// of the category that it says, and in no other.
func TestDefaultTour(t *testing.T) {
	pkgs, err := load.Packages(t.Context(), load.Sources, load.Where{}, "../../testdata/tour")
	require.NoError(t, err)
	graph, err := driver.Analyze(t.Context(), analyzer.New(analyzer.Options{}), pkgs, driver.Options{})
	require.NoError(t, err)
	require.Len(t, graph.Roots, 1)
	act := graph.Roots[0]
	found := map[string]string{}
	for _, d := range act.Diagnostics {
		at := act.Package.Fset.Position(d.Pos)
		found[functionAt(t, at.Filename, at.Line)] = d.Category
	}
	require.NotEmpty(t, found)
	assert.Equal(t, bugs(t, act.Package.GoFiles), found)
}

// functions calls visit with each function of a file, and the lines that it is in.
func functions(t *testing.T, file string, visit func(fn *ast.FuncDecl, from, to int)) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.ParseComments)
	require.NoError(t, err)
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			visit(fn, fset.Position(fn.Pos()).Line, fset.Position(fn.End()).Line)
		}
	}
}

// functionAt is the name of the function in a line.
func functionAt(t *testing.T, file string, line int) string {
	t.Helper()
	name := ""
	functions(t, file, func(fn *ast.FuncDecl, from, to int) {
		if from <= line && line <= to {
			name = filepath.Base(file) + " " + fn.Name.Name
		}
	})
	return name
}

// bugs are the functions of which a comment says that they have one, with its category.
func bugs(t *testing.T, files []string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, file := range files {
		functions(t, file, func(fn *ast.FuncDecl, _, _ int) {
			if fn.Doc == nil {
				return
			}
			for _, c := range fn.Doc.List {
				if category, ok := strings.CutPrefix(c.Text, "//tour:bug "); ok {
					out[filepath.Base(file)+" "+fn.Name.Name] = category
				}
			}
		})
	}
	return out
}

// readGaps reads the packages of which the verdict is not yet what it should be.
func readGaps(t *testing.T) []string {
	f, err := os.Open(shapesDir + "/gaps.txt")
	require.NoError(t, err)
	defer f.Close()
	var gaps []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if line := lines.Text(); line != "" && !strings.HasPrefix(line, "#") {
			gaps = append(gaps, line)
		}
	}
	assert.True(t, slices.IsSorted(gaps), "gaps.txt is sorted")
	return gaps
}

// TestShapesAreListed: the README has a line for each shape, and no other.
func TestShapesAreListed(t *testing.T) {
	text, err := os.ReadFile(shapesDir + "/README.md")
	require.NoError(t, err)
	var listed, there []string
	for line := range strings.Lines(string(text)) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "| `"), "`"); ok && strings.HasPrefix(line, "| `") {
			listed = append(listed, name)
		}
	}
	for _, pattern := range []string{"/*/*/bug", "/*/*/*/bug"} {
		dirs, err := filepath.Glob(shapesDir + pattern)
		require.NoError(t, err)
		for _, dir := range dirs {
			rel, err := filepath.Rel(shapesDir, filepath.Dir(dir))
			require.NoError(t, err)
			there = append(there, filepath.ToSlash(rel))
		}
	}
	assert.ElementsMatch(t, there, listed)
}
