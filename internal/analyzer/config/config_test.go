package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/pages"
)

const all = `
# a comment
environment: open
report: all
maps:
  - type: example.com/cache.Cache
    evicts: true
    operations: [Load, "Get(key) (old, err) = load"]
  - operations: [Add(delta) (new) = update add]
    kind: atomic
    type: gopkg.in/counter.v2.Counter
quiet:
  - example.com/metrics/...
  - {package: example.com/events, functions: [Emit, Bus.*]}
pure:
  - package: example.com/events
    functions: Name
rules: [-E6, "-E8,-E9"]
exclude:
  - files: [internal/legacy, "**/*_gen.go"]
    categories: [crash]
  - functions: ["(*Pool).*"]
`

func TestParse(t *testing.T) {
	c, err := Parse("/src/.mapatom.yml", []byte(all))
	require.NoError(t, err)
	assert.Equal(t, "open", c.Environment)
	assert.Equal(t, "all", c.Report)
	assert.Equal(t, []string{"E6", "E8", "E9"}, c.Rules.All())
	ops := map[string]*catalog.Op{}
	for _, op := range c.Table.Ops() {
		ops[op.String()] = op
	}
	require.Len(t, ops, 3)
	assert.Equal(t, catalog.Load, ops["cache.Cache.Load"].Kind)
	assert.Equal(t, []catalog.Role{catalog.Old, catalog.Err}, ops["cache.Cache.Get"].Results)
	assert.True(t, ops["cache.Cache.Get"].Type.Evicts)
	assert.Equal(t, &catalog.Type{Pkg: "gopkg.in/counter.v2", Name: "Counter", Display: "counter.v2.Counter", Cell: catalog.AtomicCell},
		ops["counter.v2.Counter.Add"].Type)
	assert.Equal(t, []string{"example.com/cache", "gopkg.in/counter.v2"}, c.Table.Packages())

	assert.True(t, c.Excluded("/src/internal/legacy/sub/a.go", "F", "crash"))
	assert.False(t, c.Excluded("/src/internal/legacy/sub/a.go", "F", "lost-update"))
	assert.True(t, c.Excluded("/src/a_gen.go", "F", "crash"))
	assert.False(t, c.Excluded("/src/a.go", "F", "crash"))
	assert.True(t, c.Excluded("/elsewhere/a.go", "(*Pool).Get", "crash"))
}

func TestParseErrors(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"a: [", `f.yml:1: did not find expected node content`},
		{"- a", `f.yml:1: expected keys and values (budget, confidence, environment, exclude, maps, pure, quiet, report, rules)`},
		{"\nenviroment: open", `f.yml:2: unknown key "enviroment"; the keys are budget, confidence, environment, exclude, maps, pure, quiet, report, rules`},
		{"environment: open\nenvironment: auto", `f.yml:2: environment is already on line 1`},
		{"environment: closed", `f.yml:1: "closed" is not one of auto, open, package`},
		{"report:\n  - all", `f.yml:2: "" is not one of default, all`},
		{"quiet: a/b", `f.yml:1: expected a list, each entry on a line that begins with a dash`},
		{"quiet:\n- ...", `f.yml:2: expected an import path, found "..."`},
		{"quiet:\n- a\npure:\n- a", `f.yml:4: * already has a class, on line 2`},
		{"pure:\n- functions: [F]", `f.yml:2: expected an import path, found ""`},
		{"pure:\n- package: a", `f.yml:2: expected package: and functions:`},
		{"pure:\n- package: a\n  functions: [F(]", `f.yml:2: "F(" is not a name or TYPE.METHOD`},
		{"maps:\n- type: Cache\n  operations: [Load]", `f.yml:2: expected type: IMPORT/PATH.Name, found "Cache"`},
		{"maps:\n- type: a.b/Cache\n  operations: [Load]", `f.yml:2: expected type: IMPORT/PATH.Name, found "a.b/Cache"`},
		{"rules: E6", `f.yml:1: "E6" is not a rule that is switched off, such as -E6`},
		{"rules:\n- -E6\n- -X1", `f.yml:3: "-X1" is not a rule that is switched off, such as -E6`},
		{"maps:\n- type: a.T", `f.yml:2: a.T has no operations`},
		{"maps:\n- type: a.T\n  kind: set\n  operations: [Load]", `f.yml:3: "set" is not one of map, atomic, latch`},
		{"maps:\n- type: a.T\n  operations:\n  - Load\n  - Get(key) = lode", `f.yml:5: Get: "lode" is not a kind of operation; the kinds are cad, cas, compute, delete, insert, load, plain, replace, store, unwrap, update, clear, fill, iter, range, read, sweep`},
		{"maps:\n- type: a.T\n  operations:\n  - Fetch", `f.yml:4: Fetch: expected "(", found "="`},
		{"exclude:\n- {}", `f.yml:2: expected files, functions or categories`},
		{"exclude:\n- files: ['[']", `f.yml:2: "[" is not a pattern of paths relative to .mapatom.yml`},
		{"exclude:\n- files: /src/a", `f.yml:2: "/src/a" is not a pattern of paths relative to .mapatom.yml`},
		{"exclude:\n- categories: [lost]", `f.yml:2: there is no category "lost"; there are ` + strings.Join(pages.Categories(), ", ")},
		{"exclude:\n- functions: [[]]", `f.yml:2: expected a text`},
	} {
		c, err := Parse("f.yml", []byte(tt.text))
		assert.Nil(t, c, tt.text)
		if assert.Error(t, err, tt.text) {
			assert.Equal(t, tt.want, strings.Split(err.Error(), "\n")[0], tt.text)
		}
	}
}

// TestParseNothing: an empty file, or one with nothing but comments, says
// nothing.
func TestParseNothing(t *testing.T) {
	for _, text := range []string{"", "# nothing\n", "---\n"} {
		c, err := Parse("f.yml", []byte(text))
		require.NoError(t, err)
		assert.Equal(t, &Config{Path: "f.yml"}, c)
	}
}

// TestSettings: a driver's own configuration has the same keys, and errors
// without lines, since those of its file are not known.
func TestSettings(t *testing.T) {
	c, err := FromSettings("settings", "/src", map[string]any{
		"environment": "open", "exclude": []any{map[string]any{"files": "a"}},
		"maps": []any{map[string]any{"type": "a.T", "operations": []any{"Load"}}},
	})
	require.NoError(t, err)
	assert.Equal(t, "open", c.Environment)
	assert.True(t, c.Excluded("/src/a/b.go", "F", "crash"))
	assert.Len(t, c.Table.Ops(), 1)
	_, err = FromSettings("settings", "/src", map[string]any{"env": "open"})
	assert.EqualError(t, err, `settings: unknown key "env"; the keys are budget, confidence, environment, exclude, maps, pure, quiet, report, rules`)
	_, err = FromSettings("settings", "/src", map[string]any{"pure": []any{"a="}, "quiet": []any{map[string]any{"package": "a", "functions": "("}}})
	assert.EqualError(t, err, `settings: expected an import path, found "a="`+"\n"+`settings: "(" is not a name or TYPE.METHOD`)
	c, err = FromSettings("settings", "/src", nil)
	require.NoError(t, err)
	assert.Equal(t, &Config{}, c)
}

func TestOver(t *testing.T) {
	base, err := Parse("/src/.mapatom.yml", []byte(all))
	require.NoError(t, err)
	top, err := FromSettings("settings", "/src", map[string]any{
		"environment": "auto", "maps": []any{map[string]any{"type": "a.T", "operations": []any{"Load"}}},
		"exclude": []any{map[string]any{"files": "top"}},
	})
	require.NoError(t, err)
	both := top.Over(base)
	assert.Equal(t, "auto", both.Environment)
	assert.Equal(t, "all", both.Report)
	assert.Len(t, both.Table.Ops(), 4)
	assert.Len(t, both.Exclude, 3)
	assert.Equal(t, "/src/.mapatom.yml", both.Path)
	assert.Len(t, base.Exclude, 2)
	assert.Equal(t, base.Table, (&Config{}).Over(base).Table)
	assert.Equal(t, top.Table, top.Over(&Config{}).Table)
}

func TestFind(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "a", "b")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	c, err := Find(dir)
	require.NoError(t, err)
	assert.Equal(t, &Config{}, c)

	write("a/.mapatom.yaml", "")
	_, err = Find(dir)
	assert.ErrorContains(t, err, ".mapatom.yaml: the name of the configuration is .mapatom.yml")
	require.NoError(t, os.Remove(filepath.Join(root, "a/.mapatom.yaml")))

	write(".mapatom.yml", "report: all")
	c, err = Find(dir)
	require.NoError(t, err)
	assert.Equal(t, "all", c.Report)
	assert.Equal(t, filepath.Join(root, ".mapatom.yml"), c.Path)

	write("a/.mapatom.yml", "environment: closed")
	_, err = Find(dir)
	assert.EqualError(t, err, filepath.Join(root, "a", ".mapatom.yml")+`:1: "closed" is not one of auto, open, package`)
	_, err = Load(filepath.Join(root, "missing.yml"))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestMatch(t *testing.T) {
	for _, tt := range []struct {
		pattern, path string
		want          bool
	}{
		{"a", "a", true}, {"a", "a/b/c.go", true}, {"a/", "a/c.go", true}, {"a", "b/a", false}, {"a", "ab", false},
		{"a/*.go", "a/c.go", true}, {"a/*.go", "a/b/c.go", false}, {"**/c.go", "c.go", true}, {"**/c.go", "a/b/c.go", true},
		{"a/**/c.go", "a/c.go", true}, {"a/**/c.go", "b/c.go", false}, {"**", "x/y", true}, {"../x", "../x/y", true},
	} {
		assert.Equal(t, tt.want, matchPath(strings.Split(strings.Trim(tt.pattern, "/"), "/"), strings.Split(tt.path, "/")), tt)
	}
	for _, tt := range []struct {
		pattern, name string
		want          bool
	}{
		{"Get", "Get", true}, {"Get", "Gets", false}, {"(*Store).Get", "(*Store).Get", true}, {"(*Store).*", "(*Store).Get", true},
		{"*Get", "(*Store).Get", true}, {"*", "F", true}, {"(*Store).G*t", "(*Store).Get", true}, {"(*Store).G*x", "(*Store).Get", false},
		{"", "", true},
	} {
		assert.Equal(t, tt.want, matchFunction(tt.pattern, tt.name), tt)
	}
}

// FuzzParse: any text is a configuration or an error, never a panic.
func FuzzParse(f *testing.F) {
	f.Add(all)
	f.Add("maps:\n- type: a.T\n  operations:\n  - Get(key, func(old) (new)) (...) = compute if-absent split store")
	f.Add("quiet: &a\n- *a\nexclude: *a")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse("f.yml", []byte(text))
		if (c == nil) == (err == nil) {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	})
}

// TestDocumented: the example of the documentation is a configuration, and has
// every key.
func TestDocumented(t *testing.T) {
	_, text, _ := strings.Cut(pages.Topic("configuration"), "```yaml\n")
	text, _, _ = strings.Cut(text, "```")
	c, err := Parse("/src/.mapatom.yml", []byte(text))
	require.NoError(t, err)
	assert.Equal(t, "auto", c.Environment)
	assert.Equal(t, "default", c.Report)
	assert.Len(t, c.Exclude, 2)
	assert.Len(t, c.Table.Ops(), 3)
	for _, key := range []string{"maps:", "quiet:", "pure:", "exclude:"} {
		assert.Contains(t, text, "\n"+key)
	}
}

// TestTabs: a tab in the indentation is called one, with its line.
func TestTabs(t *testing.T) {
	for text, line := range map[string]string{
		"\treport: all": "1", "report: all\n\tx: y": "2", "exclude:\n- files: a\n\tfunctions: b": "3", "exclude:\n\t- files: a": "2",
		"quiet:\n  - a\n  \t- b": "3",
	} {
		_, err := Parse("f.yml", []byte(text))
		assert.EqualError(t, err, "f.yml:"+line+": a tab; YAML is indented with spaces", "%q", text)
	}
	_, err := Parse("f.yml", []byte("report: 'all"))
	assert.ErrorContains(t, err, "f.yml:1: found unexpected end of stream")
}

// TestStale: patterns of files that are not there.
func TestStale(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a", "b", "x_gen.go"), nil, 0o644))
	path := filepath.Join(dir, FileName)
	c, err := Parse(path, []byte(`
exclude:
- files: [a, a/b/, "**/*_gen.go", "a/*/x_gen.go"]
- functions: F
- files:
  - a/c
  - "*_gen.go"
  - "**/c"
`))
	require.NoError(t, err)
	assert.Equal(t, []string{
		path + `:5: exclude: no file matches "a/c"`, path + `:5: exclude: no file matches "*_gen.go"`, path + `:5: exclude: no file matches "**/c"`,
	}, c.Stale())
	assert.Empty(t, (&Config{}).Stale())
}
