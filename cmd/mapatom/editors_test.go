package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var jsonBlock = regexp.MustCompile("(?ms)^```json\n(.*?)^```$")

// TestJSONBlocks: what people are to copy is well-formed.
func TestJSONBlocks(t *testing.T) {
	n := 0
	for name, text := range documents(t) {
		for _, m := range jsonBlock.FindAllStringSubmatch(text, -1) {
			assert.True(t, json.Valid([]byte(m[1])), "%s:\n%s", name, m[1])
			n++
		}
	}
	assert.Positive(t, n)
}

// TestEditorSettings: go vet with the flags of VS Code's settings finds what there is, and
// its linter is the one that is put in its place.
func TestEditorSettings(t *testing.T) {
	path, dir := installed(t), checkout(t)
	page := documents(t)["docs/editors.md"]
	vet, lint := 0, 0
	for _, b := range jsonBlock.FindAllStringSubmatch(page, -1) {
		var settings struct {
			VetFlags  []string          `json:"go.vetFlags"`
			LintTool  string            `json:"go.lintTool"`
			Alternate map[string]string `json:"go.alternateTools"`
		}
		require.NoError(t, json.Unmarshal([]byte(b[1]), &settings))
		if settings.VetFlags != nil {
			vet++
			args := append([]string{"vet"}, settings.VetFlags...)
			args[1] = strings.Replace(args[1], "/home/me/go/bin/mapatom", os.Getenv("TESTED"), 1)
			cmd := exec.Command("go", append(args, ".")...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+path)
			out, err := cmd.CombinedOutput()
			assert.Error(t, err)
			assert.Contains(t, string(out), "(MA1001 lost-update)")
		}
		if settings.LintTool != "" {
			lint++
			assert.Equal(t, "${workspaceFolder}/custom-gcl", settings.Alternate[settings.LintTool])
		}
	}
	assert.Equal(t, []int{1, 1}, []int{vet, lint})
}

// TestProblemMatcher: the pattern of the page of editors finds in each line that mapatom
// prints the file, the line, the column, the message and the identifier.
func TestProblemMatcher(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile("docs/editors.md")
	require.NoError(t, err)
	type matcher struct {
		Regexp                            string
		File, Line, Column, Message, Code int
	}
	var m matcher
	for _, b := range jsonBlock.FindAllStringSubmatch(string(page), -1) {
		var tasks struct {
			Tasks []struct{ ProblemMatcher struct{ Pattern matcher } }
		}
		require.NoError(t, json.Unmarshal([]byte(b[1]), &tasks))
		if len(tasks.Tasks) > 0 {
			m = tasks.Tasks[0].ProblemMatcher.Pattern
		}
	}
	require.NotEmpty(t, m.Regexp)
	re := regexp.MustCompile(m.Regexp)
	all := strings.Split(strings.TrimSpace(lines(t, "./testdata/tour")), "\n")
	require.Greater(t, len(all), 5)
	for _, line := range append(all, "grammar.y:100: Store can overwrite it (MA1001 lost-update) (confirmed: the real code has shown it)") {
		got := re.FindStringSubmatch(line)
		require.NotNil(t, got, line)
		assert.FileExists(t, strings.Replace(got[m.File], "grammar.y", "README.md", 1))
		assert.Regexp(t, `^\d+$`, got[m.Line])
		assert.Regexp(t, `^\d*$`, got[m.Column])
		assert.Regexp(t, `^MA\d{4}$`, got[m.Code])
		at := got[m.File] + ":" + got[m.Line] + ":"
		if strings.HasSuffix(got[m.File], ".go") {
			at += got[m.Column] + ":"
		}
		assert.True(t, strings.HasPrefix(line, at+" "+got[m.Message]+" ("+got[m.Code]+" "), "nothing is left out: %s", line)
	}
}
