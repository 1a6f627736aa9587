package fix

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// source is a file of a package, with findings in it.
type source struct {
	t    *testing.T
	path string
	pkg  *packages.Package
	file *token.File
}

func newSource(t *testing.T, text string) *source {
	path := filepath.Join(t.TempDir(), "a.go")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o640))
	fset := token.NewFileSet()
	file := fset.AddFile(path, -1, len(text))
	file.SetLinesForContent([]byte(text))
	return &source{t, path, &packages.Package{Fset: fset, GoFiles: []string{path}}, file}
}

// fix makes one that replaces the pieces of text old by new.
func (s *source) fix(message string, oldNew ...string) *analysis.SuggestedFix {
	text, err := os.ReadFile(s.path)
	require.NoError(s.t, err)
	fix := analysis.SuggestedFix{Message: message}
	for i := 0; i < len(oldNew); i += 2 {
		at := strings.Index(string(text), oldNew[i])
		require.GreaterOrEqual(s.t, at, 0)
		fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{
			Pos: s.file.Pos(at), End: s.file.Pos(at + len(oldNew[i])), NewText: []byte(oldNew[i+1]),
		})
	}
	return &fix
}

// apply applies the fixes, and returns the messages of those that were added.
func (s *source) apply(fixes ...*analysis.SuggestedFix) (added []string, err error) {
	var set Set
	for _, f := range fixes {
		if set.Add(s.pkg, f) {
			added = append(added, f.Message)
		}
	}
	return added, set.Apply()
}

func (s *source) text() string {
	text, err := os.ReadFile(s.path)
	require.NoError(s.t, err)
	return string(text)
}

const fixSource = "package a\n\nfunc f() int { return one + two + three }\n"

func TestFix(t *testing.T) {
	s := newSource(t, fixSource)
	added, err := s.apply(s.fix("use 3", "three", "3"), s.fix("use 1", "one", "1", "two", "  2"))
	require.NoError(t, err)
	assert.Equal(t, []string{"use 3", "use 1"}, added)
	assert.Equal(t, "package a\n\nfunc f() int { return 1 + 2 + 3 }\n", s.text(), "gofmt-clean")

	info, err := os.Stat(s.path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	left, err := os.ReadDir(filepath.Dir(s.path))
	require.NoError(t, err)
	assert.Len(t, left, 1, "no temporary file is left")
}

// TestFixOverlap: the second of two fixes that touch each other is not
// applied, not even in part.
func TestFixOverlap(t *testing.T) {
	s := newSource(t, fixSource)
	second := s.fix("second", "one", "1", "two + three", "5")
	added, err := s.apply(s.fix("first", "two", "2"), second)
	require.NoError(t, err)
	assert.Equal(t, []string{"first"}, added)
	assert.Equal(t, strings.Replace(fixSource, "two", "2", 1), s.text())
}

// TestFixRefused: files stay as they are if they changed in the meantime, or
// if the result is not Go.
func TestFixRefused(t *testing.T) {
	s := newSource(t, fixSource)
	_, err := s.apply(s.fix("bad", "two", "2)"))
	assert.ErrorContains(t, err, "a.go was not fixed")
	assert.Equal(t, fixSource, s.text())

	f := s.fix("good", "two", "2")
	changed := fixSource + "// more\n"
	require.NoError(t, os.WriteFile(s.path, []byte(changed), 0o640))
	_, err = s.apply(f)
	assert.ErrorContains(t, err, "changed")
	assert.Equal(t, changed, s.text())
}

// TestFixForeignFile: a file that is not the package's own, such as what cgo
// writes, is left alone.
func TestFixForeignFile(t *testing.T) {
	s := newSource(t, fixSource)
	s.pkg.GoFiles = nil
	f := s.fix("foreign", "two", "2")
	added, err := s.apply(f)
	require.NoError(t, err)
	assert.Empty(t, added)
	assert.Equal(t, fixSource, s.text())
}

// TestLineEndings: a file keeps the ends of its lines if they are all alike.
func TestLineEndings(t *testing.T) {
	const text = "package a\n\nvar x = `1\n2`\n\nfunc f() {\n\ta()\n}\n"
	for _, old := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
		s := newSource(t, old)
		added, err := s.apply(s.fix("f", "a()", "if b() {\n\t\tc()\n\t}"))
		require.NoError(t, err)
		require.Len(t, added, 1)
		want := strings.Replace(text, "a()", "if b() {\n\t\tc()\n\t}", 1)
		if old != text {
			want = strings.ReplaceAll(want, "\n", "\r\n")
		}
		assert.Equal(t, want, s.text())
	}
}
