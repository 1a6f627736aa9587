package absint

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestShapesAgainstBruteForce has the engine's answers for the known shapes
// checked by the brute force, which shares no code with the engine: no
// linearization explains the witness of a violation, and within bounds every
// interleaving of what is verified has one.
func TestShapesAgainstBruteForce(t *testing.T) {
	for _, p := range shapes(t, "open.reg") {
		t.Run(p.Name, func(t *testing.T) {
			res, err := Check(context.Background(), Problem{Region: p})
			require.NoError(t, err)
			pr := oracle.Problem{Program: p, Bounds: oracle.Bounds{PerPoint: 1, Env: 2, Run: 200}}
			switch res.Verdict {
			case Violation:
				requireNoLinearization(t, pr, Problem{Region: p}, res.Witness)
			case Verified:
				h, stats, err := oracle.Search(context.Background(), pr)
				require.NoError(t, err)
				require.Nil(t, h, "%s", h)
				assert.Positive(t, stats.Interleavings)
			default:
				require.Fail(t, "undecided", res.Reason)
			}
		})
	}
}

// requireNoLinearization replays a witness and has the brute force look for a
// linearization of it, whatever the functions give that it does not mention. What
// the call itself was given by such a function may be anything that the witness has:
// for one of these there must be none.
func requireNoLinearization(t *testing.T, pr oracle.Problem, p Problem, w *Witness) {
	t.Helper()
	world, err := w.Replay(p)
	require.NoError(t, err, "%s\n%+v", p.Region, w)
	pr.Program = summary.WithoutEmptySections(pr.Program) // nobody waits at the points of these
	h := recorded(w, world)
	for _, s := range h.Steps {
		// A call may go round for long before somebody does what ends it.
		pr.Bounds.Run = max(pr.Bounds.Run, instructionsAPoint*s.Point)
	}
	ok, err := oracle.Linearizable(pr, h)
	require.NoError(t, err, "%s\n%s", p.Region, &h)
	require.True(t, !ok || wrongElsewhere(pr, h), "%s\n%s", p.Region, &h)
}

// instructionsAPoint is how many a generated program has between two points at most.
const instructionsAPoint = 20

// wrongElsewhere reports whether a history has no linearization if one function gives
// something that the history mentions in the place of something new.
func wrongElsewhere(pr oracle.Problem, h oracle.History) bool {
	values := slices.Concat(h.Initial, h.Args)
	for _, s := range h.Steps {
		values = append(values, s.Value)
	}
	for i, a := range h.World {
		if !strings.HasPrefix(string(a.Value), "unseen") {
			continue
		}
		for _, v := range values {
			other := h
			other.World = slices.Clone(h.World)
			other.World[i].Value = v
			if ok, err := oracle.Linearizable(pr, other); err == nil && !ok {
				return true
			}
		}
	}
	return false
}

// recorded is the witness as the brute force writes histories down.
func recorded(w *Witness, world *World) oracle.History {
	h := oracle.History{Args: valuesOf(w.Params), Initial: valuesOf(w.Initial), Fresh: world.Fresh, Unknown: world.Unknown}
	for _, a := range world.Functions {
		h.World = append(h.World, oracle.Application{Name: a.Name, Result: a.Result, Args: a.Args, Value: a.Value})
	}
	kinds := map[string]oracle.StepKind{"look": oracle.Observe, "swap": oracle.Swap, "delete": oracle.Delete}
	for _, ev := range w.Events {
		if !ev.Other {
			continue
		}
		step := oracle.EnvStep{Point: ev.Point, Kind: kinds[ev.Op], Cell: ev.Cell}
		if ev.Op == "swap" {
			step.Value = ev.Args[0]
		}
		h.Steps = append(h.Steps, step)
	}
	return h
}

// TestWitnessesReplay replays the witnesses of random programs in both
// environments; in the open one the brute force judges them, too.
func TestWitnessesReplay(t *testing.T) {
	for _, mix := range []oracle.Mix{
		{Cells: 1, Env: oracle.Open, Noise: oracle.DefaultNoise},
		{Cells: 2, Env: oracle.Open, Noise: oracle.DefaultNoise},
		{Cells: 1, Env: oracle.Package, Noise: oracle.DefaultNoise},
	} {
		t.Run(fmt.Sprintf("cells=%d/env=%d", mix.Cells, mix.Env), func(t *testing.T) {
			t.Logf("seed %d", *diffSeed)
			replayed := 0
			for n := range uint64(*diffPrograms) {
				pr := oracle.Generate(oracle.Rand(*diffSeed, n), mix)
				p := translate(pr)
				res, err := Check(context.Background(), p)
				require.NoError(t, err)
				if res.Verdict != Violation {
					continue
				}
				replayed++
				if mix.Env == oracle.Package {
					_, err := res.Witness.Replay(p)
					require.NoError(t, err, "program %d\n%s%s\n%+v", n, p.Region, steps(pr), res.Witness)
					continue
				}
				pr.Bounds.Work = 0
				requireNoLinearization(t, pr, p, res.Witness)
			}
			require.Greater(t, 5*replayed, *diffPrograms)
		})
	}
}

// TestReplayNoticesChanges changes one thing in a witness at a time: it does
// not replay any more.
func TestReplayNoticesChanges(t *testing.T) {
	p := shapeNamed(t, "violation GP")
	for name, change := range map[string]func(w *Witness){
		"result":            func(w *Witness) { w.Result.Vals = []register.Value{"elsewhere"} },
		"panic":             func(w *Witness) { w.Result.Panic = true },
		"final content":     func(w *Witness) { w.Final[0].Value = register.LitAbsent },
		"initial content":   func(w *Witness) { w.Initial[0].Value = "v9" },
		"a missing event":   func(w *Witness) { w.Events = w.Events[:len(w.Events)-1] },
		"one event more":    func(w *Witness) { w.Events = append(w.Events, w.Events[0]) },
		"another operation": func(w *Witness) { w.Events[0].Op = "write" },
		"a result":          func(w *Witness) { w.Events[0].Results = []register.Value{"v9", register.LitTrue} },
		"another point":     func(w *Witness) { w.other().Point = 7 },
		"another step":      func(w *Witness) { w.other().Op = "run" },
		"no such cell":      func(w *Witness) { w.other().Cell = 3 },
		"too few arguments": func(w *Witness) { w.Params = nil },
	} {
		res, err := Check(context.Background(), Problem{Region: p})
		require.NoError(t, err)
		_, err = res.Witness.Replay(Problem{Region: p})
		require.NoError(t, err)
		change(res.Witness)
		_, err = res.Witness.Replay(Problem{Region: p})
		assert.ErrorIs(t, err, errNoReplay, name)
	}
}

// other is the first step of the other goroutine.
func (w *Witness) other() *Event {
	for i := range w.Events {
		if w.Events[i].Other {
			return &w.Events[i]
		}
	}
	return nil
}

func shapeNamed(t *testing.T, name string) *register.Program {
	t.Helper()
	for _, p := range shapes(t, "open.reg") {
		if p.Name == name {
			return p
		}
	}
	require.Fail(t, "no shape "+name)
	return nil
}

// TestCrash: a call that panics when nobody disturbs it, too, is not one that crashes
// because of others.
func TestCrash(t *testing.T) {
	for body, want := range map[string]Category{
		`
    old, _ = read c0
    sum = pure add int64(old, 1)
    _, _ = write c0, sum
    panic "always" ()
`: LostUpdate,
		`
    old, _ = read c0
    sum, _ = read c0
    same = pure eq(old, sum)
    branch same, b1, b2

b1:
    return

b2:
    panic "moved" ()
`: Crash,
	} {
		prog, err := register.Parse("count", []byte(`
func "count"()
cell c0 atomic n of int64 zero 0 label "n"
var old, sum int64

b0:`+body))
		require.NoError(t, err)
		res, err := Check(context.Background(), Problem{Region: prog[0], Env: Open, Budget: defaultBudget})
		require.NoError(t, err)
		require.Equal(t, Violation, res.Verdict, body)
		require.Equal(t, want, res.Category, body)
	}
}
