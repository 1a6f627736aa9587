package goracle_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/goracle"
	"github.com/mapatom/mapatom/analyzer/internal/goracle/sim"
)

// TestCases judges the functions in testdata/cases twice: the analyzer and the
// compiled runs both have to come to the verdict that is written there, and a witness
// has to happen as it is told, where what its operations find is seen. Of what is unknown to the analyzer a run shows that
// it is not to be verified. Each file shows a cause for which they once differed, right and wrong neighbour
// side by side.
func TestCases(t *testing.T) {
	cs := load(t, "testdata/cases")
	for env, mode := range environments {
		vs, loose := verdicts(t, cs.program, mode)
		cs.each(t, env, func(t *testing.T, x expectation) {
			v, ok := vs[x.function]
			if x.verdict == unjudged {
				assert.False(t, ok, "the analyzer: %s", v.Extension)
				return
			}
			require.True(t, ok, "not judged as a whole")
			assert.Equal(t, x.verdict, v.Verdict.String(), "the analyzer: %s", v.Reason)
			cs.checkRuns(t, x, loose[x.unit], v.Assumption)
			seen := !strings.Contains(cs.program.Source(x.unit), guarded)
			if v.Verdict == absint.Violation && seen && !strings.Contains(t.Name(), "/"+nameless+"/") {
				c := &comparison{t: t, env: env}
				why, err := c.replay(cs.program, v, loose[x.unit])
				require.NoError(t, err)
				assert.Empty(t, why, "the witness: %+v", v.Witness)
			}
		})
	}
}

// unjudged is in the place of a verdict on a function of which the analyzer says nothing.
const unjudged = "none"

// nameless is a function whose witness does not happen as it is told, although it breaks: the key that
// a loop over the map comes to has another name for the call than for others.
const nameless = "range-finds-key/G"

// TestOpenCases judges the functions in testdata/open by compiled runs only:
// the analyzer does not come to that verdict yet.
func TestOpenCases(t *testing.T) {
	cs := load(t, "testdata/open")
	for env := range environments {
		cs.each(t, env, func(t *testing.T, x expectation) { cs.checkRuns(t, x, nil, absint.NoAssumption) })
	}
}

// cases are the units of a directory, and what is expected of their functions.
type cases struct {
	program  *goracle.Program
	files    []string // of the units
	expected [][]expectation
}

// expectation is one of the first lines of a case, "F open: violation".
type expectation struct {
	function
	env, verdict string
}

func load(t *testing.T, dir string) *cases {
	cs := &cases{}
	var err error
	cs.files, err = filepath.Glob(dir + "/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, cs.files)
	var units []*goracle.Unit
	for i, file := range cs.files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		header, source, ok := strings.Cut(string(text), "\n\n")
		require.True(t, ok, "%s: no empty line after the verdicts", file)
		u, err := goracle.NewUnit(fmt.Sprintf("U%d", i), source)
		require.NoError(t, err, file)
		units = append(units, u)
		cs.expected = append(cs.expected, expectations(t, file, u.Name, header))
	}
	cs.program, err = goracle.Build(context.Background(), t.TempDir(), units)
	require.NoError(t, err)
	t.Cleanup(func() { cs.program.Close() })
	return cs
}

// each calls check for what is expected in an environment.
func (cs *cases) each(t *testing.T, env string, check func(*testing.T, expectation)) {
	for i, file := range cs.files {
		for _, x := range cs.expected[i] {
			if x.env == env {
				name := strings.TrimSuffix(filepath.Base(file), ".txt")
				t.Run(fmt.Sprintf("%s/%s/%s", name, x.name, env), func(t *testing.T) { check(t, x) })
			}
		}
	}
}

// checkRuns compares an expectation with the compiled runs, in which others come in between the
// steps of loose functions, as far as the verdict stands on an assumption.
func (cs *cases) checkRuns(t *testing.T, x expectation, loose []sim.Loose, on absint.Assumption) {
	if x.verdict == absint.Verified.String() {
		loose = surely(loose)
	}
	a, err := cs.program.Ask(sim.Request{Unit: x.unit, Func: x.name, Package: x.env == "package", Loose: loose, Runs: 20000, Seed: 1, OwnEntry: on == absint.OwnEntry, Small: on == absint.NoWrap})
	require.NoError(t, err)
	if x.verdict == absint.Verified.String() {
		assert.Empty(t, a.Lenient, "a run breaks it")
		return
	}
	assert.NotEmpty(t, a.Breaking, "no run breaks it")
}

// expectations reads the lines before the first empty one; those that begin
// with # are comments.
func expectations(t *testing.T, file, unit, header string) (out []expectation) {
	for line := range strings.SplitSeq(header, "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		name, rest, ok := strings.Cut(line, " ")
		env, verdict, ok2 := strings.Cut(rest, ": ")
		require.True(t, ok && ok2, "%s: %q is not of the form F open: verified", file, line)
		require.Contains(t, environments, env, file)
		require.Contains(t, []string{"verified", "violation", "unknown", unjudged}, verdict, file)
		out = append(out, expectation{function{unit, name}, env, verdict})
	}
	return out
}

// TestDied asks about a function whose goroutine panics, and then about another one: only the first is not judged.
func TestDied(t *testing.T) {
	u, err := goracle.NewUnit("U1", `type U struct{ m sync.Map }

func (s *U) F(k string) {
	var w sync.WaitGroup
	w.Add(1)
	go func() {
		defer w.Done()
		v, _ := s.m.Load(k)
		_ = v.(int)
	}()
	w.Wait()
}

func (s *U) G(k string) {
	if _, ok := s.m.Load(k); !ok {
		s.m.Store(k, 1)
	}
}
`)
	require.NoError(t, err)
	p, err := goracle.Build(context.Background(), t.TempDir(), []*goracle.Unit{u})
	require.NoError(t, err)
	defer p.Close()
	_, err = p.Ask(sim.Request{Unit: "U1", Func: "F", Runs: 100})
	require.ErrorIs(t, err, goracle.ErrDied)
	a, err := p.Ask(sim.Request{Unit: "U1", Func: "G", Runs: 1000})
	require.NoError(t, err)
	assert.NotEmpty(t, a.Breaking)
}

// TestMoreKeys: what breaks only where there are two entries besides is found with a third key.
func TestMoreKeys(t *testing.T) {
	u, err := goracle.NewUnit("U1", `type U struct {
	mu sync.RWMutex
	m  map[string]int
}

func (s *U) Put(k string) {
	s.mu.Lock()
	if _, ok := s.m[k]; !ok && len(s.m) < 2 {
		s.m[k] = 0
	} else if !ok {
		s.m[k] = 1
	}
	s.mu.Unlock()
}

func (s *U) F(k string) int {
	s.mu.RLock()
	v := s.m[k]
	s.mu.RUnlock()
	s.mu.Lock()
	delete(s.m, k)
	s.mu.Unlock()
	return v
}
`)
	require.NoError(t, err)
	p, err := goracle.Build(context.Background(), t.TempDir(), []*goracle.Unit{u})
	require.NoError(t, err)
	defer p.Close()
	for _, more := range []bool{false, true} {
		a, err := p.Ask(sim.Request{Unit: "U1", Func: "F", Package: true, Runs: 20000, Seed: 1, More: more})
		require.NoError(t, err)
		assert.Equal(t, more, a.Breaking != "")
	}
}
