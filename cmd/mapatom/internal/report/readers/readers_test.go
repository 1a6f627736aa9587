package readers

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/reviewdog/reviewdog/parser"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../../../.."

// binaries is the folder of what is built.
var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "mapatom-readers-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(binaries)
	os.Exit(status)
}

var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaries, "mapatom")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/mapatom")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = errors.New(string(out))
	}
	return path, err
})

// mapatom runs the program at the root of the repository and returns what it prints.
func mapatom(t *testing.T, args ...string) []byte {
	path, err := built()
	require.NoError(t, err)
	cmd := exec.Command(path, args...)
	cmd.Dir = root
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		exit := new(exec.ExitError)
		require.ErrorAs(t, err, &exit, errs.String())
		require.Equal(t, 3, exit.ExitCode(), errs.String())
	}
	require.Empty(t, errs.String())
	return out.Bytes()
}

// findings is how many there are in the tour.
func findings(t *testing.T) int {
	return bytes.Count(mapatom(t, "-format=line", "./testdata/tour"), []byte("\n"))
}

// TestSARIF: the log is valid by the standard's schema, with findings and without.
func TestSARIF(t *testing.T) {
	schema := compile(t, "sarif", standardSchema(t))
	for _, pkg := range []string{"./testdata/tour", "./docs"} {
		valid(t, schema, mapatom(t, "-format=sarif", pkg))
	}
	var log map[string]any
	require.NoError(t, json.Unmarshal(mapatom(t, "-format=sarif", "./docs"), &log))
	log["runs"] = 1
	assert.Error(t, schema.Validate(log), "the schema is one")
}

// standardSchema is the schema of SARIF 2.1.0, which is a constant of a library that can
// only validate what the library itself has written.
func standardSchema(t *testing.T) string {
	_ = sarif.NewReport
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif").Output()
	require.NoError(t, err)
	file, err := goparser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(string(dir)), "schema.go"), nil, 0)
	require.NoError(t, err)
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > len(text) {
			text = lit.Value
		}
		return true
	})
	text, err = strconv.Unquote(text)
	require.NoError(t, err)
	return text
}

// compile compiles a schema.
func compile(t *testing.T, name, text string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err, name)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource(name, doc), name)
	schema, err := c.Compile(name)
	require.NoError(t, err, name)
	return schema
}

// valid checks a document.
func valid(t *testing.T, schema *jsonschema.Schema, text []byte) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(doc))
}

// TestReviewdog: reviewdog's own parsers find in each format that docs/ci.md names the
// places and the messages of all findings.
func TestReviewdog(t *testing.T) {
	n := findings(t)
	require.Positive(t, n)
	for format, opt := range map[string]*parser.Option{
		"sarif":      {FormatName: "sarif"},
		"checkstyle": {FormatName: "checkstyle"},
		"line":       {Errorformat: []string{"%f:%l:%c: %m"}},
	} {
		p, err := parser.New(opt)
		require.NoError(t, err)
		found, err := p.Parse(bytes.NewReader(mapatom(t, "-format="+format, "./testdata/tour")))
		require.NoError(t, err, format)
		assert.Len(t, found, n, format)
		for _, d := range found {
			assert.True(t, strings.HasPrefix(d.GetLocation().GetPath(), "testdata/tour/"), "%s: %v", format, d.GetLocation())
			assert.Positive(t, d.GetLocation().GetRange().GetStart().GetLine(), format)
			assert.Regexp(t, `\(MA\d{4} [a-z-]+\)`, d.GetMessage(), format)
		}
	}
}
