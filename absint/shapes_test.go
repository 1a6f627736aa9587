package absint

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestShapes checks the known shapes. A program's name begins with the
// verdict that it must get.
func TestShapes(t *testing.T) {
	for _, p := range shapes(t, "open.reg") {
		t.Run(p.Name, func(t *testing.T) {
			res, err := Check(context.Background(), Problem{Region: p})
			require.NoError(t, err)
			want, _, _ := strings.Cut(p.Name, " ")
			require.Equal(t, want, res.Verdict.String(), "%s; %s; %+v", p, res.Reason, res.Witness)
			t.Log(res.Configurations, res.Category)
		})
	}
}

// TestEffectsInLoops checks what is done in a loop that touches no cell. A loop is one function
// there, so that the brute force, which goes through it round by round, has no say.
func TestEffectsInLoops(t *testing.T) { checkShapes(t, "loops.reg") }

// TestCounts checks what is counted: the brute force does not know that this is a number.
func TestCounts(t *testing.T) { checkShapes(t, "counts.reg") }

func checkShapes(t *testing.T, file string) {
	for _, p := range shapes(t, file) {
		t.Run(p.Name, func(t *testing.T) {
			res, err := Check(context.Background(), Problem{Region: p})
			require.NoError(t, err)
			want, _, _ := strings.Cut(p.Name, " ")
			require.Equal(t, want, res.Verdict.String(), "%s; %s; %+v", p, res.Reason, res.Witness)
		})
	}
}

func shapes(t testing.TB, file string) []*register.Program {
	path := filepath.Join("testdata", "shapes", file)
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	ps, err := register.Parse(path, src)
	require.NoError(t, err)
	for _, p := range ps {
		require.NoError(t, register.Check(p))
	}
	return ps
}

func BenchmarkCheck(b *testing.B) {
	for _, p := range shapes(b, "open.reg") {
		b.Run(strings.ReplaceAll(p.Name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Check(context.Background(), Problem{Region: p}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestSeveralCells checks regions of two cells, and whether their violations
// last.
func TestSeveralCells(t *testing.T) {
	for _, p := range shapes(t, "cells.reg") {
		t.Run(p.Name, func(t *testing.T) {
			problem := Problem{Region: p}
			if strings.HasSuffix(p.Name, "alone") {
				problem.Env = Package
				problem.Steps = []Step{{Name: "itself", Program: p, Cells: []int{0, 1}, Bind: []int{0}}}
				problem.Initial = [][]register.Value{{Anything}, nil}
				if strings.HasSuffix(p.Name, "not alone") {
					fill := shapes(t, "fill.reg")[0]
					problem.Steps = append(problem.Steps, Step{Name: "fill", Program: fill, Cells: []int{0}, Bind: []int{0, -1}})
				}
			}
			res, err := Check(context.Background(), problem)
			require.NoError(t, err)
			want := strings.Fields(strings.ReplaceAll(p.Name, ":", ""))
			require.Equal(t, want[0], res.Verdict.String(), "%s; %s", p, res.Reason)
			require.Equal(t, want[1] == "transient", res.Transient, "%+v", res.Witness)
		})
	}
}

// TestStepsTell checks regions that are steps of the package themselves, which tell
// others what they found by an effect, or not at all.
func TestStepsTell(t *testing.T) {
	store, err := register.Parse("store", []byte("func \"store\"(x)\ncell c0 map m[\"k\"] zero nil label \"m[k]\"\n\nb0:\n    _, _ = write c0, x\n    return\n"))
	require.NoError(t, err)
	for _, p := range shapes(t, "tells.reg") {
		t.Run(p.Name, func(t *testing.T) {
			problem := Problem{Region: p, Env: Package, Initial: [][]register.Value{{register.LitAbsent}}}
			for _, step := range []*register.Program{store[0], p} {
				problem.Steps = append(problem.Steps, Step{Name: step.Name, Program: step, Cells: []int{0}, Bind: []int{0}})
			}
			res, err := Check(context.Background(), problem)
			require.NoError(t, err)
			want, _, _ := strings.Cut(p.Name, ":")
			require.Equal(t, want, res.Verdict.String(), "%s; %s; %+v", p, res.Reason, res.Witness)
		})
	}
}

// TestLargeSteps: a step with too many ways to be walked may do anything to the cells that
// it changes. What is right then is right, and what is wrong is found all the same.
func TestLargeSteps(t *testing.T) {
	const lock = "&l"
	var large strings.Builder
	large.WriteString("func \"large\"(n)\ncell c0 map m[\"k\"] zero nil label \"m[k]\"\n")
	for i := range 20 {
		fmt.Fprintf(&large, "\nb%d:\n    t%d = unknown ask#%d()\n    branch t%d, b%d, b%d\n", 2*i, i, i, i, 2*i+1, 2*i+2)
		fmt.Fprintf(&large, "\nb%d:\n    n = pure add(n, %d)\n    jump b%d\n", 2*i+1, 1<<i, 2*i+2)
	}
	large.WriteString("\nb40:\n    _, _ = write c0, n\n    return\n")
	for _, p := range shapes(t, "locked.reg") {
		steps, err := register.Parse("large", []byte(large.String()))
		require.NoError(t, err)
		problem := Problem{Region: p, Env: Package, Initial: [][]register.Value{{register.LitAbsent}}, Guards: []string{lock}}
		for _, step := range []*register.Program{p, steps[0]} {
			problem.Steps = append(problem.Steps, Step{
				Name: step.Name, Program: step, Cells: []int{0}, Bind: []int{-1}, Locks: []Hold{{Lock: lock, Exclusive: true}},
			})
		}
		res, err := Check(context.Background(), problem)
		require.NoError(t, err)
		want, _, _ := strings.Cut(p.Name, ":")
		require.Equal(t, want, res.Verdict.String(), "%s; %s; %+v", p, res.Reason, res.Witness)
	}
}

// TestUnwalkedSteps: of a step that is not walked to its end, a change begins with what is in its cells that only others
// touch, as of one that is: a replay goes by that.
func TestUnwalkedSteps(t *testing.T) {
	steps, err := register.Parse("step", []byte(`
func "step"(n)
cell c0 map m["k"] zero nil label "m[k]"
cell c1 atomic open of bool zero false label "open"

b0:
    is, _ = read c1
    old, _ = read c0
    more = pure choose(is, n, old)
    _, _ = write c0, more
    return
`))
	require.NoError(t, err)
	e := newEngine(Problem{
		Region: shapes(t, "open.reg")[0], Env: Package, Budget: Budget{Configurations: 1, Work: 1, Spurious: 1},
		Steps: []Step{{Name: "step", Program: steps[0], Cells: []int{0, -1}, Bind: []int{-1}}},
	}, assumptions{}, stage{share: 1})
	r, err := e.others()
	require.NoError(t, err)
	require.NotEmpty(t, r.changes)
	for _, ch := range r.changes {
		require.True(t, ch.wild)
		require.Len(t, ch.own, 2)
	}
}
