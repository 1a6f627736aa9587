package absint

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestOrderSaysMore: what is less than three is less than six, and not more than six; whether it is less than two is open.
func TestOrderSaysMore(t *testing.T) {
	ts := newTerms()
	x := ts.sym("x", false, nil)
	ts.declare(x, register.Type{Kind: register.Int32})
	less := func(a, b term) literal {
		return literal{ts.apply(function{name: "lt", at: register.Type{Kind: register.Int32}}, []term{a, b}), ts.trueT, true}
	}
	p := newPath(ts).with(less(x, ts.lit("3")))
	require.NotNil(t, p)
	require.Equal(t, yes, p.holds(less(x, ts.lit("3"))))
	require.Equal(t, yes, p.holds(less(x, ts.lit("6"))))
	require.Equal(t, no, p.holds(less(ts.lit("6"), x)))
	require.Equal(t, undecided, p.holds(less(x, ts.lit("2"))))
}

// TestNumbersSayMore: what is left of a number that is shifted, divided or masked says where the number is, and the other
// way round.
func TestNumbersSayMore(t *testing.T) {
	ts, at := newTerms(), register.Type{Kind: register.Int32}
	x := ts.sym("x", false, nil)
	ts.declare(x, at)
	lit := func(n int) term { return ts.lit(strconv.Itoa(n)) }
	of := func(name string, n int) term { return ts.apply(function{name: name, at: at}, []term{x, lit(n)}) }
	is := func(a term, n int) literal { return literal{a, lit(n), true} }
	atMost := func(n int) literal {
		return literal{ts.apply(function{name: "le", at: at}, []term{x, lit(n)}), ts.trueT, true}
	}
	fits := func(ls ...literal) bool {
		p := newPath(ts)
		for _, l := range ls {
			if p = p.with(l); p == nil {
				return false
			}
		}
		return true
	}
	require.False(t, fits(atMost(3), is(of("shr", 2), 1)))
	require.True(t, fits(atMost(4), is(of("shr", 2), 1)))
	require.False(t, fits(is(of("shr", 2), 1), atMost(3)), "in either order")
	require.False(t, fits(atMost(-12), is(of("quo", 3), -3)))
	require.True(t, fits(atMost(-11), is(of("quo", 3), -3)))
	require.False(t, fits(is(x, 6), is(of("and", 1), 1)))
	require.False(t, fits(is(of("and", 4), 4), is(of("xor", 7), 4)))
	require.True(t, fits(is(of("and", 4), 4), is(of("xor", 7), 3)))
}

// TestCountedSaysMore: what is counted on from twice a number is no less than before, however far that was.
func TestCountedSaysMore(t *testing.T) {
	for _, kind := range []register.TypeKind{register.Int, register.Int64} {
		for _, counted := range []bool{true, false} {
			ts, at := newTerms(), register.Type{Kind: kind}
			s := ts.sym("s", false, nil)
			ts.declare(s, at)
			twice := ts.apply(function{name: "mul", at: at}, []term{s, ts.lit("2")})
			ts.of(twice).counted = counted
			plus := func(k string) term { return ts.apply(function{name: "add", at: at}, []term{twice, ts.lit(k)}) }
			le := func(a, b term) literal {
				return literal{ts.apply(function{name: "le", at: register.Type{}}, []term{a, b}), ts.trueT, true}
			}
			if kind != register.Int {
				le = func(a, b term) literal {
					return literal{ts.apply(function{name: "le", at: at}, []term{a, b}), ts.trueT, true}
				}
			}
			p := newPath(ts).with(le(ts.lit("5"), plus("1")))
			require.NotNil(t, p)
			require.Equal(t, counted, p.with(le(plus("4"), ts.lit("0"))) == nil, "what is not counted may wrap around")
		}
	}
}

// TestTruthOfComparison: whether an argument is nil is a truth value that is known where that is.
func TestTruthOfComparison(t *testing.T) {
	ts := newTerms()
	a := ts.sym("a", false, nil)
	ts.declare(a, register.Type{Kind: register.Pointer, Name: "p.T"})
	isNil := ts.apply(function{name: "eq"}, []term{a, ts.nilT})
	require.Equal(t, undecided, newPath(ts).equal(isNil, ts.falseT))
	for _, known := range []bool{true, false} {
		p := newPath(ts).with(literal{a, ts.nilT, known})
		require.Equal(t, answerOf(known), p.equal(isNil, ts.trueT))
		require.Equal(t, answerOf(!known), p.equal(ts.falseT, isNil))
	}
}

// TestLongerText: no text is itself and more.
func TestLongerText(t *testing.T) {
	ts := newTerms()
	s, r := ts.sym("s", false, nil), ts.sym("r", false, nil)
	for _, x := range []term{s, r} {
		ts.declare(x, register.Type{Kind: register.String})
	}
	and := func(a, b term) term { return ts.apply(function{name: "concat"}, []term{a, b}) }
	x := ts.lit(`"x"`)
	require.Nil(t, newPath(ts).with(literal{and(and(s, x), x), s, true}))
	require.Nil(t, newPath(ts).with(literal{and(x, s), s, true}))
	require.NotNil(t, newPath(ts).with(literal{and(s, x), r, true}))
}
