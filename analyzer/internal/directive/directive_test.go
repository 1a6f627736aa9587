package directive

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, src string) (*Set, *token.File) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "a.go", src, parser.ParseComments)
	require.NoError(t, err)
	return Parse(fset, []*ast.File{f}), fset.File(f.Pos())
}

// ignored are the lines on which a finding would be left out.
func ignored(t *testing.T, src, category string) string {
	s, file := parse(t, src)
	var lines []string
	for line := 1; line <= file.LineCount(); line++ {
		if s.Ignores(file.LineStart(line), category) != nil {
			lines = append(lines, strconv.Itoa(line))
		}
	}
	return strings.Join(lines, " ")
}

const placed = `package a

//mapatom:ignore crash for all of it
func f() {
	g()
	g() //mapatom:ignore MA1001,stale-delete at the end of a line
	//mapatom:ignore lost-update above a statement
	if true {
		g()
	}
	g()
}

// g does something.
//
//nolint:errcheck,mapatom // because
func g() {
	g()
}

func h() { //nolint
	g() //nolint:errcheck
	/* nolint:mapatom */ g()
	g() // nolint:all
	//mapatom:ignore non-atomic not above anything

	g()
}
`

func TestIgnores(t *testing.T) {
	assert.Equal(t, "3 4 5 6 7 8 9 10 11 12 14 15 16 17 18 19 21 24", ignored(t, placed, "crash"))
	assert.Equal(t, "6 7 8 9 10 14 15 16 17 18 19 21 24", ignored(t, placed, "lost-update"))
	assert.Equal(t, "6 14 15 16 17 18 19 21 24", ignored(t, placed, "stale-delete"))
	assert.Equal(t, "14 15 16 17 18 19 21 24 25", ignored(t, placed, "non-atomic"))
}

// TestReason: what was left out can be explained.
func TestReason(t *testing.T) {
	s, file := parse(t, placed)
	assert.Equal(t, "for all of it", s.Ignores(file.LineStart(5), "crash").Reason)
	assert.Equal(t, "because", s.Ignores(file.LineStart(18), "crash").Reason)
	require.Len(t, s.Problems(), 3)
	assert.Equal(t, "//mapatom:ignore lost-update,stale-delete is not needed: there is no such finding", s.Problems()[0].Message)
}

func TestProblems(t *testing.T) {
	for comment, want := range map[string]string{
		"//mapatom:ignroe crash why":        "there is no directive //mapatom:ignroe; there are ignore, atomic, pure, base, harness",
		"//mapatom:ignore":                  `"" is no category`,
		"//mapatom:ignore crash":            "expected a reason after //mapatom:ignore crash",
		"//mapatom:ignore lost-updates why": `"lost-updates" is no category`,
		"//mapatom:ignore crash, x why":     `"" is no category`,
		"//mapatom:ignore MA1000 why":       `"MA1000" is no category`,
		"//mapatom:ignore MA1004 why":       "//mapatom:ignore crash is not needed",
		"//mapatom:ignore crash why":        "is not needed",
		"//mapatom:ignore crash // why":     "expected a reason",
		"// mapatom:ignore crash why":       "a directive has no space before mapatom: write //mapatom:ignore",
		"//mapatom:atomic":                  "belongs in the comment of a function",
		"//mapatom:atomic may fail":         `"may fail" is none, there are locked, may give up, one goroutine, each key, another variable, own entry`,
		"//mapatom:pure":                    "belongs in the comment of a function",
		"//mapatom:base":                    "expected //mapatom:base OP",
		"//mapatom:base Load":               "belongs in the comment of a method",
		"//mapatom:harness":                 "belongs in the comment of a function",
		"// mapatom: is a program":          "",
		"// see mapatom":                    "",
		"//nolint:mapatom":                  "",
		"//nolintlint":                      "",
	} {
		s, _ := parse(t, "package a\n\nfunc f() {\n\t"+comment+"\n}\n")
		if want == "" {
			assert.Empty(t, s.Problems(), comment)
			continue
		}
		if assert.Len(t, s.Problems(), 1, comment) {
			assert.Contains(t, s.Problems()[0].Message, want)
		}
	}
}

func TestFunctions(t *testing.T) {
	s, _ := parse(t, `package a

// f is fine.
//
//mapatom:atomic
//mapatom:pure
func f() {}

type T int

//mapatom:base (key, _) = delete
func (T) m() {}

//mapatom:base Load
func g() {}
`)
	require.Len(t, s.Of(Atomic), 1)
	assert.Equal(t, "f", s.Of(Atomic)[0].Func.Name.Name)
	assert.Equal(t, "f", s.Of(Pure)[0].Func.Name.Name)
	require.Len(t, s.Of(Base), 2)
	assert.Equal(t, "(key, _) = delete", s.Of(Base)[0].Operation)
	require.Len(t, s.Problems(), 1)
	assert.Equal(t, "//mapatom:base belongs in the comment of a method", s.Problems()[0].Message)
}

// FuzzComment: any comment is a directive, an error, or nothing.
func FuzzComment(f *testing.F) {
	for _, line := range strings.Split(placed, "\n") {
		f.Add(strings.TrimSpace(line))
	}
	f.Add("//mapatom:base (key) (old) = load")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := parseComment(text)
		if err != nil && err.Error() == "" || d != nil && d.Kind == Ignore && err == nil && d.Reason == "" {
			t.Errorf("%q: %v, %v", text, d, err)
		}
	})
}
