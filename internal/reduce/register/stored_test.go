package register_test

import (
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/require"
)

// What was stored in a field is found there: on each way on which there is an object, and until an operation, a call,
// or a store to another object that may be the same.
func TestFindStored(t *testing.T) {
	p := parseOne(t, `
func f(v, w, hit)
cell c0 map m[1] zero nil

b0:
    isnil = pure eq(v, nil)
    branch isnil, b2, b1

b1:
    effect "store p.T.n"(v, 5)
    jump b2

b2:
    both = unknown p.T.n#1(v)
    again = unknown p.T.n#2(v)
    effect "store p.T.k"(w, 1)
    other = unknown p.T.n#3(v)
    effect "store p.T.n"(w, 7)
    alias = unknown p.T.n#4(v)
    own = unknown p.T.n#5(w)
    old, had = read c0
    later = unknown p.T.n#6(w)
    branch hit, b3, b4

b3:
    effect "store p.T.n"(w, 8)
    jump b4

b4:
    some = unknown p.T.n#7(w)
    x = fresh p.T#1(3, 4)
    made = pure p.T.k(x)
    told = unknown ask#1(x)
    maybe = unknown p.T.k#1(x)
    return both, again, other, alias, own, later, some, made, told, maybe
`)
	p.FieldPlaces = map[string]int{"p.T.n": 0, "p.T.k": 1}
	require.True(t, register.FindStored(p))
	found := map[string]string{}
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == register.Copy {
				found[p.Names[in.Dst[0]]] = p.OperandText(in.Args[0])
			}
		}
	}
	require.Equal(t, map[string]string{"both": "5", "again": "5", "other": "5", "own": "7", "made": "4"}, found)
	require.NoError(t, register.Check(p))
	require.False(t, register.FindStored(p), "nothing is left to find")
}
