package absint

import (
	"go/constant"
	"go/token"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// The exploration calculates with the processor's own arithmetic, on 64 bits of
// which the lowest are the number: a replay does it in another way, see
// register.Fold.

// bitsOf reads the literal of an integer of a kind.
func bitsOf(kind register.TypeKind, text string) (uint64, bool) {
	if kind.IsUnsigned() {
		b, err := strconv.ParseUint(text, 10, int(kind.Bits()))
		return b, err == nil
	}
	n, err := strconv.ParseInt(text, 10, int(kind.Bits()))
	return uint64(n), err == nil
}

// bitsText is the literal of an integer of a kind.
func bitsText(kind register.TypeKind, b uint64) string {
	if b = numbers.Cut(kind, b); kind.IsUnsigned() {
		return strconv.FormatUint(b, 10)
	}
	return strconv.FormatInt(int64(b), 10)
}

// calculate is x op y at an integer kind; false where Go panics, or if op is
// none on integers.
func calculate(op string, kind register.TypeKind, x, y uint64) (uint64, bool) {
	switch op {
	case "add":
		return x + y, true
	case "sub":
		return x - y, true
	case "mul":
		return x * y, true
	case "and":
		return x & y, true
	case "or":
		return x | y, true
	case "xor":
		return x ^ y, true
	case "andnot":
		return x &^ y, true
	case "quo", "rem":
		switch {
		case y == 0:
			return 0, false
		case op == "quo":
			return numbers.Quotient(kind, x, y), true
		}
		return numbers.Remainder(kind, x, y), true
	default:
		return 0, false
	}
}

// shifted is x << n or x >> n at an integer kind.
func shifted(op string, kind register.TypeKind, x, n uint64) uint64 {
	switch {
	case op == "shl" && n > 63:
		return 0
	case op == "shl":
		return x << n
	case kind.IsUnsigned() && n > 63:
		return 0
	case kind.IsUnsigned():
		return x >> n
	default:
		return uint64(int64(x) >> min(n, 63))
	}
}

// foldNumbers evaluates an operator on literals, else noTerm.
func (t *terms) foldNumbers(f function, args []term) term {
	kind := f.at.Numeric()
	for _, a := range args {
		if t.of(a).kind != litTerm {
			return noTerm
		}
	}
	switch {
	case f.name == "convert":
		return t.foldConvert(kind, t.of(args[0]).name)
	case kind.IsFloat():
		return t.foldFloats(f, args)
	case !kind.IsInteger():
		return noTerm
	}
	x, ok := bitsOf(kind, t.of(args[0]).name)
	if !ok {
		return noTerm
	}
	var z uint64
	switch f.name {
	case "neg":
		z = -x
	case "compl":
		z = ^x
	case "shl", "shr":
		n, err := strconv.ParseUint(t.of(args[1]).name, 10, 64)
		if err != nil {
			return noTerm
		}
		z = shifted(f.name, kind, x, n)
	default:
		y, okY := bitsOf(kind, t.of(args[1]).name)
		if !okY {
			return noTerm
		}
		if f.name == "lt" || f.name == "le" {
			return t.boolean(numbers.Less(kind, x, y) || f.name == "le" && x == y)
		}
		if z, ok = calculate(f.name, kind, x, y); !ok {
			return noTerm
		}
	}
	return t.lit(bitsText(kind, z))
}

// foldConvert converts the literal of a number.
func (t *terms) foldConvert(to register.TypeKind, text string) term {
	if to.IsInteger() {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return t.lit(bitsText(to, uint64(n)))
		}
		if n, err := strconv.ParseUint(text, 10, 64); err == nil {
			return t.lit(bitsText(to, n))
		}
		return noTerm // of a fraction: left to whoever runs it
	}
	if x := real(text); x.Kind() != constant.Unknown && to.IsFloat() {
		return t.realLit(to, x)
	}
	return noTerm
}

// real reads the literal of a floating-point number.
func real(text string) constant.Value {
	num, denom, isFraction := strings.Cut(text, "/")
	x := constant.MakeFromLiteral(strings.TrimPrefix(num, "-"), token.INT, 0)
	if strings.HasPrefix(num, "-") && x.Kind() == constant.Int {
		x = constant.UnaryOp(token.SUB, x, 0)
	}
	if isFraction && x.Kind() == constant.Int {
		y := constant.MakeFromLiteral(denom, token.INT, 0)
		if y.Kind() != constant.Int || constant.Sign(y) == 0 {
			return constant.MakeUnknown()
		}
		x = constant.BinaryOp(constant.ToFloat(x), token.QUO, constant.ToFloat(y))
	}
	return constant.ToFloat(x)
}

// realLit is the literal of x rounded to the kind; noTerm if there is none.
func (t *terms) realLit(kind register.TypeKind, x constant.Value) term {
	f, _ := constant.Float64Val(x)
	if kind == register.Float32 {
		g, _ := constant.Float32Val(x)
		f = float64(g)
	}
	if f == 0 && constant.Sign(x) != 0 || math.IsInf(f, 0) {
		return noTerm
	}
	text, ok := register.Real(kind, strconv.FormatFloat(f, 'f', -1, 64))
	if !ok {
		return noTerm
	}
	return t.lit(text)
}

var realOps = map[string]token.Token{"add": token.ADD, "sub": token.SUB, "mul": token.MUL, "quo": token.QUO}

// foldFloats evaluates an operator on the literals of floating-point numbers.
// Whether a zero has a sign is not known, so what gives one is left open.
func (t *terms) foldFloats(f function, args []term) term {
	x := real(t.of(args[0]).name)
	if x.Kind() == constant.Unknown || len(args) != 2 {
		return noTerm
	}
	y := real(t.of(args[1]).name)
	if y.Kind() == constant.Unknown {
		return noTerm
	}
	switch f.name {
	case "lt":
		return t.boolean(constant.Compare(x, token.LSS, y))
	case "le":
		return t.boolean(constant.Compare(x, token.LEQ, y))
	case "feq":
		return t.boolean(constant.Compare(x, token.EQL, y))
	}
	op, ok := realOps[f.name]
	if !ok || f.name == "quo" && constant.Sign(y) == 0 {
		return noTerm
	}
	z := constant.BinaryOp(x, op, y)
	if constant.Sign(z) == 0 && (f.name == "mul" || f.name == "quo") {
		return noTerm
	}
	return t.realLit(f.at.Kind, z)
}

// foldLen is how long a text is, or a list: one that is nil, that is cut from another one, or to which something is added.
func (t *terms) foldLen(f function, args []term) term {
	if args[0] == t.nilT {
		return t.lit("0")
	}
	n := t.of(args[0])
	switch {
	case n.kind != appTerm:
		return t.foldStrings(f, args)
	case register.IsAppend(n.name) && len(n.args) > 0:
		sum := t.apply(f, n.args[:1])
		for _, more := range n.args[1:] {
			by := t.lit("1")
			if n.name == register.AppendAll {
				by = t.apply(f, []term{more})
			}
			sum = t.apply(function{name: "add"}, []term{sum, by})
		}
		return sum
	case n.name == register.SliceOf && len(n.args) == 4:
		return t.cutLen(f, n.args)
	}
	return t.foldStrings(f, args)
}

// cutLen is how long a list is that is cut from another one, at bounds that are in it: noTerm for others that are constant.
func (t *terms) cutLen(f function, args []term) term {
	unbound := func(at term) bool { return t.of(at).name == register.NoBound }
	from, to := args[1], args[2]
	if unbound(from) {
		from = t.lit("0")
	}
	if unbound(to) {
		to = t.apply(f, args[:1])
	}
	lo, known := t.offset(register.Int, from)
	hi, constant := t.offset(register.Int, to)
	if known && constant && hi < lo {
		return noTerm
	}
	return t.apply(function{name: "sub"}, []term{to, from})
}

// foldStrings evaluates an operator on the literals of strings.
func (t *terms) foldStrings(f function, args []term) term {
	texts := make([]string, len(args))
	for i, a := range args {
		s, ok := t.text(a)
		if !ok {
			return noTerm
		}
		texts[i] = s
	}
	switch f.name {
	case "concat":
		return t.lit(strconv.Quote(texts[0] + texts[1]))
	case "len":
		return t.lit(strconv.Itoa(len(texts[0])))
	case "lt":
		return t.boolean(texts[0] < texts[1])
	default:
		return t.boolean(texts[0] <= texts[1])
	}
}

// lowBits is how many of the lowest bits a mask selects, if it selects those and
// no others.
func lowBits(mask uint64) (int, bool) {
	n := bits.TrailingZeros64(^mask)
	return n, n > 0 && n < 64 && mask == 1<<n-1
}

// A text of which one end is known is decided as a sum with a constant is: what it is
// equal to says what the rest is, or has another end.

// text is what a literal of a string says.
func (t *terms) text(x term) (string, bool) {
	n := t.of(x)
	if n.kind != litTerm || !strings.HasPrefix(n.name, `"`) {
		return "", false
	}
	s, err := strconv.Unquote(n.name)
	return s, err == nil
}

// joined is a text put together of a rest and an end that is known.
type joined struct {
	rest   term
	end    string
	before bool // the end is the beginning
}

// joined splits x; false if no end of it is known.
func (t *terms) joined(x term) (joined, bool) {
	n := t.of(x)
	if n.kind != appTerm || n.name != "concat" || len(n.args) != 2 {
		return joined{}, false
	}
	if s, ok := t.text(n.args[1]); ok {
		return joined{rest: n.args[0], end: s}, true
	}
	s, ok := t.text(n.args[0])
	return joined{n.args[1], s, true}, ok
}

// cut is what is left of a text without the end; false if it has another one.
func (j joined) cut(s string) (string, bool) {
	if j.before {
		return strings.CutPrefix(s, j.end)
	}
	return strings.CutSuffix(s, j.end)
}

// left is what the rest of x is if x is the text s, and whether x can be that; known is
// false if no end of x is.
func (t *terms) left(x term, s string) (rest term, is string, fits, known bool) {
	j, known := t.joined(x)
	if !known {
		return noTerm, "", false, false
	}
	is, fits = j.cut(s)
	return j.rest, is, fits, true
}

// withoutEnd is the rest of the concatenation x that equals sum, and what it is; noTerm
// twice if nothing is known of them, or if x cannot be that, as endsElse says.
func (t *terms) withoutEnd(x, sum term) (rest, is term) {
	s, ok := t.text(sum)
	if !ok {
		return noTerm, noTerm
	}
	rest, text, fits, _ := t.left(x, s)
	if !fits {
		return noTerm, noTerm
	}
	return rest, t.lit(strconv.Quote(text))
}

// endsElse reports whether the concatenation x has another end than a literal.
func (t *terms) endsElse(x, lit term) bool {
	s, ok := t.text(lit)
	if !ok {
		return false
	}
	_, _, fits, known := t.left(x, s)
	return known && !fits
}

// foldEqualTexts compares two texts of which one has a known end; else noTerm.
func (t *terms) foldEqualTexts(a, b term) term {
	j, ok := t.joined(a)
	if !ok {
		if j, ok = t.joined(b); !ok {
			return noTerm
		}
		a, b = b, a
	}
	switch {
	case t.endsElse(a, b):
		return t.falseT
	case b == j.rest:
		return t.boolean(j.end == "")
	}
	if rest, is := t.withoutEnd(a, b); rest != noTerm {
		return t.apply(function{name: "eq"}, []term{rest, is})
	}
	k, ok := t.joined(b)
	switch {
	case !ok || j.before != k.before:
		return noTerm
	case j.end == k.end:
		return t.apply(function{name: "eq"}, []term{j.rest, k.rest})
	}
	if len(j.end) < len(k.end) {
		j, k = k, j
	}
	if _, fits := k.cut(j.end); !fits {
		return t.falseT
	}
	return noTerm
}
