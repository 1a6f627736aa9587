package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/report/sarif/sariftest"
	"github.com/mapatom/mapatom/internal/checker/fence"
	"github.com/mapatom/mapatom/internal/checker/workplace"
	"github.com/mapatom/mapatom/internal/pace"
)

var long = flag.Bool("long", false, "run what takes long as well")

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(pace.Tests(m), map[string]func(){"mapatom": main})
}

// TestScript runs the program as a user does. Nothing is downloaded: what
// the scripts need is in the module cache, because this module needs it.
func TestScript(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	folders := map[string]string{"GOCACHE": goEnv(t, "GOCACHE"), "GOMODCACHE": goEnv(t, "GOMODCACHE")}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		WorkdirRoot:   workplace.New(t, "scripts"),
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": status, "onetree": oneTree, "sarif": validSARIF, "twice": twice, "agree": agree, "units": units,
			"truncate": truncate, "fill": fill, "session": session, "quotes": quotes, "messages": messages,
		},
		Condition: func(what string) (bool, error) {
			switch what {
			case "fence":
				return fence.Missing() == nil, nil
			case "long":
				return *long, nil
			}
			return false, fmt.Errorf("unknown condition %q", what)
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("MODULE", root)
			env.Setenv("MAPATOM", filepath.Join(filepath.SplitList(env.Getenv("PATH"))[0], "mapatom"))
			env.Setenv("GOPROXY", "off")
			env.Setenv("GOTOOLCHAIN", "local")
			env.Setenv("GOFLAGS", "")
			env.Setenv("MAPATOM_CACHE", filepath.Join(env.WorkDir, ".tmp", "kept"))
			for name, dir := range folders {
				env.Setenv(name, dir)
			}
			return nil
		},
	})
}

func goEnv(t *testing.T, name string) string {
	out, err := exec.Command("go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// truncate empties all files below a directory: truncate DIR
func truncate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: truncate directory")
	}
	ts.Check(filepath.WalkDir(ts.MkAbs(args[0]), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Truncate(path, 0)
	}))
}

// status runs a command and checks its exit status: status 3 mapatom ./...
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("%s: exit status %s, not %s\n%s%s", strings.Join(args[1:], " "), got, args[0], ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	}
}

// twice runs a command twice and compares what it prints: twice N command
// [args...]. The second time there is one processor, so that goroutines take turns
// in another way. Nothing is kept from the first.
func twice(ts *testscript.TestScript, neg bool, args []string) {
	set := func(name, value string) (undo func()) {
		before := ts.Getenv(name)
		ts.Setenv(name, value)
		return func() { ts.Setenv(name, before) }
	}
	defer set("MAPATOM_CACHE", "off")()
	status(ts, neg, args)
	first := ts.ReadFile("stdout")
	defer set("GOMAXPROCS", "1")()
	status(ts, neg, args)
	if ts.ReadFile("stdout") != first {
		ts.Fatalf("%s: another output the second time", strings.Join(args[1:], " "))
	}
}

// agree compares what mapatom finds alone with what it finds under go vet, and
// whether both are content: agree [packages...]. What mapatom printed is stdout and
// stderr afterwards.
func agree(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: agree [packages...]")
	}
	vetErr := ts.Exec("go", append([]string{"vet", "-vettool=" + ts.Getenv("MAPATOM")}, args...)...)
	vet := findingLines(ts, ts.ReadFile("stderr"))
	err := ts.Exec("mapatom", append([]string{"-format=line"}, args...)...)
	alone := findingLines(ts, ts.ReadFile("stdout")+ts.ReadFile("stderr"))
	if !slices.Equal(alone, vet) {
		ts.Fatalf("alone:\n%s\nunder go vet:\n%s", strings.Join(alone, "\n"), strings.Join(vet, "\n"))
	}
	if (err == nil) != (vetErr == nil) {
		ts.Fatalf("alone: %v; under go vet: %v\n%s", err, vetErr, ts.ReadFile("stderr"))
	}
}

// findingLines are the findings in what was printed, sorted.
func findingLines(ts *testscript.TestScript, text string) []string {
	for _, bad := range []string{"panic:", "internal error", "goroutine 1 "} {
		if strings.Contains(text, bad) {
			ts.Fatalf("%s in\n%s", bad, text)
		}
	}
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if findingLine.MatchString(line) {
			out = append(out, strings.TrimPrefix(line, ts.MkAbs(".")+"/"))
		}
	}
	slices.Sort(out)
	return out
}

// findingLine matches a position, a message and its category.
var findingLine = regexp.MustCompile(`^\S+:\d+: .* \(MA\d+ [a-z-]+\)$`)

// validSARIF reads a file as strictly as is possible without its schema: sarif FILE
func validSARIF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: sarif file")
	}
	_, err := sariftest.Read([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
}

// oneTree merges the JSON objects in a file: onetree FILE
func oneTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: onetree file")
	}
	tree := map[string]any{}
	for dec := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0]))); dec.More(); {
		ts.Check(dec.Decode(&tree)) // keeps what is there
	}
	out, err := json.MarshalIndent(tree, "", "\t")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), append(out, '\n'), 0o644))
}
