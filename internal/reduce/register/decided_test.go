package register_test

import (
	"testing"

	"github.com/mapatom/mapatom/internal/reduce/register"
	"github.com/stretchr/testify/require"
)

// A block that assigns the literal that the next one branches on goes its own way;
// one that assigns something else, or the literal before something else, does not.
func TestGoDecided(t *testing.T) {
	p := parseOne(t, `
func f(a, b)

b0:
    branch a, b1, b2

b1:
    x = b
    x = true
    jump b5

b2:
    branch b, b3, b4

b3:
    x = false
    jump b5

b4:
    x = true
    x = b
    jump b5

b5:
    branch x, b6, b7

b6:
    return 1

b7:
    return 2
`)
	require.True(t, register.GoDecided(p))
	require.Equal(t, []int{6}, p.Blocks[1].Term.To)
	require.Equal(t, []int{7}, p.Blocks[3].Term.To)
	require.Equal(t, []int{5}, p.Blocks[4].Term.To)
	require.False(t, register.GoDecided(p), "nothing is left to decide")
}
