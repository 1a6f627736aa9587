package register_test

import (
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A branch that decides about values only is a choice, also one within another; one that decides about
// an operation, or about a division, is not.
func TestChoose(t *testing.T) {
	p := parseOne(t, `
func f(a, b, x, y, c)
cell c0 map "m"[1] zero nil label "m"

b0:
    branch a, b1, b5

b1:
    branch b, b2, b3

b2:
    x = y
    y = 1
    jump b4

b3:
    a = pure not(b)
    jump b4

b4:
    x = pure add(x, 1)
    jump b5

b5:
    branch c, b6, b7

b6:
    _, _ = write c0, x
    jump b7

b7:
    branch b, b8, b9

b8:
    y = pure quo(x, y)
    jump b9

b9:
    return a, x, y
`)
	before := p.Clone()
	register.Choose(p)
	require.NoError(t, register.Check(p))
	branches := 0
	for _, blk := range p.Blocks {
		if blk.Term.Kind == register.Branch {
			branches++
		}
	}
	assert.Equal(t, 2, branches, "%s", p)
	for i := range 4 {
		args := []register.Value{register.LitFalse, register.LitFalse, "5", "6", register.LitTrue}
		for k := range 2 {
			if i>>k&1 == 1 {
				args[k] = register.LitTrue
			}
		}
		assert.Equal(t, results(t, before, args), results(t, p, args), "%v", args)
	}
}

func results(t *testing.T, p *register.Program, args []register.Value) []register.Value {
	out, err := register.Run(p, args, []register.Value{"4"}, &tableHost{}, nil, 100)
	require.NoError(t, err)
	return out.Vals
}
