package instrument

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"
	"github.com/stretchr/testify/require"
)

// dependency is a module that has all that a package may be made of: the other
// compilers are run in its directory, where there is none of its files.
const dependency = `
-- .info --
{"Version":"v1.0.0"}
-- .mod --
module example.com/dep

go 1.26
-- go.mod --
module example.com/dep

go 1.26
-- dep.go --
package dep

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed text/answer.txt
var answer string

type Counter struct {
	mu sync.Mutex
	n  int
}

func (c *Counter) Add() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += add(one(), 0)
	return c.n
}

func Answer() string { return strings.TrimSpace(answer) }
-- dep_test.go --
package dep

import _ "example.com/not/there"
-- text/answer.txt --
forty-two
-- one.go --
//go:build cgo

package dep

// #include "one.h"
import "C"

func one() int { return int(C.number()) }
-- one_other.go --
//go:build !cgo

package dep

func one() int { return 1 }
-- one.h --
static int number(void) { return 1; }
-- sub/sum.go --
package sub

func Sum(a, b int64) int64 { return sum(a, b) }
-- sub/sum_amd64.go --
package sub

func sum(a, b int64) int64
-- sub/sum_other.go --
//go:build !amd64

package sub

func sum(a, b int64) int64 { return a + b }
-- sub/sum_amd64.s --
#include "textflag.h"
#include "name.h"

TEXT NAME(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	ADDQ b+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET
-- sub/name.h --
#define NAME ·sum
-- sums.go --
package dep

import "example.com/dep/sub"

func add(a, b int) int { return int(sub.Sum(int64(a), int64(b))) }
`

const dependent = `
-- go.mod --
module example.com/user

go 1.26.0

require example.com/dep v1.0.0
-- user.go --
package user

import "example.com/dep"

func Twice(c *dep.Counter) (int, string) {
	c.Add()
	return c.Add(), dep.Answer()
}
`

const dependentTest = `package user

import (
	"context"
	"fmt"
	"testing"

	"example.com/dep"
	"github.com/mapatom/mapatom/checker/sched"
)

func TestMapatom(t *testing.T) {
	outcomes := map[string]bool{}
	_, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Bounded(2), func() sched.Program {
		c := new(dep.Counter)
		op := func() { n, text := Twice(c); outcomes[fmt.Sprint(n, " ", text)] = true }
		return sched.Program{Threads: []func(){op, op}}
	}, func(o *sched.Outcome) bool { return true })
	fmt.Println(err, outcomes)
}
`

// dependentConfig is about a module that requires one of a version, which a
// proxy has.
func dependentConfig(t *testing.T) Config {
	archives := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(archives, "example.com_dep_v1.0.0.txt"), []byte(dependency), 0o666))
	proxy, err := goproxytest.NewServer(archives, "")
	require.NoError(t, err)
	t.Cleanup(proxy.Close)
	goCache, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	t.Setenv("GOCACHE", strings.TrimSpace(string(goCache)))
	t.Setenv("XDG_CACHE_HOME", folder(t, "cache"))
	return Config{
		Dir: writeModule(t, dependent), Dependencies: []string{"example.com/dep"},
		Env: []string{"GOPROXY=" + proxy.URL, "GOSUMDB=off", "GOFLAGS=-mod=mod -modcacherw", "GOMODCACHE=" + folder(t, "modules")},
	}
}

// TestMoved runs a module of the module cache, rewritten.
func TestMoved(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds and runs programs")
	}
	s, err := Start(t.Context(), dependentConfig(t))
	require.NoError(t, err)
	defer s.Close()
	require.NotNil(t, s.Package("example.com/dep"))
	require.True(t, s.Package("example.com/dep").Instrumented, s.Package("example.com/dep").Reason)
	require.NoError(t, s.Add("example.com/user", "mapatom_test.go", []byte(dependentTest)))
	b, err := s.Build(t.Context(), "example.com/user")
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, b.Run(t.Context(), Limits{}, &out, &out, "-test.run=TestMapatom"), out.String())
	require.Equal(t, "<nil> map[2 forty-two:true 3 forty-two:true 4 forty-two:true]\nPASS\n", out.String())
}

// TestBuiltOnce says that two sessions ask the go command for the same things,
// so that it finds what it built for the first: for everything that it
// compiles, the name under which it keeps that.
func TestBuiltOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	config := dependentConfig(t)
	first := built(t, config)
	require.Contains(t, first, "example.com/dep")
	require.Contains(t, first, "example.com/dep/sub")
	require.Contains(t, first, "example.com/user")
	require.Contains(t, first, "example.com/user/mapatomrun/sched")
	require.Equal(t, first, built(t, config))
}

// built has a session of its own compile the packages, and gives what each of
// the user's and their dependency's was made from: the first part of its build ID
// is the hash of that.
func built(t *testing.T, c Config) map[string]string {
	s, err := Start(t.Context(), c)
	require.NoError(t, err)
	defer s.Close()
	require.NoError(t, s.Add("example.com/user", "mapatom_test.go", []byte(dependentTest)))
	flags, err := s.flags()
	require.NoError(t, err)
	args := append([]string{"list", "-export", "-deps", "-test", "-json=ImportPath,BuildID"}, flags...)
	out, err := s.command(t.Context(), "go", append(args, s.Targets()...)...).Output()
	require.NoError(t, err)
	all := map[string]string{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ ImportPath, BuildID string }
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if strings.HasPrefix(p.ImportPath, "example.com/") {
			all[p.ImportPath], _, _ = strings.Cut(p.BuildID, "/")
		}
	}
}
