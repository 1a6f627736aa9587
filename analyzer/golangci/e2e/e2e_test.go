package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDriversAgree: alone, under go vet and in golangci-lint, mapatom has the
// same findings on the tour, with facts of another package, and with findings
// that a comment leaves out. The configuration of golangci-lint is what the
// README tells people to copy.
func TestDriversAgree(t *testing.T) {
	mapatom, dir := mapatom(t), module(t)

	alone := findings(output(t, dir, mapatom, "-format=line", "./..."))
	vet := findings(output(t, dir, "go", "vet", "-vettool="+mapatom, "./..."))
	lint := lint(t, dir)
	assert.Equal(t, alone, vet)
	assert.Equal(t, alone, texts(lint))
	assert.Greater(t, len(alone), 10)
	all := strings.Join(alone, "\n")
	assert.Contains(t, all, "user/user.go:9:")
	assert.Contains(t, all, "user/user.go:17:")
	assert.NotContains(t, all, "ignored.go")
}

// TestSettings: a mistake in the settings is said with the key.
func TestSettings(t *testing.T) {
	dir := module(t)
	text := strings.Replace(block(t, 1), "report: default", "report: some", 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".golangci.yml"), []byte(text), 0o644))
	assert.Contains(t, output(t, dir, golangciLint(t), "run", "./..."), `settings of mapatom: "some" is not one of default, all`)
}

// TestCustomFile: the other file that the README tells people to copy names this
// module, the plugin, and the version of golangci-lint that is tested here.
func TestCustomFile(t *testing.T) {
	custom := block(t, 0)
	assert.Contains(t, custom, "module: github.com/mapatom/mapatom\n")
	assert.Contains(t, custom, "import: github.com/mapatom/mapatom/analyzer/golangci\n")
	version := regexp.MustCompile(`golangci-lint/v2 (v\S+)`).FindStringSubmatch(read(t, "go.mod"))
	require.NotNil(t, version)
	assert.Contains(t, custom, "version: "+version[1]+"\n")
	page := read(t, root+"/docs/golangci-lint.md")
	assert.Contains(t, page, custom)
	assert.Contains(t, page, block(t, 1))
}

const root = "../../.."

func read(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// block is a block of YAML in the README.
func block(t *testing.T, n int) string {
	blocks := yamlBlocks(t, root+"/README.md")
	require.Greater(t, len(blocks), n)
	return blocks[n]
}

// yamlBlocks are the blocks of YAML in a page.
func yamlBlocks(t *testing.T, page string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(read(t, page), -1) {
		out = append(out, m[1])
	}
	return out
}

// build builds a package of the module in dir.
func build(t *testing.T, dir, pkg, to string) {
	cmd := exec.Command("go", "build", "-o", to, pkg)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// mapatom is the path of the program itself.
func mapatom(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "mapatom")
	build(t, root, "./cmd/mapatom", path)
	return path
}

// module is a copy of the tour, with two packages of which one uses the other.
func module(t *testing.T) string {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "tour"), os.DirFS(root+"/testdata/tour")))
	for name, text := range map[string]string{
		"go.mod":          "module example.com/agree\n\ngo 1.26\n",
		".golangci.yml":   block(t, 1),
		"lib/lib.go":      lib,
		"user/user.go":    user,
		"user/ignored.go": ignored,
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

const lib = `package lib

import "sync"

type Table struct{ M sync.Map }

func (t *Table) Find(k string) (any, bool) { return t.M.Load(k) }

func (t *Table) Put(k string, v any) { t.M.Store(k, v) }

// Own is a map of its own.
type Own struct{ m map[string]int }

//mapatom:base Load
func (o *Own) Get(k string) (int, bool) { v, ok := o.m[k]; return v, ok }

//mapatom:base Store
func (o *Own) Set(k string, v int) { o.m[k] = v }
`

const user = `package user

import "example.com/agree/lib"

func First(t *lib.Table, k string) *int {
	v := new(int)
	old, ok := t.Find(k)
	if !ok {
		t.Put(k, v)
		return v
	}
	return old.(*int)
}

func Next(o *lib.Own, k string) {
	v, _ := o.Get(k)
	o.Set(k, v+1)
}
`

const ignored = `package user

import "example.com/agree/lib"

func Line(t *lib.Table, k string) {
	if _, ok := t.Find(k); !ok {
		t.Put(k, new(int)) //nolint:mapatom
	}
}

// Function has more than one finding.
//
//nolint:mapatom // because
func Function(t *lib.Table, k string) {
	if _, ok := t.Find(k); !ok {
		t.Put(k, new(int))
	}
	if _, ok := t.Find(k + "x"); !ok {
		t.Put(k+"x", new(int))
	}
}

func Directive(t *lib.Table, k string) {
	if _, ok := t.Find(k); !ok {
		//mapatom:ignore lost-update because
		t.Put(k, new(int))
	}
}
`

// output runs a command, whatever its exit status, and returns what it prints.
func output(t *testing.T, dir, name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+t.TempDir(), "GOFLAGS=")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if exit := (*exec.ExitError)(nil); !errors.As(cmd.Run(), &exit) {
		t.Fatalf("%s %s: there should be findings\n%s", name, args, out.String())
	}
	return out.String()
}

var line = regexp.MustCompile(`(?m)^(\S+\.go:\d+:\d+): (.* \(MA\d+ [a-z-]+\))$`)

// findings are the lines that begin with a position and end with a category.
func findings(text string) []string {
	var out []string
	for _, m := range line.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1]+": "+m[2])
	}
	slices.Sort(out)
	return out
}

// position is where golangci-lint says that an issue is.
type position struct {
	Filename     string
	Line, Column int
}

// lintIssue is one of golangci-lint.
type lintIssue struct {
	Text, Severity string
	Pos            position
}

var noLimits = []string{"--enable-only=mapatom", "--show-stats=false", "--max-issues-per-linter=0", "--max-same-issues=0"}

// lint runs golangci-lint in a module and returns the issues of mapatom.
func lint(t *testing.T, dir string, args ...string) []lintIssue {
	args = append(append([]string{"run", "--output.json.path=stdout"}, noLimits...), append(args, "./...")...)
	text := output(t, dir, golangciLint(t), args...)
	var report struct{ Issues []lintIssue }
	require.NoError(t, json.NewDecoder(strings.NewReader(text[strings.Index(text, "{"):])).Decode(&report), text)
	return report.Issues
}

// texts are the issues as mapatom prints its findings: without what the plugin adds.
func texts(issues []lintIssue) []string {
	var out []string
	for _, is := range issues {
		text, _, _ := strings.Cut(is.Text, " [")
		if at := label.FindStringIndex(is.Text); at != nil {
			text = is.Text[:at[1]]
		}
		out = append(out, fmt.Sprintf("%s:%d:%d: %s", is.Pos.Filename, is.Pos.Line, is.Pos.Column, text))
	}
	slices.Sort(out)
	return out
}

var label = regexp.MustCompile(`\(MA\d+ [a-z-]+\)`)

// golangciLint is the path of a golangci-lint with the plugin, which is built once.
func golangciLint(t *testing.T) string {
	path, err := built()
	require.NoError(t, err)
	return path
}

var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(binaries, "custom-gcl")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// binaries is the folder of what is built.
var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "mapatom-golangci-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(binaries)
	os.Exit(status)
}
