package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/oracle"
)

// found is the violation of a problem as decide finds it, and the problem as it is decided.
func found(t *testing.T, p Problem) (Problem, Result) {
	t.Helper()
	require.NoError(t, p.validate())
	p = p.summarised()
	res, err := decide(t.Context(), p, assumptions{}, p.Budget.Work)
	require.NoError(t, err)
	return p, res
}

// TestCarried: an interleaving breaks the call under an assumption, too, unless that is what
// explains it.
func TestCarried(t *testing.T) {
	work, both := assumptions{deterministic: true}, assumptions{deterministic: true, interchangeable: true}
	for _, x := range []struct {
		name, program string
		work, both    bool
	}{
		{"computed twice", "b0:\n v, _ = read c0\n none = pure eq(v, nil)\n branch none, b2, b1\nb1:\n return v\nb2:\n y = unknown compute#1(x)\n _, _ = write c0, y\n return y\n", false, false},
		{"made twice", "b0:\n v, _ = read c0\n none = pure eq(v, nil)\n branch none, b2, b1\nb1:\n return v\nb2:\n y = fresh T#1()\n _, _ = write c0, y\n return y\n", true, false},
		{"given", "b0:\n v, _ = read c0\n none = pure eq(v, nil)\n branch none, b2, b1\nb1:\n return v\nb2:\n y = unknown compute#1(x)\n _, _ = write c0, x\n return y\n", true, true},
		{"what it is made with differs", "b0:\n v, _ = read c0\n none = pure eq(v, nil)\n branch none, b2, b1\nb1:\n return v\nb2:\n y = fresh T#1(x)\n _, _ = write c0, y\n return y\n", true, true},
	} {
		t.Run(x.name, func(t *testing.T) {
			region := parsed(t, "F", x.program)
			p, res := found(t, Problem{Region: region, Env: Package, Steps: []Step{{Name: "itself", Program: region, Cells: []int{0, 1}, Bind: unbound(len(region.Params))}}})
			require.Equal(t, Violation, res.Verdict)
			for a, want := range map[assumptions]bool{work: x.work, both: x.both} {
				_, breaks := res.Witness.carried(p, a)
				assert.Equal(t, want, breaks, "%+v", a)
			}
		})
	}
}

func unbound(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = -1
	}
	return out
}

// TestCarriedAgrees: what is carried over is never verified by an exploration under the
// assumption, on the shapes and on random programs.
func TestCarriedAgrees(t *testing.T) {
	var problems []Problem
	for _, p := range shapes(t, "open.reg") {
		problems = append(problems, Problem{Region: p})
	}
	for n := range *diffPrograms {
		mix := oracle.Mix{Cells: 1, Env: oracle.Package, Noise: oracle.DefaultNoise}
		problems = append(problems, translate(oracle.Generate(oracle.Rand(*diffSeed, uint64(n)), mix)))
	}
	asked, carried := 0, 0
	for _, p := range problems {
		p, res := found(t, p)
		if res.Verdict != Violation {
			continue
		}
		for _, a := range []assumptions{{deterministic: true}, {deterministic: true, interchangeable: true}} {
			asked++
			_, breaks := res.Witness.carried(p, a)
			if !breaks {
				continue
			}
			carried++
			again, err := decide(t.Context(), p, a, p.Budget.Work)
			require.NoError(t, err)
			assert.NotEqual(t, Verified, again.Verdict, "%+v\n%s", a, p.Region)
		}
	}
	t.Logf("%d of %d", carried, asked)
	assert.Greater(t, 2*carried, asked, "most violations have nothing to do with the assumptions")
}
