package instrument

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/mapatom/mapatom/internal/checker/workplace"
)

// folder is a folder of a test that has the same name each time.
func folder(t *testing.T, what string) string {
	return workplace.New(t, strings.ReplaceAll(t.Name(), "/", "-")+"-"+what)
}

// writeModule writes a test's module from an archive and returns its directory.
func writeModule(t *testing.T, archive string) string {
	dir := folder(t, "module")
	for _, f := range txtar.Parse([]byte(archive)).Files {
		file := filepath.Join(dir, f.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, f.Data, 0o666))
	}
	return dir
}

const counterModule = `
-- go.mod --
module example.com/counter

go 1.24
-- counter.go --
package counter

import "sync"

type Counter struct {
	mu sync.Mutex
	n  int
	ch chan int
}

func (c *Counter) Add(n int) int {
	c.mu.Lock()
	v := c.n
	c.mu.Unlock()
	done := make(chan struct{})
	go func(v int) {
		c.mu.Lock()
		c.n = v
		c.mu.Unlock()
		done <- struct{}{}
	}(v + n)
	select {
	case <-done:
	}
	return v
}
-- counter_test.go --
package counter

import "testing"

func TestCounter(t *testing.T) { t.Fatal("not built") }
`

const counterTest = `package counter

import (
	"context"
	"fmt"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
)

func TestMapatom(t *testing.T) {
	var c *Counter
	sums := map[int]int{}
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Bounded(2), func() sched.Program {
		c = new(Counter)
		op := func() { c.Add(1) }
		return sched.Program{Threads: []func(){op, op}}
	}, func(o *sched.Outcome) bool {
		if err := o.Err(); err != nil { t.Error(err) }
		sums[c.n]++
		return true
	})
	if err != nil { t.Fatal(err) }
	fmt.Println(stats.Exhausted, stats.Diverged, sums[1] > 0, sums[2] > 0, len(sums))
}
`

func TestOverlay(t *testing.T) {
	dir := writeModule(t, counterModule)
	s, err := Start(context.Background(), Config{Dir: dir})
	require.NoError(t, err)
	defer s.Close()
	require.Len(t, s.Packages, 1)
	require.Empty(t, s.Packages[0].Reason)
	require.NoError(t, s.Add("example.com/counter", "mapatom_test.go", []byte(counterTest)))
	b, err := s.Build(context.Background(), "example.com/counter")
	require.NoError(t, err)
	var out bytes.Buffer
	err = b.Run(context.Background(), Limits{}, &out, &out, "-test.run=TestMapatom")
	require.NoError(t, err, out.String())
	require.Equal(t, "true 0 true true 2\nPASS\n", out.String())
}

const groupModule = `
-- go.mod --
module example.com/group

go 1.26.0

require golang.org/x/sync v0.24.0
-- go.sum --
SUM
-- group.go --
package group

import "golang.org/x/sync/errgroup"

func Run() (n int) {
	var g errgroup.Group
	g.Go(func() error { n++; return nil })
	g.Go(func() error { n++; return nil })
	g.Wait()
	return n
}
`

const groupTest = `package group

import (
	"context"
	"fmt"
	"testing"

	"github.com/mapatom/mapatom/checker/sched"
)

func TestMapatom(t *testing.T) {
	n := 0
	sums := map[int]bool{}
	spawned := 0
	stats, err := sched.Explore(context.Background(), t, sched.Options{}, sched.Bounded(2), func() sched.Program {
		return sched.Program{Threads: []func(){func() { n = Run() }}}
	}, func(o *sched.Outcome) bool {
		if err := o.Err(); err != nil { t.Error(err) }
		sums[n] = true
		spawned = len(o.Spawned)
		return true
	})
	if err != nil { t.Fatal(err) }
	fmt.Println(stats.Exhausted, stats.Diverged, spawned, sums)
}
`

// TestDependency explores goroutines that a dependency starts.
func TestDependency(t *testing.T) {
	dir := writeModule(t, strings.Replace(groupModule, "SUM", goSum(t, "golang.org/x/sync v0.24.0"), 1))
	for _, test := range []struct {
		memory bool
		sums   string
	}{{false, "map[2:true]"}, {true, "map[1:true 2:true]"}} {
		s, err := Start(context.Background(), Config{
			Dir: dir, Dependencies: []string{"golang.org/x/sync"}, Memory: test.memory,
			Env: []string{"GOFLAGS=", "GOPROXY=off"},
		})
		require.NoError(t, err)
		defer s.Close()
		require.Len(t, s.Packages, 2)
		for _, p := range s.Packages {
			require.True(t, p.Instrumented, "%+v", p)
		}
		require.NoError(t, s.Add("example.com/group", "mapatom_test.go", []byte(groupTest)))
		b, err := s.Build(context.Background(), "example.com/group")
		require.NoError(t, err)
		var out bytes.Buffer
		err = b.Run(context.Background(), Limits{}, &out, &out, "-test.run=TestMapatom")
		require.NoError(t, err, out.String())
		require.Equal(t, "true 0 2 "+test.sums+"\nPASS\n", out.String())
	}
}

// goSum returns the lines of this module's go.sum for a module and version.
func goSum(t *testing.T, module string) string {
	data, err := os.ReadFile("../../../go.sum")
	require.NoError(t, err)
	var out strings.Builder
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, module) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestAddPackage: a generated test imports a package of ours that is internal, of a
// module that knows nothing of ours, and of one that imports the scheduler itself.
func TestAddPackage(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requires, _ := strings.Cut(string(mod), "\n")
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	const added = "github.com/mapatom/mapatom/internal/told"
	files := fstest.MapFS{"told.go": {Data: []byte(`package told

import "github.com/mapatom/mapatom/checker/sched"

func Yields() string { return sched.Yield.String() }
`)}, "told_test.go": {Data: []byte("package untidy")}}
	for name, user := range map[string]string{
		"apart": "package user\n",
		"ours":  "package user\n\nimport \"github.com/mapatom/mapatom/checker/sched\"\n\nvar Kind = sched.Yield\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeModule(t, "-- go.mod --\nmodule example.com/user\n"+requires+
				"require github.com/mapatom/mapatom v0.0.0\nreplace github.com/mapatom/mapatom => "+root+"\n-- go.sum --\n"+string(sums)+"-- user.go --\n"+user)
			s, err := Start(t.Context(), Config{Dir: dir})
			require.NoError(t, err)
			defer s.Close()
			require.NoError(t, s.AddPackage(added, files))
			require.NoError(t, s.Add("example.com/user", "mapatom_test.go", []byte(`package user

import (
	"fmt"
	"testing"

	"`+added+`"
)

func TestMapatom(t *testing.T) { fmt.Println(told.Yields()) }
`)))
			b, err := s.Build(t.Context(), "example.com/user")
			require.NoError(t, err)
			var out bytes.Buffer
			require.NoError(t, b.Run(t.Context(), Limits{}, &out, &out, "-test.run=TestMapatom"), out.String())
			require.Equal(t, "yield\nPASS\n", out.String())
		})
	}
}
