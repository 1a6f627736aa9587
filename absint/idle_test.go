package absint

import (
	"fmt"
	"regexp"
	"strings"
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
	assert.Regexp(t, `i, exit = pure "computed~\w+"\(words, x, n, i\)`, p.String())
	assert.Same(t, p, summary.WithoutIdleLoops(p))
}

// TestLoopsApart: two loops are one function if they do the same, whatever their locals are called and
// wherever they stand, and are two if they differ in anything.
func TestLoopsApart(t *testing.T) {
	name := func(act string, changes ...string) string {
		t.Helper()
		text := strings.NewReplacer(changes...).Replace(replaceAct(lookThenAct, act))
		progs, err := register.Parse("register.reg", []byte(text))
		require.NoError(t, err)
		return regexp.MustCompile(`computed~\w+`).FindString(summary.WithoutIdleLoops(progs[0]).String())
	}
	const act = "jump b6\n\nb6:\n    return i"
	first := name(act)
	require.NotEmpty(t, first)
	assert.Equal(t, first, name(act, "more", "goes_on", "same", "it_is"), "other names")
	assert.Equal(t, first, name(act, "v, had = read c0", "v, had = read c0\n    y = pure f(x)"), "other things around it")
	assert.NotEqual(t, first, name(act, "add(i, 1)", "add(i, 2)"), "another step")
	assert.NotEqual(t, first, name(act, "branch same, b5, b3", "branch same, b3, b5"), "left where it stayed")
	assert.NotEqual(t, first, name("jump b6\n\nb6:\n    return w"), "something else is read after it")
}

// TestLoopIsAsked: what a loop gives that asks functions of which nothing is known is what the step says that
// has it, also where it gives less than the same loop of the region: an effect on a number that others have replaced meanwhile
// is told twice.
func TestLoopIsAsked(t *testing.T) {
	const asking = `
func %q()
cell c0 atomic n of int64 zero 0 guarded label "s.n"
var r int64
var more bool

b0:
    before, _ = read c0
    jump b1

b1:
    r = unknown ask#1()
    more = unknown more#1(r)
    branch more, b2, b4

b2:
    %s
    again = unknown again#1(r)
    branch again, b1, b3

b3:
    return 0

b4:
    enter
    now, _ = read c0
    less = pure lt int64(now, r)
    branch less, b5, b6

b5:
    _, _ = write c0, r
    jump b6

b6:
    leave
    return %s
`
	res := decided(t, fmt.Sprintf(asking, "ask", "effect tell(before)", "r")+fmt.Sprintf(asking, "step", "x = 0", "before"))
	assert.Equal(t, Violation, res.Verdict, res.Reason)
}
