package absint

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// TestSumsKeepTheirValue builds random sums and masks, converted and compared, and evaluates their
// form against what Go calculates step by step.
func TestSumsKeepTheirValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := newTerms()
		kinds := rapid.IntRange(int(register.Int), int(register.Uintptr))
		kind := register.TypeKind(kinds.Draw(t, "kind"))
		at := register.Type{Kind: kind}
		values := map[term]register.Value{}
		leaf := func() (term, register.Value) {
			v := bitsText(kind, rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 5)).Draw(t, "value"))
			if rapid.Bool().Draw(t, "literal") {
				return terms.lit(v), register.Value(v)
			}
			i := rapid.IntRange(0, 2).Draw(t, "symbol")
			for x, v := range values {
				if terms.of(x).name == strconv.Itoa(i) {
					return x, v
				}
			}
			x := terms.sym(strconv.Itoa(i), true, nil)
			terms.declare(x, at)
			values[x] = register.Value(v)
			return x, values[x]
		}
		fold := func(f function, args ...register.Value) register.Value {
			v, ok, err := register.Fold(f.name, f.at, args)
			require.True(t, ok && err == nil)
			return v
		}
		var build func(depth int) (term, register.Value)
		build = func(depth int) (term, register.Value) {
			if depth == 0 || rapid.IntRange(0, 3).Draw(t, "end") == 0 {
				return leaf()
			}
			f := function{name: rapid.SampledFrom([]string{"add", "sub", "add", "mul", "and", "or", "xor"}).Draw(t, "op"), at: at}
			x, v := build(depth - 1)
			y, w := build(depth - 1)
			return terms.apply(f, []term{x, y}), fold(f, v, w)
		}
		var is func(x term) register.Value
		is = func(x term) register.Value {
			n := terms.of(x)
			switch n.kind {
			case litTerm:
				return register.Value(n.name)
			case symTerm:
				return values[x]
			}
			f, args := n.function(), []register.Value{}
			for _, a := range n.args {
				args = append(args, is(a))
			}
			return fold(f, args...)
		}
		x, v := build(4)
		require.Equal(t, v, is(x))
		y, w := build(4)
		eq := terms.apply(function{name: "eq"}, []term{x, y})
		require.Equal(t, register.Value(terms.of(terms.boolean(v == w)).name), is(eq))
		own := terms.apply(function{name: "eq"}, []term{x, terms.lit(string(v))})
		require.Equal(t, register.Value(register.LitTrue), is(own))
		for _, order := range []string{"lt", "le"} {
			f := function{name: order, at: at}
			require.Equal(t, fold(f, v, w), is(terms.apply(f, []term{x, y})))
		}
		to := function{name: "convert", at: register.Type{Kind: register.TypeKind(kinds.Draw(t, "to"))}}
		require.Equal(t, fold(to, v), is(terms.apply(to, []term{x})))
	})
}

// numbers are symbols of a type.
func of(terms *terms, at register.Type, n int) []term {
	var xs []term
	for i := range n {
		x := terms.sym(strconv.Itoa(i), true, nil)
		terms.declare(x, at)
		xs = append(xs, x)
	}
	return xs
}

// TestSumsHaveOneForm: the order in which parts are added does not matter, and what is
// added and taken off again is not there.
func TestSumsHaveOneForm(t *testing.T) {
	terms := newTerms()
	at := register.Type{Kind: register.Int64}
	xs := of(terms, at, 4)
	op := func(name string, x, y term) term { return terms.apply(function{name: name, at: at}, []term{x, y}) }
	one := terms.lit("1")
	left := op("sub", op("add", op("add", xs[0], one), xs[1]), xs[2])
	right := op("add", op("sub", xs[1], xs[2]), op("add", xs[0], one))
	require.Equal(t, left, right)
	require.Equal(t, xs[0], op("sub", op("add", xs[0], xs[3]), xs[3]))
	gone := terms.foldEq(op("add", xs[0], xs[1]), xs[0])
	require.Equal(t, terms.apply(function{name: "eq"}, []term{xs[1], terms.lit("0")}), gone)
}

// TestBitsHaveOneForm: the order of the parts does not matter, a part is there once, or,
// in an exclusive or, if it is there an odd number of times.
func TestBitsHaveOneForm(t *testing.T) {
	terms := newTerms()
	at := register.Type{Kind: register.Uint8}
	xs := of(terms, at, 3)
	op := func(name string, x, y term) term { return terms.apply(function{name: name, at: at}, []term{x, y}) }
	for _, name := range []string{"and", "or", "xor"} {
		left := op(name, op(name, op(name, xs[0], terms.lit("6")), xs[1]), op(name, terms.lit("3"), xs[2]))
		k, _ := calculate(name, at.Kind, 6, 3)
		right := op(name, xs[2], op(name, xs[1], op(name, terms.lit(bitsText(at.Kind, k)), xs[0])))
		require.Equal(t, left, right, name)
	}
	for name, dual := range map[string]string{"and": "or", "or": "and"} {
		require.Equal(t, op(name, xs[0], xs[1]), op(name, op(name, xs[0], xs[1]), xs[0]))
		require.Equal(t, xs[0], op(name, xs[0], op(dual, xs[1], xs[0])))
		require.NotEqual(t, xs[0], op(name, xs[0], op(dual, xs[1], xs[2])))
	}
	require.Equal(t, xs[1], op("xor", op("xor", xs[0], xs[1]), xs[0]))
	require.Equal(t, terms.lit("0"), op("xor", xs[0], xs[0]))
}

// TestDifferences: what is taken off a number that has as much leaves something, and what
// is taken off one that may have less may leave less than nothing.
func TestDifferences(t *testing.T) {
	terms := newTerms()
	at := register.Type{Kind: register.Int64}
	has, want := terms.sym("has", true, nil), terms.sym("want", true, nil)
	terms.declare(has, at)
	terms.declare(want, at)
	is := func(name string, x, y term, holds bool) literal {
		return literal{terms.apply(function{name: name, at: at}, []term{x, y}), terms.boolean(holds), true}
	}
	zero := terms.lit("0")
	left := terms.apply(function{name: "sub", at: at}, []term{has, want})
	p := newPath(terms).with(is("lt", has, want, false))
	require.NotNil(t, p.with(is("lt", left, zero, true)), "want may be less than zero, and the rest wrap around")
	p = p.with(is("lt", want, zero, false))
	require.Nil(t, p.with(is("lt", left, zero, true)))
	require.Nil(t, p.with(is("lt", has, left, true)))
	require.NotNil(t, p.with(is("lt", left, has, true)))
}

// TestBounds compares what is left under a mask, and remainders, with numbers that they can be, and with others.
func TestBounds(t *testing.T) {
	terms := newTerms()
	for _, kind := range []register.TypeKind{register.Int32, register.Int64, register.Uint8, register.Uint64} {
		at := register.Type{Kind: kind}
		x := terms.sym("x"+strconv.Itoa(int(kind)), true, nil)
		terms.declare(x, at)
		apply := func(name string, a, b term) term { return terms.apply(function{name: name, at: at}, []term{a, b}) }
		require.Equal(t, terms.lit("0"), apply("rem", apply("mul", x, terms.lit("6")), terms.lit("2")))
		require.NotEqual(t, terms.lit("0"), apply("rem", apply("mul", x, terms.lit("6")), terms.lit("3")), "it wraps around")
		masked, rest := apply("and", x, terms.lit("6")), apply("rem", x, terms.lit("3"))
		require.Equal(t, terms.trueT, apply("lt", masked, terms.lit("7")))
		require.Equal(t, terms.trueT, apply("le", terms.lit("0"), masked))
		require.Equal(t, terms.falseT, apply("lt", terms.lit("6"), masked))
		require.Equal(t, terms.trueT, apply("lt", rest, terms.lit("3")))
		require.Equal(t, terms.falseT, apply("le", terms.lit("3"), rest))
		for _, open := range []term{apply("lt", masked, terms.lit("6")), apply("le", terms.lit("2"), rest), apply("lt", x, terms.lit("7"))} {
			require.NotContains(t, []term{terms.trueT, terms.falseT}, open)
		}
		small := terms.sym("small"+strconv.Itoa(int(kind)), true, nil)
		terms.declare(small, register.Type{Kind: register.Uint8})
		wide := terms.apply(function{name: "convert", at: at}, []term{small})
		if kind.Bits() > 8 {
			require.Equal(t, terms.trueT, apply("lt", wide, terms.lit("256")))
			require.Equal(t, terms.falseT, apply("lt", apply("add", wide, terms.lit("4")), terms.lit("4")))
			require.NotContains(t, []term{terms.trueT, terms.falseT}, apply("lt", apply("add", wide, terms.lit("4")), terms.lit("5")))
		}
		less := apply("lt", apply("sub", apply("and", x, terms.lit("3")), terms.lit("4")), terms.lit("5"))
		require.Equal(t, !kind.IsUnsigned(), less == terms.trueT, "without a sign it wraps around")
		if !kind.IsUnsigned() {
			least := terms.lit(strconv.FormatInt(-1<<(kind.Bits()-1), 10))
			require.Equal(t, terms.falseT, apply("lt", masked, least))
			require.Equal(t, terms.trueT, apply("le", least, masked))
			require.Equal(t, terms.trueT, apply("lt", terms.lit("-3"), rest))
			require.NotContains(t, []term{terms.trueT, terms.falseT}, apply("lt", terms.lit("-2"), rest))
		}
	}
}
