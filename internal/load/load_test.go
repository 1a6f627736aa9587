package load

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// TestPackages: each purpose has what it is for.
func TestPackages(t *testing.T) {
	const path = "github.com/mapatom/mapatom/internal/load"
	for name, test := range map[string]struct {
		what     What
		tests, n int
	}{"names": {Names, 0, 1}, "graph": {Graph, 0, 1}, "sources": {Sources, 0, 1}, "types": {Types, 0, 1}, "exports": {Exports, 0, 1}, "with tests": {Types, 1, 3}} {
		t.Run(name, func(t *testing.T) {
			pkgs, err := Packages(t.Context(), test.what, Where{Tests: test.tests == 1}, path)
			require.NoError(t, err)
			require.Len(t, pkgs, test.n)
			p := pkgs[0]
			assert.Empty(t, p.Errors)
			assert.Equal(t, path, p.PkgPath)
			assert.Equal(t, test.what == Types, p.Types != nil && p.Syntax != nil && p.TypesInfo != nil)
			assert.Equal(t, test.what == Exports, p.ExportFile != "")
			assert.Equal(t, test.what != Exports, p.Module != nil)
			n := 0
			packages.Visit(pkgs, nil, func(p *packages.Package) { n++ })
			switch test.what {
			case Graph, Sources:
				assert.Greater(t, n, 50, "what is imported, directly or not")
			}
		})
	}
}

// TestError: what was asked for is named, and the go command's words can be had alone.
func TestError(t *testing.T) {
	_, err := Packages(t.Context(), Names, Where{Dir: filepath.Join(t.TempDir(), "none")}, "./a", "./b")
	var e *Error
	require.True(t, errors.As(err, &e))
	assert.Equal(t, "packages ./a ./b: "+e.Err.Error(), err.Error())
	assert.NotErrorIs(t, err, nil)
	assert.Equal(t, e.Err, errors.Unwrap(err))
}

// TestCgo: the compiler's files are the package's own, but for those that cgo makes, whoever
// imports the package.
func TestCgo(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/m\n\ngo 1.26\n",
		"plain/a.go": "package plain\n\nvar Letter = \"C\"\n",
		"c/a.go":     "package c\n\n// int f() { return 1; }\nimport \"C\"\n\nfunc F() int { return int(C.f()) }\n",
		"user/a.go":  "package user\n\nimport _ \"example.com/m/c\"\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	sources := func(what What, pattern string) map[string][]string {
		pkgs, err := Packages(t.Context(), what, Where{Dir: dir, Env: append(os.Environ(), "CGO_ENABLED=1")}, pattern)
		require.NoError(t, err)
		out := map[string][]string{}
		packages.Visit(pkgs, nil, func(p *packages.Package) {
			if p.Module != nil {
				out[p.PkgPath] = p.CompiledGoFiles
			}
		})
		return out
	}
	assert.Equal(t, map[string][]string{"example.com/m/plain": {filepath.Join(dir, "plain", "a.go")}}, sources(Sources, "./plain"))
	assert.Equal(t, map[string][]string{"example.com/m/plain": nil}, sources(Graph, "./plain"))
	assert.NotContains(t, sources(Sources, "./user")["example.com/m/c"], filepath.Join(dir, "c", "a.go"))
}
