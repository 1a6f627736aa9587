package ssaprog

import (
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/passtest"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// load analyses a package and exports its facts.
func load(w *passtest.World, path string, srcs ...string) *Programs {
	w.T.Helper()
	pass := w.Pass(path, srcs...)
	require.Empty(w.T, pass.TypeErrors)
	pkg, funcs, err := BuildSSA(pass)
	require.NoError(w.T, err)
	ps := Lower(pass, catalog.Default(), pkg, funcs)
	ps.ExportFacts()
	require.Empty(w.T, ps.errs)
	return ps
}

// loadTestdata analyses a package of testdata/src, after those of testdata/src
// that it imports.
func loadTestdata(w *passtest.World, path string) *Programs {
	w.T.Helper()
	files, err := filepath.Glob(filepath.Join("../../testdata/src", path, "*.go"))
	require.NoError(w.T, err)
	var srcs []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		require.NoError(w.T, err)
		srcs = append(srcs, string(src))
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ImportsOnly)
		require.NoError(w.T, err)
		for _, spec := range file.Imports {
			imp := strings.Trim(spec.Path.Value, `"`)
			if _, err := os.Stat(filepath.Join("../../testdata/src", imp)); err == nil && w.Pkgs[imp] == nil {
				loadTestdata(w, imp)
			}
		}
	}
	return load(w, path, srcs...)
}

// function finds a function by its name in go doc.
func (ps *Programs) function(t testing.TB, name string) *ssa.Function {
	t.Helper()
	for _, fn := range ps.Funcs {
		if FuncDocName(fn) == name {
			return fn
		}
	}
	require.Fail(t, "no function "+name)
	return nil
}

// text is a function's program after inlining, without positions.
func (ps *Programs) text(t testing.TB, name string) string {
	t.Helper()
	p := ps.Inlined(ps.function(t, name))
	require.NotNil(t, p, name)
	require.NoError(t, register.Check(p))
	q := p.Clone()
	relocate(q, register.Pos{})
	return q.String()
}

// baseOps lists the operations of a function's program: the word of each, its
// cell, and what the source calls it.
func (ps *Programs) baseOps(t testing.TB, name string) []string {
	t.Helper()
	p := ps.Inlined(ps.function(t, name))
	require.NotNil(t, p, name)
	var ops []string
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() {
				ops = append(ops, baseWord(in)+" "+p.Cells[in.Cell].Label+" "+ps.Res.OpName(in.Pos).Name)
			}
		}
	}
	return ops
}

func noObjectFact(types.Object, analysis.Fact) bool { return false }

func noPackageFact(*types.Package, analysis.Fact) bool { return false }
