package absint

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// diamonds are blocks that ask unknown functions one after the other, each of which has something done or not,
// from block first on. The last of them jumps to the block after them.
func diamonds(first, n int) string {
	var b strings.Builder
	for i := range n {
		at := first + 2*i
		fmt.Fprintf(&b, "b%d:\n    u%d = unknown \"ask#%d\"()\n    branch u%d, b%d, b%d\n", at, at, at, at, at+1, at+2)
		fmt.Fprintf(&b, "b%d:\n    effect \"then done%d\"(id)\n    jump b%d\n", at+1, at, at+2)
	}
	return b.String()
}

// manyWays is how often a call is asked something: so often that not all of its ways can be followed.
const manyWays = 20

// long is get-or-create with much to do after the insertion, which is made by some instructions.
func long(t *testing.T, insert string) *register.Program {
	text := "func \"long\"(id)\ncell c0 map m[id] zero nil label \"m[id]\"\n\n" +
		"b0:\n    v, ok = read c0\n    branch ok, b1, b2\nb1:\n    w = v\n    jump b3\n" +
		"b2:\n    n = fresh \"T#1\"(id)\n    " + insert + "\n    jump b3\n" + diamonds(3, manyWays) +
		fmt.Sprintf("b%d:\n    return w\n", 3+2*manyWays)
	ps, err := register.Parse("long", []byte(text))
	require.NoError(t, err)
	require.NoError(t, register.Check(ps[0]))
	return ps[0]
}

// TestLongCalls has calls of which not all atomic runs can be followed, beside the same with a mistake.
func TestLongCalls(t *testing.T) {
	for insert, want := range map[string]Verdict{
		"old, stored = cas c0, absent, n\n    w = pure choose(stored, n, old)": Verified,
		"_, _ = write c0, n\n    w = n":                                        Violation,
	} {
		res, err := Check(context.Background(), Problem{Region: long(t, insert)})
		require.NoError(t, err)
		require.Equal(t, want, res.Verdict, "%s: %s", insert, res.Reason)
	}
}

// endless writes what it then finds for ever, if there was something.
const endless = `
func "endless"(x)
cell c0 map m[x] zero nil label "m[x]"

b0:
    jump b1
b1:
    enter
    t = pure f(x)
    leave
    old, had = write c0, t
    old_2, ok = cas c0, absent, t
    branch had, b1, b2
b2:
    return

func "insert"(x)
cell c0 map m[x] zero nil label "m[x]"

b0:
    old, ok = cas c0, absent, x
    return ok
`

// TestEndlessCall has a call that has an effect, and then goes on for ever: no atomic run comes to an end
// with which it could be compared.
func TestEndlessCall(t *testing.T) {
	ps, err := register.Parse("endless", []byte(endless))
	require.NoError(t, err)
	for _, late := range []bool{false, true} {
		res, err := Check(context.Background(), Problem{
			Region: ps[0], Env: Package, late: late,
			Steps: []Step{{Name: "insert", Program: ps[1], Cells: []int{0}, Bind: []int{-1}}},
		})
		require.NoError(t, err)
		require.NotEqual(t, Verified, res.Verdict, "late %v", late)
	}
}
