package directive_test

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/analyzer/internal/directive"
)

// TestComparePos: in whichever order files are read, positions have the same order.
func TestComparePos(t *testing.T) {
	for _, names := range [][]string{{"a.go", "b.go"}, {"b.go", "a.go"}} {
		fset := token.NewFileSet()
		files := map[string]*token.File{}
		for _, name := range names {
			files[name] = fset.AddFile(name, -1, 100)
		}
		a, b := files["a.go"], files["b.go"]
		assert.Negative(t, directive.ComparePos(fset, a.Pos(50), b.Pos(10)), names)
		assert.Positive(t, directive.ComparePos(fset, b.Pos(10), a.Pos(50)), names)
		assert.Negative(t, directive.ComparePos(fset, a.Pos(10), a.Pos(50)), names)
		assert.Zero(t, directive.ComparePos(fset, a.Pos(10), a.Pos(10)), names)
	}
}
