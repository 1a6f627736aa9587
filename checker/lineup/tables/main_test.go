package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/checker/lineup"
)

var samples = flag.Int("samples", 2, "how many random tests of each correct class")

const root = "../../.."

func corpusOf(t *testing.T, memory bool, names ...string) *corpus {
	c, err := build(t.Context(), root, memory, names...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.session.Close()) })
	return c
}

// TestCauses finds every root cause of Table 2 with a test that is no larger
// than the paper's, and not in the class that has it corrected; and what
// docs/line-up.md says of it is so.
func TestCauses(t *testing.T) {
	docs, err := os.ReadFile(root + "/docs/line-up.md")
	require.NoError(t, err)
	c := corpusOf(t, false, names()...)
	var letters []string
	for _, cl := range classes {
		for _, ca := range cl.causes {
			f, err := c.find(t.Context(), cl.name, ca)
			require.NoError(t, err)
			require.Equal(t, lineup.Failed, f.failed.Verdict, "%s of %s: %s", ca.letter, cl.name, f.failed)
			require.NotNil(t, f.minimal)
			require.True(t, f.corrected == nil || f.corrected.Concurrent.Exhausted)
			requireNoLarger(t, ca.paper, f.minimal.Test)
			row, err := f.row(cl, ca)
			require.NoError(t, err)
			require.Contains(t, string(docs), row+"\n", "go run ./checker/lineup/tables prints the tables")
			letters = append(letters, ca.letter)
		}
	}
	slices.Sort(letters)
	require.Equal(t, "ABCDEFGHIJKL", strings.Join(slices.Compact(letters), ""))
	correct(t, c)
}

// requireNoLarger compares a test with a dimension of the paper.
func requireNoLarger(t *testing.T, paper string, m lineup.Test) {
	var threads, calls int
	if _, err := fmt.Sscanf(paper, "%dx%d", &threads, &calls); err != nil {
		require.Empty(t, paper)
		return
	}
	here, long := m.Dimension()
	require.LessOrEqual(t, here, threads, m)
	require.LessOrEqual(t, long, calls, m)
}

// correct checks random tests of the classes that are right, which pass.
func correct(t *testing.T, c *corpus) {
	for _, cl := range classes {
		if len(cl.causes) > 0 {
			continue
		}
		all, err := c.check(t.Context(), cl.name, lineup.Request{
			Samples: *samples, Seed: 7, All: true, Options: lineup.Options{MaxExecutions: 500}, TestTimeout: time.Minute,
		})
		require.NoError(t, err)
		require.Len(t, all, *samples)
		for _, r := range all {
			require.Equal(t, lineup.Passed, r.Verdict, "%s: %s", cl.name, r)
		}
	}
}

// TestCounters is section 2.2. The first counter has no synchronization to be
// interrupted at, so that its plain reads and writes have to be steps. The
// second gets stuck in serial executions as well: these say so, and only
// another specification objects.
func TestCounters(t *testing.T) {
	test, err := lineup.ParseTest("Inc() Get() | Inc()")
	require.NoError(t, err)
	request := lineup.Request{Tests: []lineup.Test{test}}
	checkOne := func(c *corpus, name string, q lineup.Request) *lineup.Result {
		all, err := c.check(t.Context(), name, q)
		require.NoError(t, err)
		return all[0]
	}
	plain := corpusOf(t, false, "Counter", "Counter1", "Counter2")
	require.Equal(t, lineup.NotChecked, checkOne(plain, "Counter1", request).Verdict)
	require.Equal(t, lineup.Passed, checkOne(plain, "Counter", request).Verdict)

	memory := corpusOf(t, true, "Counter", "Counter1")
	require.Equal(t, lineup.Passed, checkOne(memory, "Counter", request).Verdict)
	r := checkOne(memory, "Counter1", request)
	require.Equal(t, lineup.Failed, r.Verdict)
	require.Contains(t, r.Failure.String(), "Get() = 1")

	r = checkOne(plain, "Counter2", request)
	require.Equal(t, lineup.Passed, r.Verdict)
	require.Equal(t, 1, r.Serial.Stuck)
	require.Contains(t, r.Notes[0], "an operation blocks for ever")
	request.Against = true
	r = checkOne(plain, "Counter2", request)
	require.Equal(t, lineup.NoStuckWitness, r.Failure.Cause)
	require.True(t, r.Failure.History.Stuck)
}
