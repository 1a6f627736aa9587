package oracle

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

var long = flag.Bool("long", false, "three times as many random programs")

// programs is how many of n random programs are looked at.
func programs(n int) int {
	if *long {
		return n
	}
	return n / 3
}

// mixes are what the tests generate.
var mixes = []Mix{
	{Cells: 1, Noise: DefaultNoise}, {Cells: 2, Noise: DefaultNoise},
	{Cells: 1, Noise: DefaultNoise, Env: Package}, {Cells: 2, Noise: DefaultNoise, Env: Package},
}

// eachProblem generates n problems of each mix, or a third of them, and searches them.
func eachProblem(t *testing.T, n int, check func(t *testing.T, pr Problem, h *History, err error)) {
	const seed = 11
	for _, mix := range mixes {
		t.Run(fmt.Sprintf("%d cells, environment %d", mix.Cells, mix.Env), func(t *testing.T) {
			t.Logf("seed %d", seed)
			for i := range uint64(programs(n)) {
				pr := Generate(Rand(seed, i), mix)
				pr.Program.Name = fmt.Sprintf("seed %d, problem %d", seed, i)
				h, _, err := Search(context.Background(), pr)
				if err != nil {
					require.ErrorIs(t, err, ErrWork, pr.Program.Name)
				}
				check(t, pr, h, err)
			}
		})
	}
}

// TestGeneratedMix also checks that violations that were found are such.
func TestGeneratedMix(t *testing.T) {
	n := programs(120)
	for _, mix := range mixes {
		t.Run(fmt.Sprintf("%d cells, environment %d", mix.Cells, mix.Env), func(t *testing.T) {
			const seed = 5
			verdicts := map[string]int{}
			for i := range uint64(n) {
				pr := Generate(Rand(seed, i), mix)
				h, _, err := Search(context.Background(), pr)
				switch {
				case err != nil:
					require.ErrorIs(t, err, ErrWork, "seed %d, problem %d", seed, i)
					verdicts["open"]++
				case h != nil:
					verdicts["violation"]++
					ok, err := Linearizable(pr, *h)
					require.NoError(t, err, "seed %d, problem %d", seed, i)
					require.False(t, ok, "seed %d, problem %d", seed, i)
				default:
					verdicts["linearizable"]++
				}
			}
			t.Logf("seed %d: %v", seed, verdicts)
			assert.Greater(t, verdicts["violation"], n/5)
			assert.Greater(t, verdicts["linearizable"], n/5)
			assert.Less(t, verdicts["open"], n/20)
		})
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	for i := range uint64(programs(25)) {
		for _, mix := range mixes {
			a, b := Generate(Rand(3, i), mix), Generate(Rand(3, i), mix)
			require.Equal(t, a, b)
			require.True(t, wellFormed(a.Program, mostBaseOps))
			h, stats, err := Search(context.Background(), a)
			again, statsAgain, errAgain := Search(context.Background(), b)
			require.Equal(t, h, again)
			require.Equal(t, stats, statsAgain)
			require.Equal(t, err, errAgain)
		}
	}
}

// atomically is p without scheduling points but the first and the last.
func atomically(p *register.Program) *register.Program {
	q := copyProgram(p)
	q.Blocks[0].Instrs = append([]register.Instr{{Op: register.Enter}}, q.Blocks[0].Instrs...)
	return q
}

func TestAtomicProgramsAreLinearizable(t *testing.T) {
	eachProblem(t, 60, func(t *testing.T, pr Problem, _ *History, _ error) {
		name := pr.Program.Name
		pr.Program = atomically(pr.Program)
		h, _, err := Search(context.Background(), pr)
		if !errors.Is(err, ErrWork) {
			require.NoError(t, err, name)
		}
		require.Nil(t, h, "%s:\n%s", name, h)
	})
}

// TestOpenEnvironmentCanDoWhatAPackageDoes: on one cell every step of a
// package is a swap, a delete or an observation of an open environment,
// unless it stores nil.
func TestOpenEnvironmentCanDoWhatAPackageDoes(t *testing.T) {
	eachProblem(t, 60, func(t *testing.T, pr Problem, h *History, _ error) {
		if h == nil || pr.Env == Open || len(pr.Program.Cells) > 1 || strings.Contains(h.String(), register.LitNil) {
			return
		}
		pr.Env, pr.Steps = Open, nil
		pr.Bounds = Bounds{PerPoint: 1, Env: 3, Run: 60, Work: 100_000}
		other, _, err := Search(context.Background(), pr)
		if err == nil {
			assert.NotNil(t, other, "%s: only a package does\n%s", pr.Program.Name, h)
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	for _, mix := range mixes {
		b.Run(fmt.Sprintf("cells=%d/env=%d", mix.Cells, mix.Env), func(b *testing.B) {
			for i := uint64(0); b.Loop(); i++ {
				pr := Generate(Rand(1, i), mix)
				if _, _, err := Search(context.Background(), pr); err != nil && !errors.Is(err, ErrWork) {
					b.Fatal(err)
				}
			}
		})
	}
}
