package register

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPath: a value is written as Go has it; what Go has no expression for goes by its name.
func TestPath(t *testing.T) {
	progs, err := Parse("path.reg", []byte(`
func F(r, k)
cell c0 map r[k] zero nil label "r[k]"

b0:
    old, ok = read c0
    m = pure &pkg.T.m(r)
    found = pure choose(ok, old, r)
    inner = pure &pkg.T.m(found)
    sum = pure add(k, 1)
    return m, inner, sum
`))
	require.NoError(t, err)
	n := Number(progs[0])
	var paths []string
	for _, v := range progs[0].Blocks[0].Term.Vals {
		paths = append(paths, n.Path(v))
	}
	assert.Equal(t, []string{"r.m", "found.m", "k + 1"}, paths)
}
