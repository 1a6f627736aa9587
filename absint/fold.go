package absint

import (
	"strings"

	"github.com/mapatom/mapatom/reduce/register"
)

// linear splits x into base + offset, at the type of the sum; base is noTerm for
// an integer literal and x itself where nothing is added. Sums wrap around, so
// that of a type without a sign is base - 1 as well as base + 255: the offset is
// the one nearer to zero.
func (t *terms) linear(x term) (base term, offset int64) {
	n := t.of(x)
	if n.kind == litTerm {
		if v, ok := t.integer(x); ok {
			return noTerm, v
		}
		return x, 0
	}
	if n.kind == appTerm && n.name == "add" {
		if k, ok := t.offset(n.at.Numeric(), n.args[1]); ok {
			return n.args[0], k
		}
	}
	return x, 0
}

// offset is a literal as a number with a sign, at a kind.
func (t *terms) offset(kind register.TypeKind, x term) (int64, bool) {
	if !kind.IsInteger() || t.of(x).kind != litTerm {
		return 0, false
	}
	b, ok := bitsOf(kind, t.of(x).name)
	unused := 64 - kind.Bits()
	return int64(b<<unused) >> unused, ok
}

// integer reads an integer literal that fits into 64 bits with a sign.
func (t *terms) integer(x term) (int64, bool) {
	n := t.of(x)
	if n.kind != litTerm {
		return 0, false
	}
	b, ok := bitsOf(register.Int64, n.name)
	return int64(b), ok
}

// foldArithmetic evaluates what gives a number: on literals, and where one
// operand says enough.
func (t *terms) foldArithmetic(f function, args []term) term {
	if x := t.foldNumbers(f, args); x != noTerm {
		return x
	}
	if f.name == "convert" {
		return t.foldConversion(f.at.Kind, args[0])
	}
	kind := f.at.Numeric()
	if !kind.IsInteger() || len(args) != 2 {
		return noTerm
	}
	a, b := args[0], args[1]
	if commutes[f.name] && t.of(a).kind == litTerm {
		a, b = b, a
	}
	if t.of(b).kind == litTerm {
		return t.foldConstant(f, kind, a, b)
	}
	switch f.name {
	case "add", "sub":
		return t.foldAddition(f, a, b)
	case "xor":
		if a == b {
			return t.lit("0")
		}
	case "and", "or":
		if a == b {
			return a
		}
	}
	return noTerm
}

// foldConstant is a op b where b is a literal.
func (t *terms) foldConstant(f function, kind register.TypeKind, a, b term) term {
	k, ok := bitsOf(kind, t.of(b).name)
	if !ok {
		return noTerm
	}
	switch f.name {
	case "add":
		if k == 0 {
			return a
		}
		if n := t.of(a); n.kind == appTerm && (n.name == "add" || n.name == "sub") {
			return t.foldAddition(f, a, b)
		}
	case "sub":
		if k == 0 {
			return a
		}
		return t.apply(function{name: "add", at: f.at}, []term{a, t.lit(bitsText(kind, -k))})
	case "or", "xor", "andnot", "shl", "shr":
		if k == 0 {
			return a
		}
	case "mul":
		if k == 0 {
			return t.lit("0")
		}
		if k == 1 {
			return a
		}
	case "quo":
		if k == 1 {
			return a
		}
	case "rem":
		return t.foldRemainder(f, kind, a, k)
	case "and":
		return t.foldMask(f, kind, a, k)
	}
	return noTerm
}

// foldRemainder is a % k: what is left of a number without a sign by a power of
// two are its lowest bits.
func (t *terms) foldRemainder(f function, kind register.TypeKind, a term, k uint64) term {
	if k == 1 {
		return t.lit("0")
	}
	if _, ok := lowBits(k - 1); ok && kind.IsUnsigned() {
		return t.apply(function{name: "and", at: f.at}, []term{a, t.lit(bitsText(kind, k-1))})
	}
	return noTerm
}

// foldMask is a & k. The lowest bits of a sum, a product and a shifted number
// follow from those of its parts.
func (t *terms) foldMask(f function, kind register.TypeKind, a term, k uint64) term {
	if k == 0 {
		return t.lit("0")
	}
	if cut(kind, k) == cut(kind, ^uint64(0)) {
		return a
	}
	n := t.of(a)
	if n.kind != appTerm || len(n.args) != 2 || n.at.Numeric() != kind || t.of(n.args[1]).kind != litTerm {
		return noTerm
	}
	c, ok := bitsOf(kind, t.of(n.args[1]).name)
	if !ok && n.name != "shl" {
		return noTerm
	}
	width, isLow := lowBits(k)
	switch {
	case n.name == "and":
		return t.apply(f, []term{n.args[0], t.lit(bitsText(kind, c&k))})
	case !isLow:
		return noTerm
	case n.name == "add" && c&k != c:
		sum := t.apply(function{name: "add", at: n.at}, []term{n.args[0], t.lit(bitsText(kind, c&k))})
		return t.apply(f, []term{sum, t.lit(bitsText(kind, k))})
	case n.name == "mul" && c&k == 0, n.name == "shl" && ok && c >= uint64(width):
		return t.lit("0")
	}
	return noTerm
}

// foldParity answers, or simplifies, whether the remainder by a power of two is
// zero. So an odd number plus one is known to be even:
//
//	(x+1)&1 == 0  if and only if  x&1 != 0
func (t *terms) foldParity(a, b term) term {
	if t.of(a).kind == litTerm {
		a, b = b, a
	}
	n := t.of(a)
	if n.kind != appTerm || len(n.args) != 2 || t.of(n.args[1]).kind != litTerm || !n.at.Numeric().IsInteger() {
		return noTerm
	}
	kind, zero := n.at.Numeric(), t.lit("0")
	k, ok := bitsOf(kind, t.of(n.args[1]).name)
	switch {
	case !ok:
	case n.name == "rem" && b == zero:
		if _, isLow := lowBits(k - 1); isLow {
			low := t.apply(function{name: "and", at: n.at}, []term{n.args[0], t.lit(bitsText(kind, k-1))})
			return t.apply(function{name: "eq"}, []term{low, zero})
		}
	case n.name == "and" && k == 1 && b == t.lit("1"):
		return t.negation(t.apply(function{name: "eq"}, []term{a, zero}))
	case n.name == "and" && k == 1 && b == zero:
		if base, offset := t.linear(n.args[0]); base != n.args[0] && base != noTerm && offset&1 == 1 {
			low := t.apply(function{name: "and", at: n.at}, []term{base, n.args[1]})
			return t.negation(t.apply(function{name: "eq"}, []term{low, zero}))
		}
	}
	return noTerm
}

func (t *terms) negation(x term) term { return t.apply(function{name: "not"}, []term{x}) }

// foldConversion is x at another kind. Back at the kind where it came from, a
// number is what it was if the kind between had room for it.
func (t *terms) foldConversion(to register.TypeKind, x term) term {
	n := t.of(x)
	if !to.IsInteger() {
		return noTerm
	}
	if n.typ.Kind == to {
		return x
	}
	if y := t.foldConvertedSum(to, x); y != noTerm {
		return y
	}
	if n.kind == appTerm && n.name == "convert" && n.at.Kind.IsInteger() {
		inner := t.of(n.args[0]).typ.Kind
		if inner.IsInteger() && n.at.Kind.Bits() >= to.Bits() {
			return t.apply(function{name: "convert", at: register.Type{Kind: to}}, n.args)
		}
	}
	return noTerm
}

// widens reports whether every number of the first kind is one of the second.
func widens(from, to register.TypeKind) bool {
	switch {
	case !from.IsInteger() || !to.IsInteger():
		return false
	case from.IsUnsigned() == to.IsUnsigned():
		return from.Bits() <= to.Bits()
	default:
		return from.IsUnsigned() && from.Bits() < to.Bits()
	}
}

// foldOrder compares. What is known of x+1 and x is nothing: it may wrap around.
func (t *terms) foldOrder(f function, args []term) term {
	if f.at.Kind == register.String {
		if x := t.foldStrings(f, args); x != noTerm {
			return x
		}
		switch empty := t.lit(`""`); {
		case f.name == "lt" && args[1] == empty: // nothing comes before it
			return t.falseT
		case f.name == "le" && args[0] == empty:
			return t.trueT
		}
	} else if x := t.foldNumbers(f, args); x != noTerm {
		return x
	}
	if args[0] == args[1] && !f.at.Kind.IsFloat() {
		return t.boolean(f.name == "le")
	}
	return t.foldLeast(f, args)
}

// foldLeast compares with the least string: none is below it.
func (t *terms) foldLeast(f function, args []term) term {
	empty := func(x term) bool { return t.of(x).kind == litTerm && t.of(x).name == `""` }
	switch {
	case f.at.Kind != register.String:
	case f.name == "lt" && empty(args[1]):
		return t.falseT
	case f.name == "le" && empty(args[0]):
		return t.trueT
	}
	return noTerm
}

// foldBox undoes a box, and a box of what was taken out of one like it.
func (t *terms) foldBox(f function, x term) term {
	n := t.of(x)
	back := map[string]string{"box": "unbox", "unbox": "box"}[f.name]
	if n.kind == appTerm && n.name == back && n.at == f.at {
		return n.args[0]
	}
	if n.kind != litTerm {
		return noTerm
	}
	v, ok, err := register.Fold(f.name, f.at, []register.Value{register.Value(n.name)})
	if !ok || err != nil {
		return noTerm
	}
	return t.lit(string(v))
}

// foldIs tells the type of what is in an interface, if its form says it.
func (t *terms) foldIs(at register.Type, x term) term {
	if x == t.nilT {
		return t.falseT
	}
	typ, ok := t.dynamicType(x)
	if !ok {
		return noTerm
	}
	return t.boolean(typ == at.GoName())
}

// dynamicType is the name of the type that a term has in an interface, as far as
// its form says it.
func (t *terms) dynamicType(x term) (string, bool) {
	switch n := t.of(x); {
	case n.kind == litTerm:
		return register.DynamicType(register.Value(n.name))
	case n.kind == freshTerm || n.kind == holeFresh:
		return pointerTo(siteType(n.name)), true
	case n.kind == appTerm && n.name == "box":
		return n.at.GoName(), true
	case n.typ.Kind != register.NoType && (n.typ.IsDefault() || n.typ.Name != ""):
		return n.typ.GoName(), true
	default:
		return "", false
	}
}

// pointerTo is the type of what an allocation gives: a reference already, or a
// pointer to what it names.
func pointerTo(site string) string {
	for _, prefix := range []string{"map[", "chan ", "[]", "*", "func("} {
		if strings.HasPrefix(site, prefix) {
			return site
		}
	}
	return "*" + site
}
