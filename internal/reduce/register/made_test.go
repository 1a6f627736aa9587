package register_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestStoreOnceSeen: what an object refers to is stored once an attempt to put it somewhere has succeeded, but not where
// others know of it already, nor where what an attempt that failed has stored can stay.
func TestStoreOnceSeen(t *testing.T) {
	const push = `
func "push"(s, v)
cell c0 atomic top of pointer "*a.node" zero nil label "s.top"

b0:
    n = fresh a.node#1(v, nil)
    jump b1

b1:
    old, _ = read c0
    effect "store a.node.next"(n, old)
    _, ok = cas weak c0, old, n
    branch ok, b2, b3

b2:
    WON

b3:
    LOST
`
	for _, c := range []struct {
		won, lost string
		moved     bool
	}{
		{"return", "jump b1", true},
		{"return", "return", true},
		{"jump b1", "jump b1", false},
		{"return", "effect \"f\"(n)\n    jump b1", false},
		{"return", "return n", false},
	} {
		progs, err := register.Parse("push.reg", []byte(strings.NewReplacer("WON", c.won, "LOST", c.lost).Replace(push)))
		require.NoError(t, err)
		p := progs[0]
		register.StoreOnceSeen(p)
		require.NoError(t, register.Check(p))
		before := slices.ContainsFunc(p.Blocks[1].Instrs, func(in register.Instr) bool { return in.Op == register.Effect })
		assert.Equal(t, !c.moved, before, "%s, %s:\n%s", c.won, c.lost, p)
		assert.Equal(t, c.moved, len(p.Blocks) > 4)
	}
}
