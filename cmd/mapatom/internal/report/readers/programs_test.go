package readers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/reviewdog/reviewdog/parser"
	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.starlark.net/syntax"

	"github.com/mapatom/mapatom/analyzer"
)

// blocks are the blocks of a page that are in a language.
func blocks(t *testing.T, page, lang string) []string {
	text, err := os.ReadFile(filepath.Join(root, "docs", page))
	require.NoError(t, err)
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+lang+"\n(.*?)^```$").FindAllSubmatch(text, -1) {
		out = append(out, string(m[1]))
	}
	require.NotEmpty(t, out, "%s: %s", page, lang)
	return out
}

// TestReviewdogRuns pipes findings into reviewdog, as docs/ci.md does, with the reporter
// that needs no service: of all findings, and of those in lines that a commit changed.
func TestReviewdogRuns(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "ci.md"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "\n    mapatom -format=sarif ./... | reviewdog -f=sarif -reporter=github-pr-review\n")
	log := mapatom(t, "-format=sarif", "./testdata/tour")

	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "testdata", "tour"), os.DirFS(filepath.Join(root, "testdata", "tour"))))
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "first"}} {
		run(t, dir, nil, "git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
	}
	reviewdog := filepath.Join(binaries, "reviewdog")
	run(t, ".", nil, "go", "build", "-o", reviewdog, "github.com/reviewdog/reviewdog/cmd/reviewdog")
	all := run(t, dir, log, reviewdog, "-f=sarif", "-reporter=local", "-filter-mode=nofilter")
	assert.Len(t, places(t, all), findings(t))

	file := filepath.Join(dir, "testdata", "tour", "peers.go")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	changed := bytes.Replace(text, []byte("p.peers[addr] = c\n"), []byte("p.peers[addr] = c // changed\n"), 1)
	require.NotEqual(t, text, changed)
	require.NoError(t, os.WriteFile(file, changed, 0o644))
	some := run(t, dir, log, reviewdog, "-f=sarif", "-reporter=local", "-diff=git diff")
	assert.Equal(t, []string{"testdata/tour/peers.go:51"}, places(t, some))
}

// places are those of the results that reviewdog prints as it read them.
func places(t *testing.T, printed string) []string {
	var out []string
	for dec := json.NewDecoder(strings.NewReader(printed)); dec.More(); {
		var result struct {
			Locations []struct {
				PhysicalLocation struct {
					ArtifactLocation struct{ URI string }
					Region           struct{ StartLine int }
				}
			}
		}
		require.NoError(t, dec.Decode(&result))
		require.Len(t, result.Locations, 1)
		at := result.Locations[0].PhysicalLocation
		out = append(out, fmt.Sprintf("%s:%d", at.ArtifactLocation.URI, at.Region.StartLine))
	}
	return out
}

// run runs a program and returns what it prints.
func run(t *testing.T, dir string, input []byte, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	require.NoError(t, cmd.Run(), "%s %v\n%s", name, args, errs.String())
	return out.String()
}

// TestErrorformat: what docs/editors.md has for Vim reads each line, by reviewdog's
// implementation of Vim's option.
func TestErrorformat(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, "docs", "editors.md"))
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^    :set makeprg=(\S+(?:\\ \S+)*) errorformat=(\S+(?:\\ \S+)*)$`).FindSubmatch(page)
	require.NotNil(t, m)
	assert.Equal(t, `mapatom\ -format=line\ ./...`, string(m[1]))
	p, err := parser.New(&parser.Option{Errorformat: strings.Split(strings.ReplaceAll(string(m[2]), `\ `, " "), ",")})
	require.NoError(t, err)
	found, err := p.Parse(bytes.NewReader(mapatom(t, "-format=line", "./testdata/tour")))
	require.NoError(t, err)
	assert.Len(t, found, findings(t))
	found, err = p.Parse(strings.NewReader("grammar.y:100: Store can overwrite it (MA1001 lost-update)\n"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "grammar.y", found[0].GetLocation().GetPath())
	assert.EqualValues(t, 100, found[0].GetLocation().GetRange().GetStart().GetLine())
}

// TestNogo: the rule of docs/nogo.md is Starlark that calls what it loads and names a
// package with an Analyzer, and its file sets flags that the Analyzer has.
func TestNogo(t *testing.T) {
	file, err := syntax.Parse("BUILD.bazel", blocks(t, "nogo.md", "starlark")[0], 0)
	require.NoError(t, err)
	require.Len(t, file.Stmts, 2)
	load, ok := file.Stmts[0].(*syntax.LoadStmt)
	require.True(t, ok)
	assert.Equal(t, "@rules_go//go:def.bzl", load.ModuleName())
	stmt, ok := file.Stmts[1].(*syntax.ExprStmt)
	require.True(t, ok)
	call, ok := stmt.X.(*syntax.CallExpr)
	require.True(t, ok)
	assert.Equal(t, load.To[0].Name, call.Fn.(*syntax.Ident).Name)
	args := map[string]syntax.Expr{}
	for _, a := range call.Args {
		named := a.(*syntax.BinaryExpr)
		require.Equal(t, syntax.EQ, named.Op)
		args[named.X.(*syntax.Ident).Name] = named.Y
	}
	deps := args["deps"].(*syntax.ListExpr).List
	require.Len(t, deps, 1)
	label := deps[0].(*syntax.Literal).Value.(string)
	assert.Equal(t, "@com_github_mapatom_mapatom//analyzer", label, "the package that this test imports")
	assert.Equal(t, "nogo.json", args["config"].(*syntax.Literal).Value)

	var config map[string]struct {
		Flags     map[string]string `json:"analyzer_flags"`
		OnlyFiles map[string]string `json:"only_files"`
	}
	dec := json.NewDecoder(strings.NewReader(blocks(t, "nogo.md", "json")[0]))
	dec.DisallowUnknownFields()
	require.NoError(t, dec.Decode(&config))
	require.Contains(t, config, analyzer.Analyzer.Name)
	c := config[analyzer.Analyzer.Name]
	assert.NotEmpty(t, c.Flags)
	for name, value := range c.Flags {
		flags := analyzer.New(analyzer.Options{}).Flags
		assert.NoError(t, flags.Set(name, value), name)
	}
	for pattern := range c.OnlyFiles {
		assert.Regexp(t, pattern, "services/a.go")
	}
}

// TestWorkflows: actionlint has nothing to say of the workflows of docs/ci.md, and would
// have of a mistake in one.
func TestWorkflows(t *testing.T) {
	lint := func(text string) []*actionlint.Error {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		require.NoError(t, err)
		found, err := linter.Lint("workflow.yml", []byte(text), nil)
		require.NoError(t, err)
		return found
	}
	n := 0
	for _, b := range blocks(t, "ci.md", "yaml") {
		if strings.HasPrefix(b, "name:") {
			n++
			assert.Empty(t, lint(b))
			assert.NotEmpty(t, lint(strings.Replace(b, "runs-on:", "run-on:", 1)))
		}
	}
	assert.Equal(t, 2, n)
}
