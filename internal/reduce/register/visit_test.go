package register_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// sweep is a loop over m in a section that knows of k, with something more in its rounds.
const sweep = `
func f(k, m, x)
cell c0 map m[k] zero nil guarded
cell c1 map m[key] zero nil guarded

b0:
    count = 0
    _, _ = write c0, x
    jump b1

b1:
    more = unknown range#1(m)
    key = unknown "range key#1"(m)
    value, had = read c1
    go = pure choose(more, had, false)
    branch go, b2, b4

b2:
    same = pure eq(value, x)
    branch same, b3, b1

b3:
    _, _ = write c1, absent
    MORE
    jump b1

b4:
    return count
`

// A loop over a map begins with what its section knows to be there, unless a round leaves something to the next one, or
// touches another entry.
func TestVisitKnown(t *testing.T) {
	for more, want := range map[string]int{"": 2, "count = pure add(count, 1)": 0, "_, _ = write c0, x": 0} {
		ps, err := register.Parse("text", []byte(strings.Replace(sweep, "MORE", more, 1)))
		require.NoError(t, err)
		p := ps[0]
		hold(p)
		before := operations(p, 0)
		assert.Equal(t, want > 0, register.VisitKnown(p), more)
		assert.Equal(t, want, operations(p, 0)-before, more)
		require.NoError(t, register.Check(p))
	}
}

// hold puts all operations into one section.
func hold(p *register.Program) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() {
				in.Held = []int{1}
			}
		}
	}
}

// operations are how many there are on a cell.
func operations(p *register.Program, cell int) (n int) {
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() && in.Cell == cell {
				n++
			}
		}
	}
	return n
}
