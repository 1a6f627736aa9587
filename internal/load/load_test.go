package load

import (
	"errors"
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
