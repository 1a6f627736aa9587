package rivals

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A step on an entry of the region's map is on the region's flag, where the map is a part of the same object as the
// flag. Two objects can point to one map, and have a flag each.
func TestBindingContradicts(t *testing.T) {
	const text = `
func f(d, k)
cell c0 atomic closed zero false label "d.closed"
cell c1 map in[k] zero nil label "d.in[k]"

b0:
    closed = pure &T.closed(d)
    PATH
    _, _ = write c1, 1
    return
`
	for path, want := range map[string]bool{
		"in = pure &T.in(d)": true,
		"all = pure T.all(d)\n    in = pure &Hall.in(all)": false,
	} {
		progs, err := register.Parse("step.reg", []byte(strings.Replace(text, "PATH", path, 1)))
		require.NoError(t, err)
		p := progs[0]
		n := register.Number(p)
		assert.Equal(t, want, newBinding(n, n, p, p, []int{-1, 1}).contradicts([]int{-1, 1}), path)
		assert.False(t, newBinding(n, n, p, p, []int{0, 1}).contradicts([]int{0, 1}), path)
	}
}
