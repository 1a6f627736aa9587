package register_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// counting is a loop over m in one section, with an operation in the next one.
const counting = `
func f(k, m, x)
cell c0 map m[k] zero nil guarded
cell c1 map m[key] zero nil guarded

b0:
    count = 0
    jump b1

b1:
    more = unknown range#1(m)
    key = unknown "range key#1"(m)
    value, had = read c1
    go = pure choose(more, had, false)
    branch go, b2, b3

b2:
    ROUND
    jump b1

b3:
    full = pure le(10, count)
    branch full, b4, b5

b4:
    return

b5:
    _, _ = write c0, x
    return
`

// What a loop over a map adds up is known of no entry: an operation in a later section that depends on it is on
// something that is left out, and one in the same section is not, since all of it is one step.
func TestOmitsEntries(t *testing.T) {
	for _, tt := range []struct {
		round string
		later bool
		want  bool
	}{
		{"count = pure add(count, 1)", true, true},
		{"count = pure add(count, 1)", false, false},
		{"_, _ = write c1, absent", true, false},
	} {
		ps, err := register.Parse("text", []byte(strings.Replace(counting, "ROUND", tt.round, 1)))
		require.NoError(t, err)
		p := ps[0]
		hold(p)
		if tt.later {
			p.Blocks[5].Instrs[0].Held = []int{2}
		}
		name, omits := p.Omits()
		assert.Equal(t, tt.want, omits, tt)
		if omits {
			assert.Equal(t, register.OmitLook, name)
		}
	}
}
