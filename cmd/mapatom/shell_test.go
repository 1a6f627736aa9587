package main

import (
	"io/fs"
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

type otherCommand struct {
	line  *regexp.Regexp
	check func(*testing.T, place, string)
	tests string // what does the same, a test or a script
	why   string
}

// otherCommands are the commands of the pages that are not mapatom's: each is run or
// checked here, or another test or script does what it does, or there is a reason.
var otherCommands = []otherCommand{
	{line: at(`go vet (-a|-json|-vettool|\./server|\./\.\.\.)$`), why: "it is what go vet itself does, in a sentence"},
	{line: at(`go test -overlay$`), why: "it is a flag in a sentence"},
	{line: at(`cd \S+ && go get MODULE@VERSION && `), why: "which module it is, is the reader's choice"},
	{line: at(`go get -tool\b`), tests: "gotool.txtar"},
	{line: at(`go get github\.com/mapatom/mapatom$`), tests: "lineup_library.txtar"},
	{line: at(`go test -run '\^TestQueue\$' `), tests: "lineup_library.txtar"},
	{line: at(`go (install github|vet -vettool=\$)`), check: runsInCheckout},
	{line: at(`go run \./cmd/mapatom `), check: runsHere},
	{line: at(`(cd \S+ && )?go run \.`), check: runsMain},
	{line: at(`(cd \S+ && )?go test( \./| -[a-z]| *$)`), check: testsThatAre},
	{line: at(`(cd \S+ && )?(\.ci/|docs/bench/|\./run\.sh)`), check: isScript},
	{line: at(`golangci-lint custom|\./custom-gcl run`), tests: "TestCustom"},
	{line: at(`golangci-lint cache clean$`), tests: "TestCustom"},
	{line: at(`docker (build|run) `), tests: "TestContainer"},
	{line: at(`service-with-a-recorder \| mapatom monitor -stream -$`), tests: "monitor_stream.txtar"},
	{line: at(`which mapatom$`), check: runsInCheckout},
}

// isCommand reports whether a line of a block is a command that TestRunCommands or
// TestOtherCommands looks at.
func isCommand(line string) bool {
	line = strings.TrimSpace(line)
	return command.MatchString(line) || shellLine.MatchString(line) || line == ""
}

// shellLine matches the beginning of a command of another program.
var shellLine = regexp.MustCompile(`^(?:\$ )?(?:(?:go (?:test|run|get|install|vet|tool)|docker|cd|which) \S|golangci-lint (?:custom|cache)|\./[a-z-]+(?: run|\.sh)|\.ci/[a-z]+( +#.*)?$|docs/bench/\w+\.sh|service-with-a-recorder \|)`)

// place is where the commands of the pages are run.
type place struct{ root, checkout, path string }

// TestOtherCommands looks at the commands of other programs in the pages.
func TestOtherCommands(t *testing.T) {
	p := place{path: installed(t)}
	require.NoError(t, exec.Command("cp", os.Getenv("TESTED"), filepath.Join(os.Getenv("FAKE"), "bin", "mapatom")).Run())
	pages := documents(t)
	var err error
	p.root, err = os.Getwd()
	require.NoError(t, err)
	p.checkout = checkoutIn(t, workplace.New(t, "others"))
	tests := testNames(t, ".")
	used := make([]bool, len(otherCommands))
	done := map[string]bool{}
	for name, text := range pages {
		for _, line := range shellLines(t, name, text) {
			by := slices.IndexFunc(otherCommands, func(o otherCommand) bool { return o.line.MatchString(line) })
			if !assert.GreaterOrEqual(t, by, 0, "%s: nothing runs %q", name, line) {
				continue
			}
			used[by] = true
			if check := otherCommands[by].check; check != nil && !done[line] {
				check(t, p, line)
			}
			done[line] = true
		}
	}
	for i, o := range otherCommands {
		assert.True(t, used[i], "no command is %s", o.line)
		if strings.HasSuffix(o.tests, ".txtar") {
			assert.FileExists(t, filepath.Join("cmd/mapatom/testdata/script", o.tests))
		} else if o.tests != "" {
			assert.True(t, tests[o.tests], "there is no %s", o.tests)
		}
	}
	assert.Greater(t, len(done), 30)
}

// shellLines are the commands of other programs in a page: in blocks, those that follow a
// cd with it, and in sentences.
func shellLines(t *testing.T, page, text string) []string {
	var out []string
	add := func(dir, line string) {
		line, _, _ = strings.Cut(line, "   ") // what follows is an explanation
		if line = strings.TrimPrefix(strings.TrimSpace(line), "$ "); shellLine.MatchString(line) && !strings.HasPrefix(line, "$") {
			out = append(out, dir+line)
		}
	}
	for _, b := range blocksOf(t, page, text) {
		dir := ""
		for line := range strings.Lines(b.text) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "cd ") && !strings.Contains(line, "&&") {
				dir = line + " && "
				continue
			}
			add(dir, line)
		}
	}
	for _, m := range quoted.FindAllString(fencedBlock.ReplaceAllString(text, ""), -1) {
		if line := unwrapped(strings.Trim(m, "`")); strings.Contains(line, " ") || strings.HasPrefix(line, "docs/bench/") {
			add("", line)
		}
	}
	return out
}

var fencedBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$")

// runsInCheckout runs a line in a checkout where there is something to find.
func runsInCheckout(t *testing.T, p place, line string) {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir, cmd.Env = p.checkout, append(os.Environ(), "PATH="+p.path)
	out, err := cmd.CombinedOutput()
	if !strings.Contains(line, "./...") {
		assert.NoError(t, err, "%s\n%s", line, out)
		return
	}
	assert.Error(t, err, line)
	assert.Contains(t, string(out), "(MA1001 lost-update)", line)
}

// runsHere runs a line at the root.
func runsHere(t *testing.T, p place, line string) {
	cmd := exec.Command("bash", "-c", strings.Split(line, " #")[0])
	cmd.Dir = p.root
	out, err := cmd.CombinedOutput()
	assert.Error(t, err, line)
	assert.Contains(t, string(out), "(MA1006 duplicate-instance)", line)
}

var changesDir = regexp.MustCompile(`^cd (\S+) && `)

// inDir is the folder of a command, and the command.
func inDir(p place, line string) (dir, rest string) {
	if m := changesDir.FindStringSubmatch(line); m != nil {
		return filepath.Join(p.root, m[1]), strings.TrimPrefix(line, m[0])
	}
	return p.root, line
}

// flagsOfTests are those of go test and of test binaries that the pages name.
var flagsOfTests = []string{"run", "bench", "benchtime", "cpu", "v", "timeout", "h"}

// switches are flags without a value.
var switches = []string{"v", "h", "update"}

// testsThatAre: the package of a go test has the tests and the flags that are named.
// They are not run here: go test is what runs this.
func testsThatAre(t *testing.T, p place, line string) {
	dir, rest := inDir(p, line)
	args := words(strings.Split(rest, "#")[0])[1:]
	pattern, source := "", ""
	flags := map[string]bool{}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(strings.TrimPrefix(args[i], "-"), "=")
		if !strings.HasPrefix(args[i], "-") {
			source += sourceOf(t, filepath.Join(dir, args[i]))
			continue
		}
		if !joined && !slices.Contains(switches, name) && i+1 < len(args) {
			i++
			value = args[i]
		}
		if flags[name] = true; name == "run" || name == "bench" {
			pattern = value
		}
	}
	if source == "" {
		source = sourceOf(t, dir)
	}
	for name := range flags {
		defined := regexp.MustCompile(`flag\.\w+\("` + regexp.QuoteMeta(name) + `"`)
		assert.True(t, slices.Contains(flagsOfTests, name) || defined.MatchString(source), "%s: there is no flag -%s", line, name)
	}
	pattern, _, _ = strings.Cut(pattern, "/") // the rest names a part of the test
	if pattern != "" && !slices.Contains([]string{"^$", "-", "."}, pattern) {
		re := regexp.MustCompile(pattern)
		named := slices.ContainsFunc(function.FindAllStringSubmatch(source, -1), func(m []string) bool { return re.MatchString(m[1]) })
		assert.True(t, named, "%s: nothing is named %s", line, pattern)
	}
}

var function = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w+)\(`)

// sourceOf are the Go files of a folder, and with ... of all below it.
func sourceOf(t *testing.T, dir string) string {
	top, all := strings.CutSuffix(dir, "/...")
	var out strings.Builder
	require.NoError(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != top && !all:
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go"):
			out.WriteString(readPage(t, path))
		}
		return nil
	}))
	require.NotEmpty(t, out.String(), "no Go in %s", dir)
	return out.String()
}

// runsMain: the program of a go run is there, has the flags that are named, and is tested.
func runsMain(t *testing.T, p place, line string) {
	dir, rest := inDir(p, line)
	args := words(rest)[1:]
	source := sourceOf(t, filepath.Join(dir, args[0]))
	assert.True(t, strings.Contains(source, "package main\n"), line)
	assert.True(t, function.MatchString(source), "%s has a test", line)
	for _, a := range args[1:] {
		name, _, _ := strings.Cut(strings.TrimPrefix(a, "-"), "=")
		assert.True(t, strings.Contains(source, `"`+name+`"`), "%s: there is no flag -%s", line, name)
	}
}

// isScript: a script is there, and is one.
func isScript(t *testing.T, p place, line string) {
	dir, rest := inDir(p, line)
	name := filepath.Join(dir, strings.Fields(rest)[0])
	info, err := os.Stat(name)
	require.NoError(t, err)
	assert.NotZero(t, info.Mode()&0o111, "%s cannot be run", name)
	out, err := exec.Command("bash", "-n", name).CombinedOutput()
	assert.NoError(t, err, string(out))
}
