package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif/sariftest"
)

// action is action.yml.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []struct {
			ID, Shell, Run string
			Dir            string `yaml:"working-directory"`
			Env            map[string]string
		}
	}
}

func readYAML(t *testing.T, name string, to any) {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, to), name)
}

// workflow runs an action as GitHub would: expressions are replaced, and what a step
// writes to GITHUB_OUTPUT is for the next ones.
type workflow struct {
	*testing.T
	action  action
	dir     string // the checkout
	path    string // of commands
	inputs  map[string]string
	outputs map[string]string // "STEP.NAME"
}

var expression = regexp.MustCompile(`\$\{\{ *(inputs|steps)\.([a-z-]+)(?:\.outputs\.([a-z-]+))? *\}\}`)

func (w *workflow) eval(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		m := expression.FindStringSubmatch(e)
		if m[1] == "steps" {
			return w.outputs[m[2]+"."+m[3]]
		}
		if v, ok := w.inputs[m[2]]; ok {
			return v
		}
		in, ok := w.action.Inputs[m[2]]
		require.True(w, ok, "input %s", m[2])
		return in.Default
	})
}

// run runs all steps and returns the exit status of the first that fails, and what was
// printed.
func (w *workflow) run() (status int, printed string) {
	w.outputs = map[string]string{}
	for _, step := range w.action.Runs.Steps {
		require.Equal(w, "bash", step.Shell)
		file := filepath.Join(w.TempDir(), "output")
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", w.eval(step.Run))
		cmd.Dir = filepath.Join(w.dir, w.eval(step.Dir))
		cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+file, "GITHUB_WORKSPACE="+w.dir, "PATH="+w.path)
		for k, v := range step.Env {
			cmd.Env = append(cmd.Env, k+"="+w.eval(v))
		}
		out, err := cmd.CombinedOutput()
		printed += string(out)
		if text, err := os.ReadFile(file); err == nil {
			for line := range strings.Lines(string(text)) {
				k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
				w.outputs[step.ID+"."+k] = v
			}
		}
		if err != nil {
			exit := new(exec.ExitError)
			require.ErrorAs(w, err, &exit, printed)
			return exit.ExitCode(), printed
		}
	}
	return 0, printed
}

// goInstall stands for the go command in workflows: what they install is the program
// that is being tested.
const goInstall = `#!/bin/sh
case "$*" in
"install github.com/mapatom/mapatom/cmd/mapatom@latest") cp "$TESTED" "$FAKE/bin/mapatom" ;;
"env GOPATH") echo "$FAKE" ;;
*) exec "$REAL" "$@" ;;
esac
`

// installed is a PATH with that go command, and with the program if it was installed.
func installed(t *testing.T) string {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash")
	}
	fake := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(fake, "bin"), 0o755))
	real, err := exec.LookPath("go")
	require.NoError(t, err)
	tested, err := exec.LookPath("mapatom") // see TestMain
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(fake, "go"), []byte(goInstall), 0o755))
	t.Setenv("REAL", real)
	t.Setenv("TESTED", tested)
	t.Setenv("FAKE", fake)
	t.Setenv("MAPATOM_CACHE", "off")
	return fake + string(filepath.ListSeparator) + filepath.Join(fake, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH")
}

// checkout is a module with a finding and a package without any.
func checkout(t *testing.T) string { return checkoutIn(t, t.TempDir()) }

func checkoutIn(t *testing.T, dir string) string {
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/checkout\n\ngo 1.26\n")
	writeFile(t, filepath.Join(dir, "fine", "fine.go"), "package fine\n")
	writeFile(t, filepath.Join(dir, "a.go"), "package a\n\nimport \"sync\"\n\nvar m sync.Map\n\nfunc F(k string, v int) {\n\tif _, ok := m.Load(k); !ok {\n\t\tm.Store(k, v)\n\t}\n}\n")
	return dir
}

// TestAction runs the steps of action.yml by hand.
func TestAction(t *testing.T) {
	w := &workflow{T: t, path: installed(t), dir: checkout(t)}
	readYAML(t, "../../action.yml", &w.action)
	assert.Equal(t, "composite", w.action.Runs.Using)
	for name, in := range w.action.Inputs {
		assert.NotEmpty(t, in.Description, name)
	}

	used := actionInputs(t)
	assert.NotEmpty(t, used, "docs/ci.md uses the action")
	w.inputs = used
	status, printed := w.run()
	assert.Equal(t, 3, status, printed)
	assert.Regexp(t, `(?m)^::warning file=a\.go,line=9,`, printed)
	assert.Equal(t, "true", w.eval(w.action.Outputs["findings"].Value))

	w.inputs = map[string]string{"format": "sarif", "fail": "false", "args": "-report=all -tests"}
	status, printed = w.run()
	assert.Zero(t, status, printed)
	log, err := os.ReadFile(filepath.Join(w.dir, "mapatom.sarif"))
	require.NoError(t, err)
	run, err := sariftest.Read(log)
	require.NoError(t, err)
	assert.Len(t, run.Results, 1)
	assert.Equal(t, "true", w.eval(w.action.Outputs["findings"].Value))

	w.inputs = map[string]string{"working-directory": "fine"}
	status, printed = w.run()
	assert.Zero(t, status, printed)
	assert.Equal(t, "false", w.eval(w.action.Outputs["findings"].Value))

	w.inputs = map[string]string{"packages": "./missing", "fail": "false"}
	status, printed = w.run()
	assert.Equal(t, 1, status, printed)
}

// actionInputs are those that docs/ci.md gives the action.
func actionInputs(t *testing.T) map[string]string {
	for _, m := range yamlBlock.FindAllStringSubmatch(readPage(t, "../../docs/ci.md"), -1) {
		var doc struct {
			Jobs map[string]struct {
				Steps []struct {
					Uses string
					With map[string]string
				}
			}
		}
		if yaml.Unmarshal([]byte(m[1]), &doc) != nil {
			continue // a list of steps
		}
		for _, step := range doc.Jobs["mapatom"].Steps {
			if strings.HasPrefix(step.Uses, "mapatom/mapatom@") {
				return step.With
			}
		}
	}
	return nil
}

// TestRecipes runs what the pages have CI run, as far as a machine without the services
// can: the lines of shell of GitHub's steps and GitLab's scripts, in a checkout.
func TestRecipes(t *testing.T) {
	path, dir := installed(t), checkout(t)
	page, err := os.ReadFile("../../docs/ci.md")
	require.NoError(t, err)
	n := 0
	for _, m := range yamlBlock.FindAllStringSubmatch(string(page), -1) {
		var doc any
		require.NoError(t, yaml.Unmarshal([]byte(m[1]), &doc))
		for _, line := range scripts(doc) {
			cmd := exec.Command("bash", "-eo", "pipefail", "-c", line)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+path)
			out, err := cmd.CombinedOutput()
			if exit := new(exec.ExitError); err != nil {
				require.ErrorAs(t, err, &exit, line)
				assert.Equal(t, 3, exit.ExitCode(), "%s\n%s", line, out)
			}
			n++
		}
	}
	assert.Greater(t, n, 4)
	assert.FileExists(t, filepath.Join(dir, "mapatom.sarif"))
	assert.FileExists(t, filepath.Join(dir, "mapatom.json"))
}

// scripts are the lines of shell in a workflow.
func scripts(v any) (out []string) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			out = append(out, scripts(item)...)
		}
	case map[string]any:
		if run, ok := v["run"].(string); ok {
			out = append(out, run)
		}
		if lines, ok := v["script"].([]any); ok {
			for _, line := range lines {
				out = append(out, line.(string))
			}
		}
		for _, key := range []string{"jobs", "mapatom", "steps"} {
			out = append(out, scripts(v[key])...)
		}
	}
	return out
}

// TestPreCommit: the hook runs the program that installing the module gives.
func TestPreCommit(t *testing.T) {
	var hooks []struct {
		ID, Entry, Language string
		PassFilenames       bool `yaml:"pass_filenames"`
	}
	readYAML(t, "../../.pre-commit-hooks.yaml", &hooks)
	require.NotEmpty(t, hooks)
	var copied struct {
		Repos []struct {
			Repo  string
			Hooks []struct{ ID string }
		}
	}
	for _, m := range yamlBlock.FindAllStringSubmatch(readPage(t, "../../docs/ci.md"), -1) {
		if strings.HasPrefix(m[1], "repos:") {
			require.NoError(t, yaml.Unmarshal([]byte(m[1]), &copied))
		}
	}
	require.Len(t, copied.Repos, 1, "docs/ci.md has what is to be copied")
	assert.Equal(t, "https://github.com/mapatom/mapatom", copied.Repos[0].Repo)
	assert.Equal(t, hooks[0].ID, copied.Repos[0].Hooks[0].ID)
	path := installed(t)
	for _, h := range hooks {
		assert.Equal(t, "golang", h.Language)
		assert.False(t, h.PassFilenames, "packages, not files")
		cmd := exec.Command("bash", "-c", "go install github.com/mapatom/mapatom/cmd/mapatom@latest && "+h.Entry)
		cmd.Dir, cmd.Env = checkout(t), append(os.Environ(), "PATH="+path)
		out, err := cmd.CombinedOutput()
		exit := new(exec.ExitError)
		require.ErrorAs(t, err, &exit, h.ID)
		assert.Equal(t, 3, exit.ExitCode(), "%s: %s", h.ID, out)
	}
}

// TestRelease: the configuration of releases names what is there, and the platforms that
// are promised.
func TestRelease(t *testing.T) {
	var c struct {
		Builds []struct {
			Main         string
			Goos, Goarch []string
		}
		Archives []struct {
			Files []any
		}
		Sboms    []any
		Checksum map[string]string
	}
	readYAML(t, "../../.goreleaser.yaml", &c)
	require.Len(t, c.Builds, 1)
	assert.DirExists(t, filepath.Join("../..", c.Builds[0].Main))
	assert.ElementsMatch(t, []string{"linux", "darwin", "windows"}, c.Builds[0].Goos)
	assert.ElementsMatch(t, []string{"amd64", "arm64"}, c.Builds[0].Goarch)
	assert.NotEmpty(t, c.Sboms)
	assert.NotEmpty(t, c.Checksum)
	for _, f := range c.Archives[0].Files {
		if name, ok := f.(string); ok {
			assert.FileExists(t, filepath.Join("../..", name))
		}
	}
}
