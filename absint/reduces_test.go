package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestReducesOpen: where others can do anything, a call that touches its cell once on each
// way is one step; one that does so twice, or in a loop, may not be. A read of which
// nothing comes, or only what nobody knows, is none.
func TestReducesOpen(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		is   bool
	}{
		"one of two":  {"b0:\n branch x, b1, b2\nb1:\n _, _ = write c0, x\n return\nb2:\n v, _ = read c0\n return v\n", true},
		"two":         {"b0:\n v, _ = read c0\n _, _ = write c0, x\n return v\n", false},
		"unused read": {"b0:\n _, _ = read c0\n _, _ = write c0, x\n return\n", true},
		"a loop":      {"b0:\n jump b1\nb1:\n v, _ = read c0\n branch v, b1, b2\nb2:\n return\n", false},
		"a section":   {"b0:\n enter\n v, _ = read c0\n _, _ = write c0, x\n leave\n return v\n", true},
		"two of them": {"b0:\n enter\n v, _ = read c0\n leave\n enter\n _, _ = write c0, x\n leave\n return v\n", false},

		"given to an unknown call":  {"b0:\n v, _ = read c0\n r = unknown f#1(v)\n _, _ = write c0, r\n return\n", true},
		"and stored":                {"b0:\n v, _ = read c0\n r = unknown f#1(v)\n _, _ = write c0, v\n return r\n", false},
		"and asked about":           {"b0:\n v, _ = read c0\n branch v, b1, b2\nb1:\n _, _ = write c0, x\n return\nb2:\n return\n", false},
		"asked about, for a call":   {"b0:\n v, _ = read c0\n branch v, b1, b2\nb1:\n r = unknown f#1(v)\n jump b2\nb2:\n _, _ = write c0, x\n return\n", true},
		"asked about, for a result": {"b0:\n v, _ = read c0\n r = nil\n branch v, b1, b2\nb1:\n r = x\n jump b2\nb2:\n _, _ = write c0, x\n return r\n", false},
		"asked about, for an end":   {"b0:\n jump b1\nb1:\n v, _ = read c0\n branch v, b1, b2\nb2:\n _, _ = write c0, x\n return\n", false},
		"where looks count":         {"b0:\n v, _ = read c0\n r = unknown f#1(v)\n effect g(x)\n w, _ = read c0\n return w\n", false},
	} {
		assert.Equal(t, c.is, (&Problem{Region: parsed(t, name, c.body)}).reduces(), name)
	}
}

// TestReducesLocked: what is done under a lock that others take is one step, together
// with one operation on something else.
func TestReducesLocked(t *testing.T) {
	writes := "b0:\n _, _ = write c0, x\n return\n"
	increments := "b0:\n old, _ = read c0\n sum = pure add(old, 1)\n _, _ = write c0, sum\n return\n"
	looks := "b0:\n v, _ = read c0\n return v\n"
	const l = `{"l"}`
	twice := "b0:\n v, _ = read c0\n _, _ = write c0, x\n return v\n"
	for name, c := range map[string]struct {
		body, other string
		cell        int
		locked      bool // the other one
		held        []Hold
		guards      []string
		is          bool
	}{
		"held by nobody else":       {twice, writes, 0, false, []Hold{{"l", true}}, []string{"l", ""}, false},
		"held":                      {twice, writes, 0, true, []Hold{{"l", true}}, []string{"l", ""}, true},
		"shared":                    {twice, writes, 0, true, []Hold{{"l", false}}, []string{"l", ""}, true},
		"who looks may see it":      {"b0:\n _, _ = write c0, nil\n _, _ = write c0, x\n return\n", writes, 0, true, []Hold{{"l", true}}, nil, false},
		"nobody looks":              {"b0:\n _, _ = write c0, nil\n _, _ = write c0, x\n return\n", writes, 0, true, []Hold{{"l", true}}, []string{"l", ""}, true},
		"others only look":          {twice, looks, 0, false, nil, nil, true},
		"given up in between":       {"b0:\n v, _ = read c0\n unlock w " + l + "\n lock w " + l + "\n _, _ = write c0, x\n return v\n", writes, 0, true, []Hold{{"l", true}}, nil, false},
		"taken twice, look at last": {"b0:\n lock w " + l + "\n _, _ = write c0, x\n unlock w " + l + "\n v, _ = read c1\n return v\n", increments, 1, false, nil, nil, false},

		"with one other": {"b0:\n v, _ = read c0\n w, _ = read c1\n branch w, b1, b2\nb1:\n _, _ = write c0, x\n return v\nb2:\n return v\n",
			increments, 1, false, []Hold{{"l", true}}, []string{"l", ""}, true},
		"with two others": {"b0:\n v, _ = read c0\n w, _ = read c1\n _, _ = write c0, x\n u, _ = read c1\n return v, w, u\n",
			increments, 1, false, []Hold{{"l", true}}, []string{"l", ""}, false},
	} {
		step := Step{Name: "F", Program: parsed(t, name, c.other), Cells: []int{c.cell, -1}, Bind: []int{-1}}
		if c.locked {
			step.Locks = []Hold{{"l", true}}
		}
		p := Problem{Region: parsed(t, name, c.body), Env: Package, Held: c.held, Guards: c.guards, Steps: []Step{step}}
		assert.Equal(t, c.is, p.reduces(), name)
	}
}

func parsed(t *testing.T, name, body string) *register.Program {
	progs, err := register.Parse(name, []byte("func F(x)\ncell c0 atomic &n zero nil label \"n\"\ncell c1 atomic &m zero nil label \"m\"\n\n"+body))
	require.NoError(t, err, name)
	return progs[0]
}
