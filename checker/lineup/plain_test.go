package lineup

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mapatom/mapatom/internal/checker/workplace"
)

var long = flag.Bool("long", false, "run what takes long as well")

const plainModule = `
-- go.mod --
module example.com/m

go 1.26.0

require github.com/mapatom/mapatom v0.0.0

replace github.com/mapatom/mapatom => ROOT
-- flag/flag.go --
package flag

import "sync/atomic"

// Flag is raised once: Good tells one caller that it was the one, Bad looks
// before it writes.
type Flag struct{ up atomic.Bool }

func (f *Flag) Good() bool { return f.up.CompareAndSwap(false, true) }

func (f *Flag) Bad() bool {
	if f.up.Load() {
		return false
	}
	f.up.Store(true)
	return true
}

func (f *Flag) Fails() { panic("not called") }
-- flag/flag_test.go --
package flag_test

import (
	"os"
	"testing"

	"example.com/m/flag"
	"github.com/mapatom/mapatom/checker/lineup"
)

var subject = lineup.Subject{
	Name: "Flag", New: func() any { return new(flag.Flag) },
	Invocations: []lineup.Invocation{lineup.Invoke("Good"), lineup.Invoke("Bad")},
}

func TestGood(t *testing.T) {
	lineup.Check(t, subject, "Good() Good() | Good()")
	lineup.Check(t, subject, "Good() | Good() Bad()", "Good() | Good()")
}

func TestBad(t *testing.T) {
	for _, name := range []string{"one of two", "one of two"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lineup.Check(t, subject, "Good() Good() | Good()")
			lineup.Check(t, subject, "Good() | Good()", "Bad() Good() | Bad()")
			t.Error("not reached")
		})
	}
}

func TestRandom(t *testing.T) {
	s := subject
	s.Invocations = s.Invocations[:1]
	lineup.Check(t, s)
}

type plain struct{ n int }

func (p *plain) Add() int { p.n++; return p.n }

func TestNothing(t *testing.T) {
	s := lineup.Subject{Name: "plain", New: func() any { return new(plain) }, Invocations: []lineup.Invocation{lineup.Invoke("Add")}}
	lineup.Check(t, s, "Add() | Add()")
}

func TestMemory(t *testing.T) {
	s := lineup.Subject{Name: "plain", New: func() any { return new(plain) }, Invocations: []lineup.Invocation{lineup.Invoke("Add")}, Memory: true}
	lineup.Check(t, s, "Add() | Add()")
}

func TestEnds(t *testing.T) {
	s := subject
	s.New = func() any { println("the end"); os.Exit(7); return nil }
	lineup.Check(t, s, "Good() | Good()")
}
`

// TestPlain runs Check as a user does, under go test and nothing else.
func TestPlain(t *testing.T) {
	if !*long {
		t.Skip("it runs go test a dozen times: -long")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := workplace.New(t, "plain")
	for _, f := range txtar.Parse([]byte(strings.Replace(plainModule, "ROOT", root, 1))).Files {
		file := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, f.Data, 0o666))
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o666))
	temp := filepath.Join(dir, "temp")
	require.NoError(t, os.MkdirAll(temp, 0o777))
	env := append(os.Environ(), "TMPDIR="+temp, "GOFLAGS=-mod=mod", "GOPROXY=off", "XDG_CACHE_HOME="+filepath.Join(dir, "cache"))
	goCache, err := exec.Command("go", "env", "GOCACHE").Output() // else it would be in the new place too
	require.NoError(t, err)
	env = append(env, "GOCACHE="+strings.TrimSpace(string(goCache)))
	run := func(pass bool, args ...string) string {
		t.Helper()
		cmd := exec.Command("go", append([]string{"test", "./flag"}, args...)...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		require.Equal(t, pass, err == nil, "%v\n%s", err, out)
		return string(out)
	}

	out := run(true, "-run=Good|Random", "-v", "-count=2")
	require.Equal(t, 2, strings.Count(out, "--- PASS: TestGood"), out)
	require.Equal(t, 2, strings.Count(out, "Flag: 100 tests, "), out)
	require.Equal(t, 4, strings.Count(out, "Flag: 1 tests, ")+strings.Count(out, "Flag: 2 tests, "), out)

	// A failure says how to repeat it, and is kept.
	out = run(false, "-run=Bad")
	require.Equal(t, 2, strings.Count(out, "Flag is not linearizable"), out)
	require.NotContains(t, out, "not reached")
	const replay = "Good() | Bad() @ B2 A2 B"
	require.Contains(t, out, "Replay: go test -run '^TestBad$/^one_of_two$' . -mapatom.replay='"+replay+"'")
	files, err := filepath.Glob(filepath.Join(dir, "flag/testdata/lineup/*/*"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	out = run(false, "-run=^TestBad$/^one_of_two$", "-mapatom.replay="+replay)
	require.Contains(t, out, "Flag is not linearizable")
	require.NotContains(t, out, "Kept in")
	out = run(true, "-run=Good", "-v", "-mapatom.replay=Good() | Good() @ A B")
	require.Contains(t, out, "Flag: 1 tests, 100 executions", "a replay is repeated as long as nothing is wrong")
	require.Contains(t, run(false, "-run=Good", "-mapatom.replay=Good( @ A B"), `-mapatom.replay: test "Good("`)

	// What was kept is run first, and read even if there are other tests.
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "flag/testdata/lineup/TestGood"), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "flag/testdata/lineup/TestGood/one"), []byte(regressHead+"\n"+replay+"\n"), 0o666))
	require.Contains(t, run(false, "-run=Good"), "Flag is not linearizable")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "flag/testdata")))

	// Coverage counts the calls, and what is not interleaved is no success.
	require.Contains(t, run(true, "-run=Good", "-cover"), "coverage: 50.0% of statements")
	require.Contains(t, run(false, "-run=Nothing"), "the calls of plain were not interleaved")
	require.Contains(t, run(false, "-run=Memory"), "plain is not linearizable")
	require.Contains(t, run(false, "-run=Ends"), "making a Flag panicked: os.Exit(7) ends the process")
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	require.Empty(t, left)
}
