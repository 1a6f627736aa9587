package register_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Who counts the entries of a map looks at those that have a cell, and at none of another map.
func TestCountEntries(t *testing.T) {
	const text = `
func f(k, l)
cell c0 map m[k] zero nil
cell c1 map m[l] zero nil
cell c2 map o[k] zero nil

b0:
    m = pure a()
    o = pure b()
    p = pure c()
    n = unknown "entries of#1"(m)
    r = unknown "entries of#2"(p)
    _, _ = write c2, n
    _, _ = write c2, r
    return
`
	ps, err := register.Parse("text", []byte(text))
	require.NoError(t, err)
	p := ps[0]
	register.CountEntries(p)
	var looks []int
	for _, in := range p.Blocks[0].Instrs {
		if in.Op == register.Read {
			looks = append(looks, in.Cell)
		}
	}
	assert.Equal(t, []int{0, 1}, looks)
	assert.Len(t, register.Counted(p), 1, "of the other map nothing is known")
	assert.NoError(t, register.Check(p))
}

// A map that has been cleared is empty until something is put there, or the lock is released.
func TestCountCleared(t *testing.T) {
	const text = `
func f(k, x)
cell c0 map m[key] zero nil guarded
cell c1 map m[k] zero nil guarded

b0:
    m = pure a()
    key = unknown "some key#1"()
    lock w x
    _, _ = write every c0, absent
    a = unknown "entries of#1"(m)
    _, _ = write c1, a
    b = unknown "entries of#2"(m)
    _, _ = write every c0, absent
    unlock w x
    c = unknown "entries of#3"(m)
    return a, b, c
`
	ps, err := register.Parse("text", []byte(text))
	require.NoError(t, err)
	p := ps[0]
	register.CountCleared(p)
	var counts []string
	for i := range p.Blocks[0].Instrs {
		if in := &p.Blocks[0].Instrs[i]; in.CountsEntries() {
			counts = append(counts, in.Name)
		}
	}
	assert.Equal(t, []string{"entries of#2", "entries of#3"}, counts)
}

// TestLookWhereCounted: who counts and then puts an entry there, in another section and because of what was counted, has looked at one of those
// that were counted; not so who does both in one section, looks at the entry where it is counted, only takes it away, or puts it there in any case.
func TestLookWhereCounted(t *testing.T) {
	for name, c := range map[string]struct {
		counted, later string
		looks          int
	}{
		"later":     {"unlock w mu", "    lock w mu\n    _, _ = write c0, v\n    unlock w mu\n", 1},
		"at once":   {"jumps = pure a()", "    _, _ = write c0, v\n    unlock w mu\n", 0},
		"looked at": {"_, had = read c0\n    unlock w mu", "    lock w mu\n    _, _ = write c0, v\n    unlock w mu\n", 0},
		"taken":     {"unlock w mu", "    lock w mu\n    _, _ = write c0, absent\n    unlock w mu\n", 0},
	} {
		p, err := register.Parse(name, []byte("func F(m, k, v, mu, most)\ncell c0 map m[k] zero nil guarded\n\nb0:\n    lock w mu\n    n = unknown \"entries of#1\"(m)\n    "+
			c.counted+"\n    full = pure le(most, n)\n    branch full, b1, b2\n\nb1:\n    return true\n\nb2:\n"+c.later+"    return false\n"))
		require.NoError(t, err, name)
		register.LookWhereCounted(p[0])
		require.NoError(t, register.Check(p[0]), name)
		var looks int
		for i, in := range p[0].Blocks[0].Instrs {
			if in.Op == register.Read && p[0].Cells[in.Cell].Counted {
				assert.True(t, p[0].Blocks[0].Instrs[i+1].CountsEntries(), name)
				looks++
			}
		}
		assert.Equal(t, c.looks, looks, name)
	}
	p, err := register.Parse("always", []byte("func F(m, k, v, mu)\ncell c0 map m[k] zero nil guarded\n\nb0:\n    lock w mu\n    n = unknown \"entries of#1\"(m)\n"+
		"    unlock w mu\n    lock w mu\n    _, _ = write c0, v\n    unlock w mu\n    return n\n"))
	require.NoError(t, err)
	register.LookWhereCounted(p[0])
	assert.Len(t, p[0].Cells, 1)
}

// TestRemoval: what is taken away because it is there is taken away whatever it is; not so what is compared first, what
// is put there, or what is taken away in another section.
func TestRemoval(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		ok   bool
	}{
		"there":     {"    had2 = pure not(had)\n    branch had2, b3, b1\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, absent\n    leave\n    return", true},
		"not nil":   {"    none = pure eq(nil, found)\n    branch none, b3, b1\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, absent\n    leave\n    return", true},
		"compared":  {"    same = pure eq(found, mine)\n    branch same, b1, b3\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, absent\n    leave\n    return", false},
		"replaced":  {"    branch had, b1, b3\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, mine\n    leave\n    return", false},
		"let go":    {"    leave\n    enter\n    branch had, b1, b3\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, absent\n    leave\n    return", false},
		"otherwise": {"    branch had, b3, b1\n\nb1:\n    jump b2\n\nb2:\n    _, _ = write c0, absent\n    leave\n    return", false},
	} {
		p, err := register.Parse(name, []byte("func F(m, k, mine)\ncell c0 map m[k] zero nil\n\nb0:\n    enter\n    found, had = read c0\n"+c.body+"\n\nb3:\n    leave\n    return\n"))
		require.NoError(t, err, name)
		_, ok := register.Removal(p[0], register.Number(p[0]), register.Ref{Block: 0, Instr: 1})
		assert.Equal(t, c.ok, ok, name)
	}
}
