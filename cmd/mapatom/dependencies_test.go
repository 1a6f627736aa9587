package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// TestDependencies: the page has a row for each module that go.mod requires directly, and
// for none that it does not; those of the other modules are named.
func TestDependencies(t *testing.T) {
	const root = "../.."
	page := readPage(t, filepath.Join(root, "docs/dependencies.md"))
	own, _, _ := strings.Cut(page, "## In modules of their own")
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([a-z0-9.-]+\.[a-z]+/\S+) \|`).FindAllStringSubmatch(own, -1) {
		listed = append(listed, m[1])
	}
	assert.ElementsMatch(t, requirements(t, filepath.Join(root, "go.mod")), listed)

	n := 0
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "go.mod" || filepath.Dir(path) == root || strings.Contains(path, "testdata") {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, root+"/")))
		assert.Contains(t, page, dir)
		for _, m := range requirements(t, path) {
			if !strings.HasPrefix(m, "github.com/mapatom/") && !strings.HasPrefix(dir, "docs/bench") {
				assert.Contains(t, page, m, dir)
				n++
			}
		}
		return nil
	}))
	assert.Greater(t, n, 8)

	// What is archived or not maintained is not behind any of it.
	sum := readPage(t, filepath.Join(root, "go.sum"))
	for _, gone := range []string{"xeipuuv", "mitchellh/colorstring", "gopkg.in/yaml.v2 "} {
		assert.NotContains(t, sum, gone)
	}
}

// requirements are the modules that a go.mod requires directly.
func requirements(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	f, err := modfile.Parse(path, text, nil)
	require.NoError(t, err)
	var out []string
	for _, r := range f.Require {
		if !r.Indirect {
			out = append(out, r.Mod.Path)
		}
	}
	return out
}
