package register_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A write to every entry of a map is one to each of the cells of that map, and another
// write is not.
func TestWriteEvery(t *testing.T) {
	const text = `
func f(k, l)
cell c0 map m[k] zero nil
cell c1 map m[l] zero nil
cell c2 map n[k] zero nil

b0:
    _, _ = write every c0, absent
    _, _ = write c1, absent
    return
`
	ps, err := register.Parse("text", []byte(text))
	require.NoError(t, err)
	p := ps[0]
	assert.Equal(t, 0, register.EveryCell(p))
	register.WriteEvery(p, []int{0, 1})
	var cells []int
	for _, in := range p.Blocks[0].Instrs {
		cells = append(cells, in.Cell)
	}
	assert.Equal(t, []int{0, 1, 1}, cells)
	assert.Contains(t, p.String(), "write every c1, absent")
}

// Two writes to every entry of a map are to the same entry that nothing is known of, and one of another
// map is not.
func TestShareEvery(t *testing.T) {
	const text = `
func f(ok)

cell c0 map m[key] zero nil
cell c1 map m[key_2] zero nil
cell c2 map n[key_3] zero nil

b0:
    m = pure a()
    n = pure b()
    branch ok, b1, b2

b1:
    key = unknown "some key#1"()
    _, _ = write every c0, absent
    jump b2

b2:
    key_2 = unknown "some key#2"()
    _, _ = write every c1, absent
    key_3 = unknown "some key#3"()
    _, _ = write every c2, absent
    return
`
	ps, err := register.Parse("text", []byte(text))
	require.NoError(t, err)
	p := ps[0]
	register.ShareEvery(p)
	assert.Equal(t, p.Cells[0].Key, p.Cells[1].Key)
	assert.NotEqual(t, p.Cells[0].Key, p.Cells[2].Key)
	register.Finish(p, register.MergeCells)
	assert.Len(t, p.Cells, 2)
}

// A map that is filled again is not empty after that.
func TestForgetRefilled(t *testing.T) {
	const text = `
func f(k, list)

cell c0 map m[key] zero nil
cell c1 map m[KEY] zero nil

b0:
    m = pure a()
    key = unknown "some key#1"()
    _, _ = write every c0, absent
    x = unknown "next#1"(list)
    _, _ = write c1, list
    return
`
	for key, every := range map[string]bool{"k": true, "x": false} {
		ps, err := register.Parse("text", []byte(strings.Replace(text, "KEY", key, 1)))
		require.NoError(t, err)
		register.ForgetRefilled(ps[0])
		assert.Equal(t, every, register.EveryCell(ps[0]) >= 0, key)
	}
}
