package readers

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	goparser "go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/reviewdog/reviewdog/parser"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mapatom/mapatom/internal/analyzer/config"
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

// schema is one of docs/schema, compiled so that a name that it does not describe is
// wrong: readers are to pass over such, but the page is to have them.
func schema(t *testing.T, name string) *jsonschema.Schema {
	text, err := os.ReadFile(filepath.Join(root, "docs", "schema", name))
	require.NoError(t, err)
	var doc any
	require.NoError(t, json.Unmarshal(text, &doc), name)
	closeObjects(doc)
	text, err = json.Marshal(doc)
	require.NoError(t, err)
	return compile(t, name, string(text))
}

// closeObjects forbids in all objects of a schema what they do not describe.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["type"] == "object" && v["properties"] != nil {
			v["additionalProperties"] = false
		}
		for _, item := range v {
			closeObjects(item)
		}
	case []any:
		for _, item := range v {
			closeObjects(item)
		}
	}
}

// TestSchemas: what mapatom prints is what docs/schema describes, with findings and
// without.
func TestSchemas(t *testing.T) {
	baseline := filepath.Join(t.TempDir(), "known.json")
	for name, args := range map[string][]string{
		"findings.v1.json":   {"-json", "-report=all"},
		"extensions.v1.json": {"extensions", "-json"},
		"confirm.v1.json":    {"confirm", "-json", "-time=2s"},
		"baseline.v1.json":   {"-write-baseline=" + baseline},
	} {
		s := schema(t, name)
		for _, pkg := range []string{"./docs", "./testdata/tour"} {
			text := mapatom(t, append(args, pkg)...)
			if name == "baseline.v1.json" {
				var err error
				text, err = os.ReadFile(baseline)
				require.NoError(t, err)
			}
			valid(t, s, text)
			assert.Error(t, s.Validate(map[string]any{"version": 0}), name)
		}
	}
}

// TestConfigSchema: the schema takes the file of docs/configuration.md, and refuses what
// the program refuses.
func TestConfigSchema(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "configuration.md"))
	require.NoError(t, err)
	_, text, _ := strings.Cut(string(page), "```yaml\n")
	text, _, _ = strings.Cut(text, "```\n")
	s := schema(t, "config.v1.json")
	assert.NoError(t, s.Validate(fromYAML(t, text)))
	for text, ok := range map[string]bool{
		"":                      true,
		"environment: open":     true,
		"environment: closed":   false,
		"rules: -E6,-E8":        true,
		"rules: E6":             false,
		"exclude: [{files: a}]": true,
		"exclude: [{}]":         false,
		"exclude: [{categories: [MA1001, crash]}]":              true,
		"exclude: [{categories: lost}]":                         false,
		"maps: [{type: a/b.C, operations: [Load]}]":             true,
		"maps: [{type: a/b, operations: [Load]}]":               false,
		"maps: [{type: a.C}]":                                   false,
		"maps: [{type: a.C, kind: set, operations: [Load]}]":    false,
		"maps: [{type: a.C, evicts: true, operations: [Load]}]": true,
		"quiet: [a/...]":                                        true,
		"quiet: [{package: a, functions: F}]":                   true,
		"quiet: [{package: a}]":                                 false,
		"pure: a":                                               false,
		"enviroment: open":                                      false,
	} {
		err := s.Validate(fromYAML(t, text))
		assert.Equal(t, ok, err == nil, "%s: %v", text, err)
		_, err = config.Parse("/x/.mapatom.yml", []byte(text))
		assert.Equal(t, ok, err == nil, "%s: %v", text, err)
	}
	var doc struct{ Properties map[string]any }
	raw, err := os.ReadFile(filepath.Join(root, "docs", "schema", "config.v1.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &doc))
	assert.ElementsMatch(t, config.Keys(), slices.Collect(maps.Keys(doc.Properties)))
}

// fromYAML is a document as JSON has it.
func fromYAML(t *testing.T, text string) any {
	var v any
	require.NoError(t, yaml.Unmarshal([]byte(text), &v))
	out, err := json.Marshal(v)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	require.NoError(t, err)
	return doc
}
