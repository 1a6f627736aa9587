package absint

import (
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
