package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// block is a block of a page.
type block struct {
	page string
	lang string // indented, if it has no fence
	n    int    // which one of that language in the page, from 1
	text string // without its indentation
}

func (b block) String() string { return fmt.Sprintf("%s %s %d", b.page, b.lang, b.n) }

// indented is the language of a block without a fence.
const indented = "indented"

var fenceLine = regexp.MustCompile("^ *```([a-z]*)$")

// blocksOf are the blocks of a page in their order.
func blocksOf(t require.TestingT, page, text string) []block {
	var out []block
	count := map[string]int{}
	add := func(lang, text string) {
		count[lang]++
		out = append(out, block{page, lang, count[lang], text})
	}
	open := false // within a fence
	lang, body := "", ""
	flush := func() {
		if body != "" {
			add(indented, strings.TrimRight(body, "\n")+"\n")
		}
		body = ""
	}
	for line := range strings.Lines(text) {
		m := fenceLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		code, deep := strings.CutPrefix(line, "    ")
		switch {
		case m != nil && open:
			add(lang, body)
			open, body = false, ""
		case m != nil:
			flush()
			require.NotEmpty(t, m[1], "%s: a block of no language", page)
			open, lang = true, m[1]
		case open:
			body += line
		case deep, body != "" && line == "\n":
			body += code
		default:
			flush()
		}
	}
	require.False(t, open, "%s: a block has no end", page)
	flush()
	return out
}

// readBy are the tests that read blocks of pages by themselves, or why nothing does.
// Scripts name theirs: see fill and session. Blocks of commands are not here.
var readBy = []struct {
	page, lang, begins *regexp.Regexp
	tests              string
	why                string
}{
	{page: at(`docs/categories/`), lang: at(`go|text`), tests: "TestPages"},
	{page: at(`README`), lang: at(`go|text`), tests: "TestReadme"},
	{page: at(`README`), lang: at(`yaml`), tests: "TestCustomFile, TestDriversAgree"},
	{page: at(`README`), lang: at(indented), begins: at(`mapatom \[packages\]  `), tests: "TestDocumentedCommands"},
	{page: at(`CONTRIBUTING`), lang: at(indented), begins: at(`cmd/mapatom  `), tests: "TestHouseMap"},
	{page: at(`docs/ci`), lang: at(`yaml`), begins: at(`repos:`), tests: "TestPreCommit"},
	{page: at(`docs/ci`), lang: at(`yaml`), tests: "TestRecipes, TestAction, TestWorkflows"},
	{page: at(`docs/configuration`), lang: at(`yaml`), tests: "TestYAML, TestConfigSchema"},
	{page: at(`docs/confirm`), lang: at(`text`), tests: "TestConfirmDocs"},
	{page: at(`docs/editors`), lang: at(`json`), begins: at(`(?s).*"tasks"`), tests: "TestProblemMatcher"},
	{page: at(`docs/editors`), lang: at(`json`), tests: "TestEditorSettings"},
	{page: at(`docs/editors`), lang: at(`yaml`), tests: "TestConfigSchema"},
	{page: at(`docs/editors`), lang: at(indented), begins: at(`:set makeprg`), tests: "TestErrorformat"},
	{page: at(`docs/golangci-lint`), lang: at(`yaml`), begins: at(`version: v2`), tests: "TestCustomFile"},
	{page: at(`docs/golangci-lint`), lang: at(`yaml`), begins: at(` +settings:`), tests: "TestConfigOfPlugin"},
	{page: at(`docs/golangci-lint`), lang: at(`yaml`), begins: at(`version: "2"`), tests: "TestDriversAgree"},
	{page: at(`docs/golangci-lint`), lang: at(`yaml`), tests: "TestExclusions"},
	{page: at(`docs/golangci-lint`), lang: at(indented), begins: at(`tour/`), tests: "TestOneIssue"},
	{page: at(`docs/history-format`), lang: at(indented), tests: "TestDocumented"},
	{page: at(`docs/map-libraries`), lang: at(indented), begins: at(`NAME\(`), why: "it is the grammar of the next block"},
	{page: at(`docs/map-libraries`), lang: at(indented), begins: at(`Load\(`), tests: "TestMapOfThePage"},
	{page: at(`docs/nogo`), lang: at(`json|starlark`), tests: "TestNogo"},
	{page: at(`docs/snapshot`), lang: at(indented), begins: at(`mapatom snapshot test   `), tests: "TestDocumentedCommands"},
	{page: at(`docs/verdicts`), lang: at(`console`), tests: "TestQuotedRuns"},
	{page: at(`docs/verdicts`), lang: at(`text`), why: "they are drawings of what the text says"},
}

// at matches a beginning.
func at(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)`) }

// TestBlocks: each block of each page is read by a script or another test, or is made of
// commands, each of which a test runs, or there is a reason.
func TestBlocks(t *testing.T) {
	pages := documents(t)
	tests, inScripts := testNames(t, "."), scripted(t)
	used := make([]bool, len(readBy))
	n := 0
	for name, text := range pages {
		for _, b := range blocksOf(t, name, text) {
			n++
			if inScripts[b.String()] {
				delete(inScripts, b.String())
				continue
			}
			by := -1
			for i, r := range readBy {
				if r.page.MatchString(b.page) && r.lang.MatchString(b.lang) && (r.begins == nil || r.begins.MatchString(b.text)) {
					by = i
					break
				}
			}
			if by >= 0 {
				used[by] = true
				continue
			}
			for line := range strings.Lines(b.text) {
				assert.True(t, isCommand(line), "%s: nothing runs or reads the line %q", b, line)
			}
		}
	}
	assert.Greater(t, n, 80)
	assert.Empty(t, inScripts, "scripts name blocks that are not there")
	for i, r := range readBy {
		assert.True(t, used[i], "no block is %s %s %s", r.page, r.lang, r.begins)
		assert.NotEqual(t, r.tests == "", r.why == "", r.page.String())
		for test := range strings.SplitSeq(r.tests, ", ") {
			assert.True(t, test == "" || tests[test], "there is no %s", test)
		}
	}
}

// scripted are the blocks that scripts name.
func scripted(t *testing.T) map[string]bool {
	out := map[string]bool{}
	files, err := filepath.Glob("cmd/mapatom/testdata/script/*.txtar")
	require.NoError(t, err)
	for _, name := range files {
		for _, m := range usesBlock.FindAllStringSubmatch(readPage(t, name), -1) {
			out[m[1]] = true
		}
	}
	return out
}

var usesBlock = regexp.MustCompile(`(?m)^(?:\[exec:bash\] )?(?:fill|session|quotes|messages) (\S+ \S+ \d+)`)

// named is the block that the first arguments of a command of a script name.
func named(ts *testscript.TestScript, neg bool, args []string, usage string) (b block, rest []string) {
	n := 0
	if len(args) >= 3 {
		n, _ = strconv.Atoi(args[2])
	}
	if neg || n < 1 {
		ts.Fatalf("usage: %s", usage)
	}
	text, err := os.ReadFile(filepath.Join(ts.Getenv("MODULE"), args[0]))
	ts.Check(err)
	for _, b := range blocksOf(fatal{ts}, args[0], string(text)) {
		if b.lang == args[1] && b.n == n {
			return b, args[3:]
		}
	}
	ts.Fatalf("there is no block %s", strings.Join(args[:3], " "))
	return block{}, nil
}

// fatal lets a script fail by a requirement.
type fatal struct{ *testscript.TestScript }

func (f fatal) Errorf(format string, args ...any) { f.Fatalf(format, args...) }
func (f fatal) FailNow()                          { f.Fatalf("failed") }

// hole is where a fragment stands in the file that completes it.
var hole = regexp.MustCompile(`(?m)^[ \t]*//block\n`)

// fill writes a block into a file, or, if the file is there, puts it where that has the
// comment //block: fill PAGE LANGUAGE N FILE
func fill(ts *testscript.TestScript, neg bool, args []string) {
	b, rest := named(ts, neg, args, "fill page language n file")
	if len(rest) != 1 {
		ts.Fatalf("usage: fill page language n file")
	}
	path, text := ts.MkAbs(rest[0]), b.text
	if frame, err := os.ReadFile(path); err == nil {
		place := hole.FindIndex(frame)
		if place == nil {
			ts.Fatalf("%s has no place for %s", rest[0], b)
		}
		text = string(frame[:place[0]]) + b.text + string(frame[place[1]:])
	}
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o755))
	ts.Check(os.WriteFile(path, []byte(text), 0o644))
}

// session runs the commands of a block, which are behind a $, and looks in what each
// prints for the lines that stand below it: session PAGE LANGUAGE N
func session(ts *testscript.TestScript, neg bool, args []string) {
	b, _ := named(ts, neg, args, "session page language n")
	parts := strings.Split("\n"+b.text, "\n$ ")
	if len(parts) < 2 || parts[0] != "" {
		ts.Fatalf("%s has no command", b)
	}
	for _, part := range parts[1:] {
		line, want, _ := strings.Cut(part, "\n")
		if err := ts.Exec("bash", "-c", line); err != nil && err.Error() != "exit status 3" {
			ts.Fatalf("%s: %s: %v\n%s", b, line, err, ts.ReadFile("stderr"))
		}
		contains(ts, b, want)
	}
}

// contains looks for lines in what was printed last.
func contains(ts *testscript.TestScript, b block, want string) {
	want = strings.TrimRight(want, "\n")
	if got := ts.ReadFile("stdout"); want != "" && !strings.Contains("\n"+got, "\n"+want+"\n") {
		ts.Fatalf("%s: there is no\n%s\nin\n%s%s", b, want, got, ts.ReadFile("stderr"))
	}
}

// quotes looks in what was printed last for a block: quotes PAGE LANGUAGE N
func quotes(ts *testscript.TestScript, neg bool, args []string) {
	b, _ := named(ts, neg, args, "quotes page language n")
	contains(ts, b, b.text)
}

// messages looks in what was printed last, as an error, for the lines of a block:
// messages PAGE LANGUAGE N
func messages(ts *testscript.TestScript, neg bool, args []string) {
	b, _ := named(ts, neg, args, "messages page language n")
	for line := range strings.Lines(b.text) {
		if !strings.Contains(ts.ReadFile("stderr"), line) {
			ts.Fatalf("%s: there is no\n%sin\n%s", b, line, ts.ReadFile("stderr"))
		}
	}
}
