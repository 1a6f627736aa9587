package numbers_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// kinds are all of integers.
func kinds() []register.TypeKind {
	var all []register.TypeKind
	for k := register.Int; k <= register.Uintptr; k++ {
		all = append(all, k)
	}
	return all
}

func text(kind register.TypeKind, b uint64) register.Value {
	if kind.IsUnsigned() {
		return register.Value(strconv.FormatUint(b, 10))
	}
	return register.Value(strconv.FormatInt(int64(b), 10))
}

func parse(t require.TestingT, kind register.TypeKind, v register.Value) uint64 {
	if kind.IsUnsigned() {
		b, err := strconv.ParseUint(string(v), 10, 64)
		require.NoError(t, err)
		return b
	}
	b, err := strconv.ParseInt(string(v), 10, 64)
	require.NoError(t, err)
	return uint64(b)
}

// draw is a number of a kind, often a small one or one next to an end.
func draw(t *rapid.T, kind register.TypeKind, what string) uint64 {
	lo, hi := numbers.Ends(kind)
	near := rapid.Uint64Range(0, 9).Draw(t, what+" near")
	return numbers.Cut(kind, rapid.SampledFrom([]uint64{near, -near, lo + near, hi - near, 1 << (near * 7), rapid.Uint64().Draw(t, what)}).Draw(t, what+" is"))
}

// around is a set that has a number in it, and others.
func around(t *rapid.T, kind register.TypeKind, b uint64, what string) numbers.Set {
	s := numbers.All(kind)
	if rapid.Bool().Draw(t, what+" bits") {
		some := numbers.Just(kind, rapid.Uint64().Draw(t, what+" mask"))
		is := numbers.Just(kind, b)
		r := numbers.All(kind)
		numbers.Binary("and", &r, &is, &some)
		numbers.Binary("and", &r, &s, &some)
	}
	if rapid.Bool().Draw(t, what+" bounds") {
		lo, hi := draw(t, kind, what+" lo"), draw(t, kind, what+" hi")
		if x := numbers.Just(kind, lo); !numbers.Less(kind, b, lo) {
			numbers.Order(false, &x, &s)
		}
		if x := numbers.Just(kind, hi); !numbers.Less(kind, hi, b) {
			numbers.Order(false, &s, &x)
		}
	}
	if rapid.IntRange(0, 3).Draw(t, what+" alone") == 0 {
		s = numbers.Just(kind, b)
	}
	require.True(t, s.Has(b), "%d in %+v", b, s)
	return s
}

var operators = []string{"add", "sub", "mul", "quo", "rem", "and", "or", "xor", "andnot", "shl", "shr", "neg", "compl"}

// TestKeepsWhatIs calculates as a replay does, which uses numbers of any size, and asks of what is known of
// the operands and the result whether they are still possible.
func TestKeepsWhatIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds()).Draw(t, "kind")
		x, y := draw(t, kind, "x"), draw(t, kind, "y")
		op := rapid.SampledFrom(operators).Draw(t, "op")
		args := []register.Value{text(kind, x), text(kind, y)}
		switch op {
		case "neg", "compl":
			args = args[:1]
		case "shl", "shr":
			y %= 70
			args[1] = register.Value(strconv.FormatUint(y, 10))
		}
		v, ok, err := register.Fold(op, register.Type{Kind: kind}, args)
		require.NoError(t, err)
		if !ok {
			return
		}
		is := parse(t, kind, v)
		a, r := around(t, kind, x, "a"), around(t, kind, is, "r")
		b := around(t, kind, numbers.Cut(kind, y), "b")
		for range 3 {
			switch op {
			case "neg", "compl":
				numbers.Unary(op, &r, &a)
			case "shl", "shr":
				numbers.Shift(op == "shl", &r, &a, y)
			default:
				numbers.Binary(op, &r, &a, &b)
				require.True(t, b.Has(y), "%s %d %s %d = %d: b is %+v", kindName(kind), x, op, y, is, b)
			}
			require.True(t, a.Has(x), "%s %d %s %d = %d: a is %+v", kindName(kind), x, op, y, is, a)
			require.True(t, r.Has(is), "%s %d %s %d = %d: r is %+v", kindName(kind), x, op, y, is, r)
		}
	})
}

// TestKeepsWhatIsCompared is TestKeepsWhatIs for comparisons and conversions.
func TestKeepsWhatIsCompared(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(kinds()).Draw(t, "kind")
		x, y := draw(t, kind, "x"), draw(t, kind, "y")
		a, b := around(t, kind, x, "a"), around(t, kind, y, "b")
		switch {
		case numbers.Less(kind, x, y):
			numbers.Order(true, &a, &b)
		case numbers.Less(kind, y, x):
			numbers.Order(true, &b, &a)
		default:
			numbers.Order(false, &a, &b)
		}
		if x != y {
			numbers.Differ(&a, &b)
		}
		require.True(t, a.Has(x) && b.Has(y), "%d, %d: %+v, %+v", x, y, a, b)
		to := rapid.SampledFrom(kinds()).Draw(t, "to")
		v, ok, err := register.Fold("convert", register.Type{Kind: to}, []register.Value{text(kind, x)})
		require.True(t, ok && err == nil)
		is := parse(t, to, v)
		r := around(t, to, is, "r")
		numbers.Convert(&r, &a)
		require.True(t, r.Has(is) && a.Has(x), "%s %d is %d at %s: %+v, %+v", kindName(kind), x, is, kindName(to), a, r)
	})
}

func kindName(k register.TypeKind) string { return fmt.Sprint(k, "/", k.Bits()) }

// TestSmallSets compares what is left of sets of eight bits with what there is.
func TestSmallSets(t *testing.T) {
	kind := register.Int8
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		op := operators[rng.IntN(8)]
		a, b, r := some(rng, kind), numbers.Just(kind, uint64(rng.IntN(6))), some(rng, kind)
		var left []string
		for x := -128; x < 128; x++ {
			for y := range 6 {
				v, ok, _ := register.Fold(op, register.Type{Kind: kind}, []register.Value{text(kind, uint64(int64(x))), text(kind, uint64(y))})
				if ok && a.Has(uint64(int64(x))) && b.Has(uint64(y)) && r.Has(parse(t, kind, v)) {
					left = append(left, fmt.Sprint(x, " ", y))
				}
			}
		}
		numbers.Binary(op, &r, &a, &b)
		if len(left) > 0 {
			assert.False(t, r.IsEmpty() || a.IsEmpty() || b.IsEmpty(), "%s: %v", op, left)
		}
	}
}

func some(rng *rand.Rand, kind register.TypeKind) numbers.Set {
	s := numbers.All(kind)
	x := numbers.Just(kind, numbers.Cut(kind, rng.Uint64()))
	numbers.Order(rng.IntN(2) == 0, &x, &s)
	return s
}

// TestNobodyComesThisWay has paths on which some number would have to be two.
func TestNobodyComesThisWay(t *testing.T) {
	for _, k := range []register.TypeKind{register.Int64, register.Uint32, register.Int8} {
		x, three := numbers.All(k), numbers.Just(k, 3)
		for range 64 {
			numbers.Shift(true, &x, &x, 2)
		}
		zero, ok := x.Bounds()
		assert.True(t, zero == 0 && ok == 0, "x<<2 == x: %+v", x)
		numbers.Order(false, &three, &x)
		assert.True(t, x.IsEmpty() || three.IsEmpty(), "x<<2 == x && x >= 3")

		odd, a, two := numbers.Just(k, 1), numbers.All(k), numbers.Just(k, 2)
		numbers.Binary("mul", &odd, &a, &two)
		assert.True(t, odd.IsEmpty(), "a*2 == 1")

		a, r := numbers.All(k), numbers.Just(k, 2)
		numbers.Order(false, &two, &a)
		numbers.Binary("xor", &r, &a, &two)
		assert.True(t, a.IsEmpty(), "a >= 2 && a^2 == 2")

		a, r = numbers.All(k), numbers.Just(k, 1)
		numbers.Binary("rem", &r, &a, one(k))
		assert.True(t, r.IsEmpty(), "a%%1 == 1")
	}
	a, r := numbers.All(register.Int64), numbers.Just(register.Int64, ^uint64(1))
	numbers.Shift(false, &r, &a, 3)
	lo, hi := a.Bounds()
	assert.Equal(t, [2]int64{-16, -9}, [2]int64{int64(lo), int64(hi)}, "a>>3 == -2")
}

func one(k register.TypeKind) *numbers.Set {
	s := numbers.Just(k, 1)
	return &s
}
