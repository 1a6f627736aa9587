package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/checker/workplace"
)

// notRun are the commands of the pages that TestRunCommands does not run, with what does
// or why nothing can. TestDocumentedCommands reads all of them with -help.
var notRun = []struct {
	page, command *regexp.Regexp
	why           string
}{
	{nil, regexp.MustCompile(`\b(FILE|KIND|MODEL|NAME|PKG|TYPE)\b|\[|file\.\.\.|\.cfg`), "it has words that stand for others"},
	{nil, regexp.MustCompile(`^mapatom (lineup|test|monitor|explore|snapshot \w+|reduce)( -\w+| {2,}.*)?$`), "it is the name of a command in a sentence"},
	{nil, regexp.MustCompile(`reviewdog`), "TestReviewdog in cmd/mapatom/internal/report/readers has reviewdog's parsers read this"},
	{nil, regexp.MustCompile(`^mapatom -(V=full|flags)`), "it is what go vet asks: vettool_test.go"},
	{nil, regexp.MustCompile(`origin/main`), "there is no remote; newfrom.txtar has two branches"},
	{regexp.MustCompile(`^docs/field-lineup\.md$`), regexp.MustCompile(`.`), "libraries that are downloaded, and hours; testdata/lineup/field has what is needed"},
	{regexp.MustCompile(`^docs/line-up\.md$`), regexp.MustCompile(`^mapatom lineup `), "lineup.txtar and lineup_library.txtar"},
	{regexp.MustCompile(`^docs/snapshot\.md$`), regexp.MustCompile(`both\.json|^mapatom (lineup|confirm)|-n=10`), "snapshot_scans.txtar, and for the large one a search of its own"},
	{regexp.MustCompile(`^docs/spin\.md$`), regexp.MustCompile(`snark-2`), "minutes; the tests of internal/checker/explore have it"},
	{regexp.MustCompile(`^docs/instrument\.md$`), regexp.MustCompile(`^mapatom test `), "test.txtar"},
	{regexp.MustCompile(`^docs/(confirm|esop14)\.md$`), regexp.MustCompile(`testdata/(tour|esop14)`), "confirm_test.go and esop14_test.go"},
	{nil, regexp.MustCompile(`\./a/\.\.\. \./b/`), "folders of nobody"},
}

// slow are commands that compile something, or take more than a second or two: -long runs
// them, unless others need the file that they write.
var slow = regexp.MustCompile(`^mapatom (snapshot verify -algorithm=jayanti -n=3$|-confirm |-report=confirmed$|(confirm|lineup|test)\b)`)

// exempt says why a command is not run; empty if it is.
func exempt(page, command string) string {
	for _, n := range notRun {
		if (n.page == nil || n.page.MatchString(page)) && n.command.MatchString(command) {
			return n.why
		}
	}
	return ""
}

// filed matches a command that reads or writes a file.
var filed = regexp.MustCompile(`>|\.json|\.html|-fix`)

// TestRunCommands runs the commands of the pages, in the order of each page, in a shell
// and a checkout where there is something to find, which is as new for each page. What
// names testdata is run here. What neither reads nor writes a file is run once, whichever
// pages have it.
func TestRunCommands(t *testing.T) {
	path := installed(t)
	require.NoError(t, exec.Command("cp", os.Getenv("TESTED"), filepath.Join(os.Getenv("FAKE"), "bin", "mapatom")).Run())
	pages := documents(t)
	root, err := os.Getwd()
	require.NoError(t, err)
	dir := repositoryOf(t, checkoutIn(t, workplace.New(t, "commands")))
	used := map[string]int{}
	ran := map[string]bool{}
	n := 0
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		git(t, dir, "checkout", "-q", ".")
		git(t, dir, "clean", "-q", "-f", "-d")
		for _, m := range command.FindAllStringSubmatch(code(pages[page]), -1) {
			if why := exempt(page, m[1]); why != "" {
				used[why]++
				continue
			}
			line, _, _ := strings.Cut(m[1], "   ") // what follows is an explanation
			if line = strings.TrimSpace(line); !filed.MatchString(line) && (slow.MatchString(line) && !*long || ran[line]) {
				continue
			}
			ran[line] = true
			cmd := exec.Command("bash", "-c", line)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+path)
			if strings.Contains(line, "testdata/") {
				cmd.Dir = root
			}
			out, err := cmd.CombinedOutput()
			if exit := new(exec.ExitError); err != nil {
				require.ErrorAs(t, err, &exit, "%s: %s", page, line)
				assert.Equal(t, 3, exit.ExitCode(), "%s: %s\n%s", page, line, out)
			}
			n++
		}
	}
	assert.Greater(t, n, 25)
	for _, e := range notRun {
		assert.Positive(t, used[e.why], "no command is exempt because of: %s", e.why)
	}
}

// repositoryOf makes a repository of a folder.
func repositoryOf(t *testing.T, dir string) string {
	git(t, dir, "init", "-q")
	git(t, dir, "add", ".")
	git(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "m")
	return dir
}

func git(t *testing.T, dir string, args ...string) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
}

// TestHouseMap: what the map of CONTRIBUTING.md names is there.
func TestHouseMap(t *testing.T) {
	pages := documents(t)
	rows := 0
	for _, b := range blocksOf(t, "CONTRIBUTING.md", pages["CONTRIBUTING.md"]) {
		if !strings.HasPrefix(b.text, "cmd/mapatom  ") {
			continue
		}
		var above []string // the folder at each depth
		for line := range strings.Lines(b.text) {
			names, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
			depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
			for name := range strings.SplitSeq(strings.TrimSuffix(names, "/"), ", ") {
				name = strings.Replace(name, "COMMAND", "findings", 1)
				above = append(above[:depth], name)
				assert.DirExists(t, filepath.Join(above...))
				rows++
			}
		}
	}
	assert.Greater(t, rows, 20)
}

// TestMapOfThePage: the example of docs/map-libraries.md is what the table has.
func TestMapOfThePage(t *testing.T) {
	pages := documents(t)
	_, table, _ := strings.Cut(readPage(t, "internal/analyzer/catalog/maps.txt"), "\ntype Map map\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, b := range blocksOf(t, "docs/map-libraries.md", pages["docs/map-libraries.md"]) {
		if strings.HasPrefix(b.text, "Load(") {
			assert.Equal(t, strings.ReplaceAll(table, "\t", "")+"\n", b.text)
			return
		}
	}
	assert.Fail(t, "there is no example")
}
