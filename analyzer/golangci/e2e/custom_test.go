package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCustom runs what the README tells people to run, `golangci-lint custom` and
// `./custom-gcl run ./...`, with the file that they copy. golangci-lint clones itself: here
// from its module, as the repository that git is told to take instead. The plugin has a
// path, and not the version of a release.
func TestCustom(t *testing.T) {
	dir := module(t)
	lint := filepath.Join(t.TempDir(), "golangci-lint")
	build(t, ".", "github.com/golangci/golangci-lint/v2/cmd/golangci-lint", lint)
	plugin, err := filepath.Abs(root)
	require.NoError(t, err)
	file := strings.Replace(block(t, 0), "    version: latest\n", "    path: "+plugin+"\n", 1)
	require.Contains(t, file, "path: ")
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".custom-gcl.yml"), []byte(file), 0o644))

	cmd := exec.Command(lint, "custom", "-v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=url.file://"+repository(t, "v2.15.0")+".insteadOf",
		"GIT_CONFIG_VALUE_0=https://github.com/golangci/golangci-lint.git")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))

	custom := filepath.Join(dir, "custom-gcl")
	got := output(t, dir, custom, "run", "./...")
	assert.Contains(t, got, "(MA1001 lost-update)")
	assert.Regexp(t, `(?m)^\* mapatom: \d+$`, got)
	clean := exec.Command(custom, "cache", "clean")
	clean.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+t.TempDir())
	out, err = clean.CombinedOutput()
	assert.NoError(t, err, string(out))
}

// repository is golangci-lint as a repository with one tag.
func repository(t *testing.T, tag string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/golangci/golangci-lint/v2").Output()
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), "repository")
	require.NoError(t, os.CopyFS(dir, os.DirFS(strings.TrimSpace(string(out)))))
	for _, args := range [][]string{{"init", "-q"}, {"add", "-f", "."}, {"commit", "-q", "-m", "a release"}, {"tag", tag}} {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	return dir
}

// TestConfigOfPlugin: with the settings of the page the plugin reads the file that mapatom
// reads.
func TestConfigOfPlugin(t *testing.T) {
	dir := module(t)
	all := lint(t, dir)
	found := false
	for _, b := range yamlBlocks(t, root+"/docs/golangci-lint.md") {
		if strings.HasPrefix(b, "        settings:\n") {
			found = true
			before, _, _ := strings.Cut(block(t, 1), "        settings:\n")
			require.NoError(t, os.WriteFile(filepath.Join(dir, ".golangci.yml"), []byte(before+b), 0o644))
		}
	}
	require.True(t, found)
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".mapatom.yml"), []byte("exclude:\n  - files: user/**\n"), 0o644))
	rest := lint(t, dir)
	assert.Less(t, len(rest), len(all))
	for _, is := range rest {
		assert.False(t, strings.HasPrefix(is.Pos.Filename, "user/"), is.Text)
	}
	assert.Equal(t, texts(rest), findings(output(t, dir, mapatom(t), "-format=line", "./...")))
}
