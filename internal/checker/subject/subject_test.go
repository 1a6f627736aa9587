package subject

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mapatom/mapatom/checker/lineup"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// standard has the packages of the standard library, each checked once.
var standard = importer.ForCompiler(token.NewFileSet(), "source", nil)

// packageOf type-checks one file.
func packageOf(t testing.TB, source string) *types.Package {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "box.go", source, 0)
	require.NoError(t, err)
	config := types.Config{Importer: standard}
	pkg, err := config.Check("example.com/box", fset, []*ast.File{f}, nil)
	require.NoError(t, err)
	return pkg
}

// compiles checks a generated file together with the package that it is for.
// What package lineup has is declared here, so that the test needs no build.
func compiles(t *testing.T, pkg *types.Package, box string, source []byte) {
	fset := token.NewFileSet()
	var files []*ast.File
	for name, text := range map[string]string{"box.go": box, "mapatom_test.go": string(source)} {
		f, err := parser.ParseFile(fset, name, text, 0)
		require.NoError(t, err, text)
		files = append(files, f)
	}
	config := types.Config{Importer: lineupImporter{t, standard}}
	_, err := config.Check(pkg.Path(), fset, files, nil)
	require.NoError(t, err, string(source))
}

type lineupImporter struct {
	t    *testing.T
	rest types.Importer
}

func (i lineupImporter) Import(path string) (*types.Package, error) {
	if path != lineupPath {
		return i.rest.Import(path)
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lineup.go", `package lineup
import "testing"
type Call struct { Method string; Args []string }
type Invocation struct { Call; Do func(any) []any }
type Subject struct { Name string; New func() any; Invocations []Invocation }
type Unordered []any
func Bag[T any](list []T) Unordered { return nil }
func Serve(t *testing.T, s Subject, models ...Subject) {}
func Check(t *testing.T, s Subject, tests ...string) {}
func CheckAgainst(t *testing.T, s, model Subject, tests ...string) {}
`, 0)
	require.NoError(i.t, err)
	config := types.Config{Importer: i.rest}
	return config.Check(path, fset, []*ast.File{f}, nil)
}

// TestGolden writes the harness of each archive's type and compares: the
// first lines of the comment are the type and the options, one a line.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file) })
	}
}

func golden(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	require.NoError(t, err)
	require.Len(t, archive.Files, 2)
	box := string(archive.Files[0].Data)
	pkg := packageOf(t, box)
	name, opts, calls, model := settings(t, string(archive.Comment))
	place := Place{Path: pkg.Path(), Name: pkg.Name(), Scope: pkg.Scope()}
	h, err := New(pkg, name, place, opts, calls)
	if err == nil && model != "" {
		err = h.Against(pkg, model)
	}
	got := ""
	if err != nil {
		got = "error: " + err.Error() + "\n"
	} else {
		source, err := h.Source("TestMapatom", false)
		require.NoError(t, err)
		compiles(t, pkg, box, source)
		got = "// made by: " + h.New + "\n"
		for _, l := range h.LeftOut {
			got += "// left out: " + l.Method + ": " + l.Reason + "\n"
		}
		got += string(source)
	}
	if *update {
		archive.Files[1].Data = []byte(got)
		require.NoError(t, os.WriteFile(file, txtar.Format(archive), 0o666))
	}
	require.Equal(t, string(archive.Files[1].Data), got)
}

// settings reads the comment of an archive.
func settings(t *testing.T, comment string) (name string, opts Options, calls []lineup.Call, model string) {
	for line := range strings.Lines(comment) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		switch key {
		case "type":
			name = value
		case "new":
			opts.Constructor = value
		case "args":
			opts.TypeArgs = strings.Split(value, ",")
		case "methods":
			opts.Methods = strings.Split(value, ",")
		case "skip":
			opts.Skip = strings.Split(value, ",")
		case "unordered":
			opts.Unordered = strings.Split(value, ",")
		case "values":
			typ, list, _ := strings.Cut(value, "=")
			opts.Values = map[string][]string{typ: strings.Split(list, ",")}
		case "against":
			model = value
		case "calls":
			var err error
			calls, err = lineup.ParseCalls(value)
			require.NoError(t, err)
		}
	}
	return name, opts, calls, model
}

// TestDropIns checks that the file of an instrumented package means by sync
// what that package does.
func TestDropIns(t *testing.T) {
	pkg := packageOf(t, "package box\n\nimport \"sync\"\n\ntype Box struct{}\n\nfunc (b *Box) Put(g *sync.WaitGroup) {}\n")
	for instrumented, path := range map[bool]string{false: `"sync"`, true: `"github.com/mapatom/mapatom/checker/sched/sync"`} {
		h, err := New(pkg, "Box", Place{Path: pkg.Path(), Name: pkg.Name(), Scope: pkg.Scope()}, Options{}, nil)
		require.NoError(t, err)
		source, err := h.Source("TestMapatom", instrumented)
		require.NoError(t, err)
		require.Contains(t, string(source), path)
		require.Contains(t, string(source), "sync.WaitGroup{}")
	}
}
