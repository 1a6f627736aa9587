package absint

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestTexts compares what is said of two texts put together of a symbol and ends with
// what they are when the symbols have values.
func TestTexts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := newTerms()
		text := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 3, -1)
		names := []term{terms.sym("x", true, nil), terms.sym("y", true, nil)}
		values := []string{text.Draw(t, "x"), text.Draw(t, "y")}
		build := func(label string) (term, string) {
			if rapid.Bool().Draw(t, label+" is literal") {
				s := text.Draw(t, label)
				return terms.lit(strconv.Quote(s)), s
			}
			i := rapid.IntRange(0, 1).Draw(t, label+" symbol")
			end := text.Draw(t, label+" end")
			lit := terms.lit(strconv.Quote(end))
			if rapid.Bool().Draw(t, label+" before") {
				return terms.app("concat", 0, lit, names[i]), end + values[i]
			}
			return terms.app("concat", 0, names[i], lit), values[i] + end
		}
		x, xs := build("left")
		y, ys := build("right")
		p := newPath(terms)
		if p = p.with(literal{x, y, xs == ys}); p == nil {
			require.Fail(t, "what holds is excluded", "%q and %q", xs, ys)
		}
		for i, name := range names {
			if p = p.with(literal{name, terms.lit(strconv.Quote(values[i])), true}); p == nil {
				require.Fail(t, "values are excluded", "%q and %q", xs, ys)
			}
		}
	})
}

// TestTextsAreDecided: what a known end excludes, and what it leaves.
func TestTextsAreDecided(t *testing.T) {
	terms := newTerms()
	x := terms.sym("x", true, nil)
	lit := func(s string) term { return terms.lit(strconv.Quote(s)) }
	ab := terms.app("concat", 0, x, lit("ab"))
	p := newPath(terms)
	assert.Equal(t, no, p.equal(ab, lit("ba")))
	assert.Equal(t, no, p.equal(ab, x))
	assert.Equal(t, undecided, p.equal(ab, lit("cab")))
	p = p.with(literal{ab, lit("cab"), true})
	require.NotNil(t, p)
	assert.Equal(t, yes, p.equal(x, lit("c")))
	assert.Nil(t, p.with(literal{terms.app("concat", 0, x, lit("d")), lit("ed"), true}), "x is c, not e")
}
