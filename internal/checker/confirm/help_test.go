package confirm

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHelp: whatever cannot run, the line to write names a type.
func TestHelp(t *testing.T) {
	const source = `package p

import "context"

type Table struct{}

type Conn interface{ Close() }

func (t *Table) Visit(name string) {}

func Serve(ctx context.Context, conn Conn, retries int) {}

func Fill(ctx context.Context, names []string) {}

func Wait(context.Context) {}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	_, err = conf.Check("p", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	want := map[string]string{
		"Visit": "; a function of the package makes one for which it does: //mapatom:harness above func makeTableForMapatom() *Table",
		"Serve": "; a function of the package makes a value of its conn for which it does: //mapatom:harness above func makeConnForMapatom() Conn",
		"Fill":  "; a function of the package makes a value of its names for which it does: //mapatom:harness above func makeNamesForMapatom() []string",
		"Wait":  "; it has no arguments that could be made in another way",
	}
	for id, obj := range info.Defs {
		if fn, ok := obj.(*types.Func); ok && want[id.Name] != "" {
			assert.Equal(t, want[id.Name], help(fn))
			_, line := maker(fn)
			assert.True(t, strings.HasSuffix(more(fn), line), more(fn))
			delete(want, id.Name)
		}
	}
	assert.Empty(t, want)
}
