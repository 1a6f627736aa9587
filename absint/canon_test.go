package absint

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// priority gives up when what it wants to replace comes before itself.
const priority = `
func "Priority"(x)
cell c0 map m["k"] zero nil label "m[k]"

b0:
    old, ok = cas c0, absent, x
    branch ok, b1, b2

b1:
    return

b2:
    _, _ = read c0
    jump b3

b3:
    t = pure lower(old, x)
    branch t, b4, b5

b4:
    enter
    old_2, ok_2 = cas c0, old, x
    leave
    branch ok_2, b6, b7

b5:
    return

b6:
    return

b7:
    v, had = read c0
    old = x
    branch had, b3, b8

b8:
    panic "nil dereference" ()
`
const swapIn = `
func "swap"(x)
cell c0 map m["k"] zero nil label "m[k]"

b0:
    old, had = write c0, x
    return old, had
`

// TestKeyOfDeadTerms: in one configuration a value that nothing has any more is
// equal to the argument, and what is known of it is known of the argument. The
// other configuration, where that is not known, must not be taken for the same.
func TestKeyOfDeadTerms(t *testing.T) {
	region, err := register.Parse("priority", []byte(priority))
	require.NoError(t, err)
	step, err := register.Parse("swap", []byte(swapIn))
	require.NoError(t, err)
	p := Problem{
		Region: region[0], Env: Package, Budget: defaultBudget,
		Steps: []Step{{Name: "swap", Program: step[0], Cells: []int{0}, Bind: []int{-1}}},
	}
	for _, s := range stages {
		res, _, err := newEngine(p, assumptions{}, s).run(context.Background(), 0)
		require.NoError(t, err)
		if s.envelope { // which is asked for nothing but this
			require.NotEqual(t, Verified, res.Verdict)
		} else {
			require.Equal(t, Violation, res.Verdict)
		}
	}
}
