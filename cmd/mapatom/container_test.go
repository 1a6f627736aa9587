package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/workplace"
)

// container runs a Containerfile without a daemon and without an image: each stage is a
// folder, and what is absolute in its commands is below that. It knows what our file uses,
// and stops at anything else.
type container struct {
	*testing.T
	context    string // what is to be copied from
	temp       string
	stages     map[string]string // root by name
	root, dir  string            // of the stage
	env        map[string]string
	entrypoint string
	volumes    []string
}

// absolute matches a path where a word or the value of a variable begins.
var absolute = regexp.MustCompile(`(^|[\s=:"])/(\w)`)

// below is a text with its absolute paths below the root of the stage.
func (c *container) below(text string) string {
	return absolute.ReplaceAllString(text, "${1}"+c.root+"/$2")
}

// build runs the instructions of a file.
func (c *container) build(file string) {
	for line := range strings.Lines(file) {
		line, _, _ = strings.Cut(line, "#")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "":
		case "FROM":
			image, name, _ := strings.Cut(rest, " AS ")
			require.Regexp(c, `^golang:1\.\d+$`, image)
			c.root = c.temp + "/" + filepath.Base(image) + name
			c.stages[name], c.dir, c.env = c.root, c.root, map[string]string{}
			require.NoError(c, os.MkdirAll(c.root+"/etc", 0o755))
		case "WORKDIR":
			c.dir = c.below(rest)
			require.NoError(c, os.MkdirAll(c.dir, 0o755))
		case "COPY":
			c.copy(strings.Fields(rest))
		case "ENV":
			for _, f := range strings.Fields(rest) {
				k, v, ok := strings.Cut(f, "=")
				require.True(c, ok, line)
				c.env[k] = c.below(v)
			}
		case "RUN":
			out, status := c.run(c.below(rest))
			require.Zero(c, status, "%s\n%s", line, out)
		case "VOLUME":
			c.volumes = append(c.volumes, c.below(rest))
		case "ENTRYPOINT":
			c.entrypoint = strings.Trim(rest, `[]"`)
		default:
			require.Fail(c, "what is that?", line)
		}
	}
}

func (c *container) copy(args []string) {
	from := c.context
	if stage, ok := strings.CutPrefix(args[0], "--from="); ok {
		require.Contains(c, c.stages, stage)
		from, args = c.stages[stage], args[1:]
	}
	require.Len(c, args, 2)
	to := c.below(args[1])
	if args[1] == "." {
		to = c.dir
	}
	require.NoError(c, os.MkdirAll(filepath.Dir(to), 0o755))
	src := filepath.Join(from, args[0])
	if args[0] == "." {
		src += "/."
	}
	out, err := exec.Command("cp", "-R", src, to).CombinedOutput()
	require.NoError(c, err, string(out))
}

// run runs a command in the stage, and returns what it prints and its status.
func (c *container) run(line string) (string, int) {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_SYSTEM="+c.root+"/etc/gitconfig", "PATH="+c.root+"/usr/local/bin:"+os.Getenv("PATH"))
	for k, v := range maps.All(c.env) {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil {
		require.ErrorAs(c, err, &exit, line)
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

// TestContainer runs the stages of Containerfile by hand, and then its program on a module
// that is mounted where docs/ci.md mounts it.
func TestContainer(t *testing.T) {
	if !*long {
		t.Skip("it compiles the program anew: -long")
	}
	c := &container{T: t, temp: workplace.New(t, "container"), stages: map[string]string{}}
	c.context = c.temp + "/context"
	if _, err := os.Stat("../../.git"); err != nil {
		t.Skip("this is no checkout")
	}
	git(t, "../..", "clone", "-q", "--depth=1", "file://"+absolutePath(t, "../.."), c.context)
	c.build(readPage(t, "../../Containerfile"))

	assert.FileExists(t, c.root+"/usr/local/bin/mapatom")
	assert.Contains(t, c.volumes, filepath.Dir(c.env["MAPATOM_CACHE"]), "what is kept outlives the container")
	src := c.below("/src")
	assert.Equal(t, src, c.dir, "where docs/ci.md mounts the module")
	assert.Contains(t, readPage(t, "../../docs/ci.md"), `-v "$PWD:/src" -v mapatom:/cache mapatom ./...`)
	repositoryOf(t, checkoutIn(t, c.dir))
	out, status := c.run(c.entrypoint + " ./...")
	assert.Equal(t, 3, status, out)
	assert.Contains(t, out, "(MA1001 lost-update)")
	kept, err := os.ReadDir(c.env["MAPATOM_CACHE"])
	require.NoError(t, err)
	assert.NotEmpty(t, kept)
}

func absolutePath(t *testing.T, name string) string {
	abs, err := filepath.Abs(name)
	require.NoError(t, err)
	return abs
}
