package absint

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

const skip = `
func "skip"(n)
cell c0 atomic length of int64 zero 0 label "length"
var n int64

b0:
    length, _ = read c0
    short = pure lt int64(length, n)
    branch short, b1, b2

b1:
    return "short"

b2:
    enter
    old, _ = read c0
    left = pure sub int64(old, n)
    _, _ = write c0, left
    leave
    return left
`

// grow adds any number.
const grow = `
func "grow"(n)
cell c0 atomic length of int64 zero 0 label "length"
var n int64

b0:
    old, _ = read c0
    sum = pure add int64(old, n)
    _, _ = write c0, sum
    return sum
`

// TestCounterOfAnything: a counter to which others add any number can hold any. It is
// not followed from each number that it can begin with, and from each sum.
func TestCounterOfAnything(t *testing.T) {
	region, err := register.Parse("skip", []byte(skip))
	require.NoError(t, err)
	step, err := register.Parse("grow", []byte(grow))
	require.NoError(t, err)
	p := Problem{
		Region: region[0], Env: Package, Budget: defaultBudget,
		Initial: [][]register.Value{{"1", "2", "3", "15", "16", "17"}},
		Steps:   []Step{{Name: "grow", Program: step[0], Cells: []int{0}, Bind: []int{-1}}},
	}
	e := newEngine(p, assumptions{}, stage{share: 4})
	res, _, err := e.run(context.Background(), 0)
	require.NoError(t, err)
	require.Equal(t, Violation, res.Verdict)
	require.Less(t, res.Configurations, 250)
}

// TestSharedParts: a term whose parts are shared at every level is compared once for each
// part, and not once for each way to it.
func TestSharedParts(t *testing.T) {
	region, err := register.Parse("skip", []byte(skip))
	require.NoError(t, err)
	p := Problem{Region: region[0], Env: Open, Budget: defaultBudget}
	require.NoError(t, p.validate())
	e := newEngine(p, assumptions{}, stage{share: 4})
	double := func(x term) term {
		for range 80 {
			x = e.terms.app("pair", 0, x, x)
		}
		return x
	}
	x, y := e.terms.sym("x", false, nil), e.terms.sym("y", false, nil)
	v := newCover(&e.covering)
	v.covering.terms = e.terms
	before := e.terms.cost
	require.True(t, v.term(double(x), double(y)))
	z, ok := v.replaced(double(x))
	require.True(t, ok)
	require.Equal(t, double(y), z)
	require.Less(t, e.terms.cost-before, 10_000)
}

// TestPointerBesideBoxedNil: a pointer that may be nil stands for no nil of a pointer type in an
// interface, to which it is not equal. What is in an interface can be one.
func TestPointerBesideBoxedNil(t *testing.T) {
	region, err := register.Parse("skip", []byte(skip))
	require.NoError(t, err)
	p := Problem{Region: region[0], Env: Open, Budget: defaultBudget}
	require.NoError(t, p.validate())
	e := newEngine(p, assumptions{}, stage{share: 4})
	boxed := e.terms.lit("{nil *p.T}")
	pointer, any := e.terms.sym("p", false, nil), e.terms.sym("x", false, nil)
	e.terms.declare(pointer, register.Type{Kind: register.Pointer, Name: "*p.T"})
	require.False(t, newCover(&e.covering).term(pointer, boxed))
	require.True(t, newCover(&e.covering).term(any, boxed))
	require.True(t, newCover(&e.covering).term(pointer, e.terms.nilT))
}
