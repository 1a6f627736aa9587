package absint

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// decided is what becomes of the first of some register programs, in an open
// environment if there are no others, and else beside those.
func decided(t *testing.T, text string) Result {
	t.Helper()
	progs, err := register.Parse("register.reg", []byte(text))
	require.NoError(t, err)
	p := Problem{Region: progs[0]}
	for _, s := range progs[1:] {
		p.Env = Package
		p.Steps = append(p.Steps, Step{Name: s.Name, Program: s, Cells: []int{0}})
	}
	res, err := Check(context.Background(), p)
	require.NoError(t, err)
	return res
}

// TestTruthValuesAreNoIdentities: an effect on the answer to a comparison is not
// one on something that was in a cell, even if the cell may hold a truth value.
func TestTruthValuesAreNoIdentities(t *testing.T) {
	res := decided(t, `
func DeleteIfSame(x)
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    v, had = read c0
    t = pure eq(v, x)
    branch t, b1, b2

b1:
    _, _ = cas weak c0, "none", absent
    return

b2:
    effect use#1(t)
    return
`)
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}

// TestEnvironmentKnowsItsOwn: what a step allocates can be given to another one.
func TestEnvironmentKnowsItsOwn(t *testing.T) {
	progs, err := register.Parse("register.reg", []byte(`
func GetOrCreate()
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    n = fresh T#9()
    old, ok = cas c0, absent, n
    t = pure choose(ok, n, old)
    return t

func CompareAndDelete(x)
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    old, ok = cas c0, x, absent
    return ok

func Twice()
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    v, had = read c0
    branch had, b1, b2

b1:
    v_2, had_2 = read c0
    return had_2

b2:
    return true
`))
	require.NoError(t, err)
	res, err := Check(context.Background(), Problem{Region: progs[2], Env: Package, Steps: []Step{
		{Name: "GetOrCreate", Program: progs[0], Cells: []int{0}},
		{Name: "CompareAndDelete", Program: progs[1], Cells: []int{0}, Bind: []int{-1}},
	}})
	require.NoError(t, err)
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}

// TestEndlessUnlessAllocationIsGood: whether the call ever ends depends on an
// answer about what it allocates. If it does not, it has changed the cell, and
// never took effect.
func TestEndlessUnlessAllocationIsGood(t *testing.T) {
	res := decided(t, `
func Spin()
cell c0 atomic &a zero false label "a"

b0:
    n = fresh T#1()
    old, ok = cas c0, true, false
    old_2, ok_2 = cas c0, ok, ok
    good = pure p(n)
    jump b1

b1:
    old_3, ok_3 = cas c0, good, good
    branch good, b2, b1

b2:
    return
`)
	assert.NotEqual(t, Verified, res.Verdict)
}

// TestSettledChoices: once a run has chosen what an unpredictable call returns, a
// comparison with it is not another choice.
func TestSettledChoices(t *testing.T) {
	res := decided(t, `
func Toggle()
cell c0 atomic &a zero false label "a"

b0:
    v, _ = read c0
    u = unknown ask#1()
    t = pure choose(u, v, u)
    _, had = read c0
    old, _ = cas c0, t, had
    return old
`)
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}

// TestFunctionsCanReturnTheirArguments: what a function makes of an allocation may
// be the allocation.
func TestFunctionsCanReturnTheirArguments(t *testing.T) {
	res := decided(t, `
func StoreAndReplace(x)
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    n = fresh T#1(x)
    _, _ = write c0, n
    t = pure f(n)
    _, _ = cas c0, t, x
    return

func Take()
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    old, had = write c0, absent
    return old, had
`)
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}

// TestAllocationsAreNotChosen: what a function gives for a new object is the same
// in an atomic run as in the actual one.
func TestAllocationsAreNotChosen(t *testing.T) {
	res := decided(t, `
func TryThenStore(x)
cell c0 atomic &a zero 0 label "a"

b0:
    n = fresh T#2()
    t = pure f(n)
    _, ok = cas c0, t, t
    branch ok, b1, b2

b1:
    return 1

b2:
    _, _ = write c0, x
    return 2
`)
	assert.NotEqual(t, Verified, res.Verdict)
}

// TestUnknownCallsKnowWhatOthersKnow: what the call has published, a function that
// it calls can give back to it.
func TestUnknownCallsKnowWhatOthersKnow(t *testing.T) {
	res := decided(t, `
func InsertThenReplace()
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    n = fresh T#1()
    _, ok = cas c0, absent, n
    branch ok, b1, b2

b1:
    u = unknown call#1()
    _, _ = cas c0, u, 1
    return

b2:
    return

func GetOrCreate()
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    n = fresh T#9()
    old, ok = cas c0, absent, n
    t = pure choose(ok, n, old)
    return t
`)
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}
