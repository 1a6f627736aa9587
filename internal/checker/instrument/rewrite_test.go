package instrument

import (
	"flag"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestRewrite compares the rewritten source with the golden one: each archive
// has a file in.go and what becomes of it. Its comment says memory if plain
// reads and writes are steps.
func TestRewrite(t *testing.T) {
	files, err := filepath.Glob("testdata/rewrite/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			require.NoError(t, err)
			in := ar.Files[0]
			out := rewritten(t, in.Data, filepath.Base(file)[:6] == "memory")
			require.Equal(t, lines(in.Data), lines(out), "lines are kept")
			if *update {
				ar.Files = append(ar.Files[:1], txtar.File{Name: "out.go", Data: out})
				require.NoError(t, os.WriteFile(file, txtar.Format(ar), 0o666))
				return
			}
			require.Equal(t, string(ar.Files[1].Data), string(out))
		})
	}
}

// rewritten rewrites a file that imports the standard library only.
func rewritten(t *testing.T, source []byte, memory bool) []byte {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "in.go", source, parser.ParseComments)
	require.NoError(t, err)
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{},
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	_, err = conf.Check("in", fset, []*ast.File{f}, info)
	require.NoError(t, err)
	w := &rewriter{edits: edits{file: fset.File(f.FileStart)}, syntax: f, info: info, goMod: "go1.26", root: checkerPath, memory: memory}
	out := w.rewrite(source)
	_, err = parser.ParseFile(fset, "out.go", out, 0)
	require.NoError(t, err, "%s", out)
	out = append(out, comment(w.left)...)
	return out
}

func comment(left []string) []byte {
	var b []byte
	for _, l := range left {
		b = append(b, "// left: "+l+"\n"...)
	}
	return b
}

// lines counts the lines of source, without what comment has added.
func lines(source []byte) int {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", source, 0)
	if err != nil {
		return -1
	}
	return fset.Position(f.End()).Line
}
