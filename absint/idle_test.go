package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// lookThenAct looks through a slice between its check and its act.
const lookThenAct = `
func "look, then act"(words, x)
cell c0 map &m["k"] zero nil label "m[k]"

b0:
    v, had = read c0
    n = pure len(words)
    i = 0
    jump b1

b1:
    more = pure lt(i, n)
    branch more, b2, b4

b2:
    w = pure index(words, i)
    same = pure eq(w, x)
    branch same, b5, b3

b3:
    i = pure add(i, 1)
    jump b1

b4:
    return false

b5:
    ACT
`

// TestIdleLoops: a loop that touches no cell is one step, whatever it does.
func TestIdleLoops(t *testing.T) {
	for _, c := range []struct {
		act  string
		want Verdict
	}{
		{"old, ok = cas c0, absent, x\n    return ok", Verified},
		{"old, had_2 = write c0, x\n    return had", Violation},
	} {
		res := decided(t, replaceAct(lookThenAct, c.act))
		assert.Equal(t, c.want, res.Verdict, res.Reason)
	}
}

func replaceAct(text, act string) string {
	const place = "ACT"
	for i := range len(text) - len(place) {
		if text[i:i+len(place)] == place {
			return text[:i] + act + text[i+len(place):]
		}
	}
	return text
}

// TestWithoutIdleLoops: what stands for a loop gives what is read after it, and says
// where it is left.
func TestWithoutIdleLoops(t *testing.T) {
	progs, err := register.Parse("register.reg", []byte(replaceAct(lookThenAct, "jump b6\n\nb6:\n    return i")))
	require.NoError(t, err)
	before := progs[0].String()
	p := summary.WithoutIdleLoops(progs[0])
	assert.Equal(t, before, progs[0].String(), "the program stays as it is")
	require.NoError(t, register.Check(p))
	assert.Empty(t, register.Loops(p))
	assert.Contains(t, p.String(), "i, exit = pure loop#1(words, x, n, i)")
	assert.Same(t, p, summary.WithoutIdleLoops(p))
}
