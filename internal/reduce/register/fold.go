package register

import (
	"cmp"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Interpreted lists the pure functions whose meaning is known. All others are
// uninterpreted: equal arguments give equal results, nothing more. So are these
// where their arguments do not decide the result: a symbol plus one is some
// number, and that it is greater than the symbol nobody said.
//
//	eq(a, b)           a == b, but not of floating-point numbers
//	not(a)             !a
//	choose(c, a, b)    a if c else b
//	add T, sub, mul, quo, rem, shl, shr, and, or, xor, andnot T(a, b),
//	neg T, compl T(a)  Go's arithmetic at the type T, which wraps around
//	lt T, le T(a, b)   a < b, a <= b at the type T
//	feq T(a, b)        a == b of floating-point numbers: no number is sure to
//	                   be equal to itself
//	concat(a, b)       a + b of strings
//	len(a)             the length of a, known of strings, and of nil
//	convert T(a)       T(a), between numbers
//	box T(a)           a in an interface, where T is a type whose constants do
//	                   not tell it from others; unbox T(a) undoes that
//	is T(a)            whether the interface a holds a T
var Interpreted = map[string]bool{
	"eq": true, "not": true, "choose": true,
	"add": true, "sub": true, "mul": true, "quo": true, "rem": true,
	"shl": true, "shr": true, "and": true, "or": true, "xor": true, "andnot": true,
	"neg": true, "compl": true, "lt": true, "le": true, "feq": true,
	"concat": true, "len": true, "convert": true, "box": true, "unbox": true, "is": true,
}

// SliceOf is the pure function that cuts a list or a text, which has a list and three bounds: where it
// begins, where it ends, and how long it may grow. NoBound is a literal for one that is not there.
const (
	SliceOf = "slice of"
	NoBound = "{none}"
)

// Append is the pure function that gives a list with more in it, which has the list and what is added, and AppendAll the
// one that adds all that is in another list, or in a text.
const (
	Append    = "append"
	AppendAll = "append all"
)

// IsAppend reports whether a pure function gives a list with more in it.
func IsAppend(name string) bool { return name == Append || name == AppendAll }

// interpretedArgs is how many arguments an interpreted function has, if not
// two.
var interpretedArgs = map[string]int{
	"not": 1, "choose": 3, "neg": 1, "compl": 1, "len": 1, "convert": 1, "box": 1, "unbox": 1, "is": 1,
}

func arity(name string) int {
	if n, ok := interpretedArgs[name]; ok {
		return n
	}
	return 2
}

// tests are the interpreted functions that give truth values.
var tests = map[string]bool{"eq": true, "not": true, "lt": true, "le": true, "feq": true, "is": true}

// IsTest reports whether the interpreted function gives a truth value.
func IsTest(name string) bool { return tests[name] }

// Fold evaluates an interpreted function at a type. ok is false where its
// arguments decide nothing: the result is then that of an uninterpreted
// function. It calculates with numbers of any size and takes from the result
// what fits, so that it has nothing in common with the exploration, which uses
// the processor's own arithmetic.
func Fold(name string, t Type, args []Value) (v Value, ok bool, err error) {
	if want := arity(name); len(args) != want {
		return "", false, fmt.Errorf("%w: %s of %d operands", errBadProgram, name, len(args))
	}
	switch name {
	case "eq":
		return truth(args[0] == args[1]), true, nil
	case "not", "choose":
		v, err = foldTruth(name, args)
		return v, err == nil, err
	case "is":
		v, ok = foldIs(t, args[0])
	case "box":
		v, ok = foldBox(t, args[0]), true
	case "unbox":
		v, ok = foldUnbox(t, args[0])
	case "concat", "len":
		v, ok = foldString(name, args)
	case "lt", "le", "feq":
		v, ok = foldOrder(name, args)
	default:
		v, ok = foldArithmetic(name, t, args)
	}
	return v, ok, nil
}

// foldTruth is Fold for what needs a truth value.
func foldTruth(name string, args []Value) (Value, error) {
	if args[0] != LitTrue && args[0] != LitFalse {
		return "", fmt.Errorf("%s on %s, which is neither true nor false", name, args[0])
	}
	yes := args[0] == LitTrue
	switch {
	case name == "not":
		return truth(!yes), nil
	case yes:
		return args[1], nil
	default:
		return args[2], nil
	}
}

// foldArithmetic is Fold for what gives a number.
func foldArithmetic(name string, t Type, args []Value) (Value, bool) {
	nums := make([]*big.Rat, len(args))
	for i, a := range args {
		n, ok := number(a)
		if !ok {
			return "", false
		}
		nums[i] = n
	}
	kind := t.Numeric()
	switch {
	case name == "convert":
		return convert(kind, nums[0])
	case kind.IsFloat():
		return foldFloats(name, kind, nums)
	case kind.IsInteger():
		return foldIntegers(name, kind, nums)
	default:
		return "", false
	}
}

// small reads the literal of an integer of 64 bits.
func small(v Value) (int64, bool) {
	digits := strings.TrimPrefix(string(v), "-")
	if digits == "" || digits[0] == '+' || digits[0] == '0' && v != "0" {
		return 0, false // equal numbers have equal texts
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

// number reads the literal of a number.
func number(v Value) (*big.Rat, bool) {
	if v == "" || strings.Trim(string(v), "-/0123456789") != "" {
		return nil, false
	}
	if i, ok := small(v); ok {
		return new(big.Rat).SetInt64(i), true // most are
	}
	n, ok := new(big.Rat).SetString(string(v))
	if !ok || n.RatString() != string(v) {
		return nil, false // equal numbers have equal texts
	}
	return n, true
}

// convert is a number at another kind. What does not fit wraps around if it is
// an integer; of a fraction that does not fit, Go does not say what happens.
func convert(to TypeKind, n *big.Rat) (Value, bool) {
	switch {
	case to.IsFloat():
		return rounded(to, n)
	case !to.IsInteger():
		return "", false
	case n.IsInt():
		return wrap(to, n.Num()), true
	}
	whole := new(big.Int).Quo(n.Num(), n.Denom())
	lo, hi := to.Range()
	if whole.Cmp(lo) < 0 || whole.Cmp(hi) > 0 {
		return "", false
	}
	return Value(whole.String()), true
}

// rounded is the floating-point number nearest to n; false if that is not one
// that a literal can say: infinite, or zero with a sign.
func rounded(kind TypeKind, n *big.Rat) (Value, bool) {
	f, _ := n.Float64()
	if kind == Float32 {
		g, _ := n.Float32()
		f = float64(g)
	}
	exact := new(big.Rat).SetFloat64(f)
	if exact == nil || f == 0 && n.Sign() != 0 {
		return "", false
	}
	return Value(exact.RatString()), true
}

// Real is the canonical text of a floating-point constant, given as Go writes
// it exactly; false if it is not one of the kind's.
func Real(kind TypeKind, exact string) (string, bool) {
	n, ok := new(big.Rat).SetString(exact)
	if !ok {
		return "", false
	}
	v, ok := rounded(kind, n)
	return string(v), ok
}

// foldFloats is foldArithmetic at a floating-point type. Exact results are
// rounded once, which is what the processor does.
func foldFloats(name string, kind TypeKind, n []*big.Rat) (Value, bool) {
	z := new(big.Rat)
	switch name {
	case "add":
		z.Add(n[0], n[1])
	case "sub":
		z.Sub(n[0], n[1])
	case "mul":
		z.Mul(n[0], n[1])
	case "quo":
		if n[1].Sign() == 0 {
			return "", false
		}
		z.Quo(n[0], n[1])
	case "neg":
		z.Neg(n[0])
	default:
		return "", false
	}
	if z.Sign() == 0 && (name == "neg" || name == "mul" || name == "quo") {
		return "", false // it may be zero with a sign
	}
	return rounded(kind, z)
}

// foldIntegers is foldArithmetic at an integer type.
func foldIntegers(name string, kind TypeKind, n []*big.Rat) (Value, bool) {
	for _, r := range n {
		if !r.IsInt() {
			return "", false
		}
	}
	z := new(big.Int)
	x := n[0].Num()
	switch name {
	case "neg":
		return wrap(kind, z.Neg(x)), true
	case "compl":
		return wrap(kind, z.Not(x)), true
	}
	if !integerOp(z, name, kind, x, n[1].Num()) {
		return "", false
	}
	return wrap(kind, z), true
}

// integerOp sets z to x op y before it wraps around; false if there is no such
// number, because Go panics.
func integerOp(z *big.Int, name string, kind TypeKind, x, y *big.Int) bool {
	switch name {
	case "add":
		z.Add(x, y)
	case "sub":
		z.Sub(x, y)
	case "mul":
		z.Mul(x, y)
	case "and":
		z.And(x, y)
	case "or":
		z.Or(x, y)
	case "xor":
		z.Xor(x, y)
	case "andnot":
		z.AndNot(x, y)
	case "quo", "rem":
		if y.Sign() == 0 {
			return false
		}
		if name == "quo" {
			z.Quo(x, y)
		} else {
			z.Rem(x, y)
		}
	case "shl", "shr":
		return shift(z, name, kind, x, y)
	default:
		return false
	}
	return true
}

// shift is integerOp for shifts: by more than the width all bits are gone.
func shift(z *big.Int, name string, kind TypeKind, x, y *big.Int) bool {
	if y.Sign() < 0 {
		return false
	}
	n := kind.Bits()
	if y.IsUint64() && y.Uint64() < uint64(n) {
		n = uint(y.Uint64())
	}
	if name == "shl" {
		z.Lsh(x, n)
	} else {
		z.Rsh(x, n)
	}
	return true
}

// wrap is the number of the kind that has the lowest bits of n.
func wrap(kind TypeKind, n *big.Int) Value {
	if bits := n.BitLen(); bits < int(kind.Bits()) && (!kind.IsUnsigned() || n.Sign() >= 0) {
		return Value(n.String())
	}
	size := new(big.Int).Lsh(big.NewInt(1), kind.Bits())
	z := new(big.Int).Mod(n, size)
	if _, hi := kind.Range(); z.Cmp(hi) > 0 {
		z.Sub(z, size)
	}
	return Value(z.String())
}

// foldOrder compares numbers, or strings.
func foldOrder(name string, args []Value) (Value, bool) {
	order, ok := compare(args[0], args[1])
	if !ok {
		return "", false
	}
	switch name {
	case "lt":
		return truth(order < 0), true
	case "le":
		return truth(order <= 0), true
	default:
		return truth(order == 0), true
	}
}

// compare compares two numbers, or two strings.
func compare(a, b Value) (order int, ok bool) {
	i, okI := small(a)
	j, okJ := small(b)
	if okI && okJ {
		return cmp.Compare(i, j), true
	}
	x, okX := number(a)
	y, okY := number(b)
	if okX && okY {
		return x.Cmp(y), true
	}
	s, okS := stringOf(a)
	t, okT := stringOf(b)
	return strings.Compare(s, t), okS && okT
}

// stringOf reads the literal of a string.
func stringOf(v Value) (string, bool) {
	if !strings.HasPrefix(string(v), `"`) {
		return "", false
	}
	s, err := strconv.Unquote(string(v))
	return s, err == nil
}

func foldString(name string, args []Value) (Value, bool) {
	if name == "len" && args[0] == LitNil {
		return "0", true
	}
	s, ok := stringOf(args[0])
	if !ok {
		return "", false
	}
	if name == "len" {
		return Value(strconv.Itoa(len(s))), true
	}
	t, ok := stringOf(args[1])
	if !ok {
		return "", false
	}
	return Value(strconv.Quote(s + t)), true
}

// Constants in an interface whose own text does not say their type have it in
// front, in braces: {int8 3}, {nil *T}. A zero struct is {zero T} everywhere.
const (
	nilOf  = "nil "
	zeroOf = "zero "
)

// BoxedNil is the literal for the nil of a type in an interface.
func BoxedNil(t Type) string { return "{" + nilOf + t.GoName() + "}" }

// IsBoxedNil reports whether a literal is the nil of a type in an interface.
func IsBoxedNil(v Value) bool { return strings.HasPrefix(string(v), "{"+nilOf) }

// foldBox puts the type in front, of what is only equal to itself as well.
func foldBox(t Type, v Value) Value { return Value("{" + t.GoName() + " " + string(v) + "}") }

func foldUnbox(t Type, v Value) (Value, bool) {
	inner, ok := strings.CutPrefix(string(v), "{"+t.GoName()+" ")
	if !ok || !strings.HasSuffix(inner, "}") {
		return "", false
	}
	return Value(strings.TrimSuffix(inner, "}")), true
}

// foldIs tells the type of a literal or an identity, if it can.
func foldIs(t Type, v Value) (Value, bool) {
	if v == LitNil {
		return LitFalse, true
	}
	name, ok := DynamicType(v)
	if isIdentity(v) {
		name, _, ok = strings.Cut(string(v), "#")
	}
	if !ok {
		return "", false
	}
	return truth(name == t.GoName() || isIdentity(v) && "*"+name == t.GoName()), true
}

// DynamicType is the name of the type that a literal has in an interface, false
// if its text does not say that.
func DynamicType(v Value) (string, bool) {
	if n, ok := number(v); ok && n.IsInt() {
		return typeWords[Int], true
	}
	if _, ok := stringOf(v); ok {
		return typeWords[String], true
	}
	switch {
	case v == LitTrue || v == LitFalse:
		return typeWords[Bool], true
	case strings.HasPrefix(string(v), "{"):
		return boxedType(strings.TrimSuffix(string(v[1:]), "}"))
	default:
		return "", false
	}
}

// boxedType is the type that the text in a literal's braces begins with. A
// type's name may have blanks; what follows it has none, but for strings.
func boxedType(text string) (string, bool) {
	for _, prefix := range []string{nilOf, zeroOf} {
		if name, ok := strings.CutPrefix(text, prefix); ok {
			return name, true
		}
	}
	if i := strings.Index(text, ` "`); i > 0 {
		return text[:i], true
	}
	i := strings.LastIndexByte(text, ' ')
	if i < 0 {
		return "", false
	}
	return text[:i], true
}

// isIdentity reports whether v is what an allocation gave: its site's type and
// a number.
func isIdentity(v Value) bool { return !v.IsLit() && strings.IndexByte(string(v), '#') > 0 }

func truth(b bool) Value {
	if b {
		return LitTrue
	}
	return LitFalse
}
