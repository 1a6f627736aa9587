package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/vettool"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// documents are the pages of the documentation, by path from the root.
func documents(t *testing.T) map[string]string {
	t.Chdir("../..")
	files, err := filepath.Glob("docs/*.md")
	require.NoError(t, err)
	categories, err := filepath.Glob("docs/*/*.md")
	require.NoError(t, err)
	out := map[string]string{}
	for _, name := range append(append(files, categories...), "README.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		out[name] = string(text)
	}
	return out
}

// command matches a command of mapatom in code: at the beginning of a line, or in a
// sentence.
var command = regexp.MustCompile("(?m)(?:^ *(?:\\$ |- run: |- )?(?:go tool )?|`)(mapatom(?: [^`\n]*)?)(?:`|$)")

// TestDocumentedCommands: each command that the documentation names is there, and
// has the flags and the values of flags that it is shown with.
func TestDocumentedCommands(t *testing.T) {
	n := 0
	for name, text := range documents(t) {
		for _, m := range command.FindAllStringSubmatch(code(text), -1) {
			args := words(m[1])
			if len(args) > 0 && vettool.Is(args) || slices.Contains(args, "[-env=...]") {
				continue
			}
			var stdout, stderr bytes.Buffer
			got := run(context.Background(), append([]string{"-help=true"}, args...), &stdout, &stderr)
			assert.Equal(t, cli.Clean, got, "%s: %s\n%s", name, m[1], stderr.String())
			assert.True(t, isCommandOrPattern(args), "%s: %s: no such command", name, m[1])
			n++
		}
	}
	assert.Greater(t, n, 40)
}

// isCommandOrPattern reports whether the first argument that is no flag is a command,
// or looks like packages.
func isCommandOrPattern(args []string) bool {
	i := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if i < 0 || strings.ContainsAny(args[i], "./[") {
		return true
	}
	return slices.ContainsFunc(commands(&cli.App{}).Commands(), func(c *cobra.Command) bool { return c.Name() == args[i] })
}

// code is what is code in a page: blocks, and what is between backquotes.
func code(text string) string {
	var out strings.Builder
	fenced := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced || strings.HasPrefix(line, "    "):
			out.WriteString(line)
		default:
			for _, m := range quoted.FindAllString(line, -1) {
				out.WriteString(m + "\n")
			}
		}
	}
	return out.String()
}

var quoted = regexp.MustCompile("`[^`]+`")

// words are the arguments of a command without what is for the shell.
func words(line string) []string {
	line, _, _ = strings.Cut(line, "   ") // what follows is an explanation
	var out []string
	for _, m := range word.FindAllString(line, -1)[1:] {
		if strings.ContainsAny(m[:1], "|>;&#") {
			break
		}
		switch {
		case m == "...":
		case len(m) == 1 && "A" <= m && m <= "Z": // stands for a number
			out = append(out, "1")
		default:
			out = append(out, strings.NewReplacer("'", "", `"`, "", ";", "").Replace(m))
		}
	}
	return out
}

var word = regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)

// TestQuotedRuns: a block of the console shows a part of what its command prints.
func TestQuotedRuns(t *testing.T) {
	n := 0
	for name, text := range documents(t) {
		for _, m := range console.FindAllStringSubmatch(text, -1) {
			var stdout, stderr bytes.Buffer
			run(context.Background(), words(m[1]), &stdout, &stderr)
			assert.Contains(t, stdout.String(), m[2], "%s: %s", name, m[1])
			n++
		}
	}
	assert.Positive(t, n)
}

var console = regexp.MustCompile("(?ms)^```console\n\\$ (mapatom [^\n]*)\n(.*?)^```$")

// TestYAML: files that people are to copy are well-formed, and the configuration is
// one.
func TestYAML(t *testing.T) {
	n := 0
	for name, text := range documents(t) {
		for _, m := range yamlBlock.FindAllStringSubmatch(text, -1) {
			assert.NoError(t, yaml.Unmarshal([]byte(m[1]), new(any)), "%s:\n%s", name, m[1])
			if name == "docs/configuration.md" {
				file := filepath.Join(t.TempDir(), config.FileName)
				writeFile(t, file, m[1])
				_, err := config.Load(file)
				assert.NoError(t, err)
				n++
			}
		}
	}
	assert.Equal(t, 1, n)
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestKeys: the pages that list the keys of the configuration have all of them.
func TestKeys(t *testing.T) {
	pages := documents(t)
	for _, key := range config.Keys() {
		assert.Contains(t, pages["docs/golangci-lint.md"], "`"+key+"`")
		assert.Regexp(t, `(?m)^`+key+`: *`, pages["docs/configuration.md"])
	}
}

// TestLinks: what a page links to is there.
func TestLinks(t *testing.T) {
	const web = "https://github.com/mapatom/mapatom/blob/main/"
	for name, text := range documents(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if rest, ok := strings.CutPrefix(to, web); ok {
				assert.FileExists(t, rest, name)
			} else if to != "" && !strings.Contains(to, "://") {
				_, err := os.Stat(filepath.Join(filepath.Dir(name), to))
				assert.NoError(t, err, name)
			}
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
