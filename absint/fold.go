package absint

import (
	"math"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
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
	if x := t.foldBits(f, kind, a, b); x != noTerm {
		return x
	}
	if t.of(b).kind == litTerm {
		return t.foldConstant(f, kind, a, b)
	}
	if f.name == "add" || f.name == "sub" {
		return t.foldAddition(f, a, b)
	}
	return noTerm
}

// foldBits is a chain of one of the bitwise operations in its form: each part once, in
// order, and the constants as one at the end.
func (t *terms) foldBits(f function, kind register.TypeKind, a, b term) term {
	c := chain{f: f, kind: kind}
	switch f.name {
	case "and":
		c.k, c.dual = ^uint64(0), "or"
	case "or":
		c.dual = "and"
	case "xor":
	default:
		return noTerm
	}
	if !t.link(&c, a) || !t.link(&c, b) {
		return noTerm
	}
	slices.Sort(c.parts)
	k := t.lit(bitsText(kind, c.k))
	var x term
	for _, y := range c.parts {
		switch {
		case slices.ContainsFunc(c.parts, func(z term) bool { return t.covers(&c, y, z) }):
		case x == noTerm:
			x = y
		default:
			x = t.unfolded(f, []term{x, y})
		}
	}
	if x == noTerm {
		return k
	}
	if y := t.foldConstant(f, kind, x, k); y != noTerm {
		return y
	}
	return t.unfolded(f, []term{x, k})
}

// chain are the parts of a bitwise operation on several numbers. The dual operation is
// the other one of and and or.
type chain struct {
	f     function
	kind  register.TypeKind
	dual  string
	parts []term
	k     uint64
}

// link adds x to a chain; false if that is not possible. What is twice in an exclusive or
// is not there.
func (t *terms) link(c *chain, x term) bool {
	n := t.of(x)
	if n.kind == litTerm {
		k, ok := bitsOf(c.kind, n.name)
		c.k, _ = calculate(c.f.name, c.kind, c.k, k)
		return ok
	}
	if n.kind == appTerm && n.name == c.f.name && n.at.Numeric() == c.kind {
		return t.link(c, n.args[0]) && t.link(c, n.args[1])
	}
	i := slices.Index(c.parts, x)
	switch {
	case i < 0:
		c.parts = append(c.parts, x)
	case c.dual == "":
		c.parts = slices.Delete(c.parts, i, i+1)
	}
	return len(c.parts) <= maxParts
}

// covers reports whether part x says nothing beside part y: x|y&z is x, and so is
// x&(y|x).
func (t *terms) covers(c *chain, x, y term) bool {
	n := t.of(x)
	return x != y && c.dual != "" && n.kind == appTerm && n.name == c.dual && n.at.Numeric() == c.kind &&
		slices.ContainsFunc(n.args, func(z term) bool { return z == y || t.covers(c, z, y) })
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
		if all := ^uint64(0); f.name == "or" && numbers.Cut(kind, k) == numbers.Cut(kind, all) {
			return t.lit(bitsText(kind, all))
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
	} else if ok && t.apply(function{name: "and", at: f.at}, []term{a, t.lit(bitsText(kind, k-1))}) == t.lit("0") {
		return t.lit("0") // whichever sign it has
	}
	return noTerm
}

// foldMask is a & k. The lowest bits of a sum, a product and a shifted number
// follow from those of its parts.
func (t *terms) foldMask(f function, kind register.TypeKind, a term, k uint64) term {
	if k == 0 {
		return t.lit("0")
	}
	if numbers.Cut(kind, k) == numbers.Cut(kind, ^uint64(0)) {
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

// foldKnownBits answers, or simplifies, whether a number of which some bits are known is
// another one, and whether the remainder by a power of two is zero. So an odd number plus
// one is known to be even:
//
//	(x+1)&1 == 0  if and only if  x&1 != 0
func (t *terms) foldKnownBits(a, b term) term {
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
	case t.impossible(n, k, b):
		return t.falseT
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

// impossible reports whether x&k, or x|k, cannot be b: it has no other bits, or all of
// these.
func (t *terms) impossible(n *node, k uint64, b term) bool {
	if t.of(b).kind != litTerm {
		return false
	}
	is, ok := bitsOf(n.at.Numeric(), t.of(b).name)
	return ok && (n.name == "and" && is&^k != 0 || n.name == "or" && k&^is != 0)
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

// foldOrder compares. What is known of x+1 and x is nothing: it may wrap around.
func (t *terms) foldOrder(f function, args []term) term {
	if f.at.Kind == register.String {
		if x := t.foldStrings(f, args); x != noTerm {
			return x
		}
	} else if x := t.foldNumbers(f, args); x != noTerm {
		return x
	}
	if args[0] == args[1] && !f.at.Kind.IsFloat() {
		return t.boolean(f.name == "le")
	}
	if truth := t.foldBounds(f, args); truth != noTerm {
		return truth
	}
	return t.foldEnds(f, args)
}

// foldBounds compares numbers of which one is certainly the lesser: what a mask lets through, a remainder, and what
// a byte is converted to have their bounds whatever they are of.
//
//	x&1+4 < 6
func (t *terms) foldBounds(f function, args []term) term {
	kind := f.at.Numeric()
	a, ok := t.boundsOf(kind, args[0], 0)
	b, ok2 := t.boundsOf(kind, args[1], 0)
	if !ok || !ok2 {
		return noTerm
	}
	strict := f.name == "lt"
	switch {
	case a.hi < b.lo, !strict && a.hi == b.lo:
		return t.trueT
	case a.lo > b.hi, strict && a.lo == b.hi:
		return t.falseT
	}
	return noTerm
}

// extent is from one number to another one.
type extent struct{ lo, hi int64 }

// within reports whether all of it are numbers of a kind.
func (x extent) within(kind register.TypeKind) bool {
	all, ok := extentOf(kind)
	return !ok && (!kind.IsUnsigned() || x.lo >= 0) || ok && x.lo >= all.lo && x.hi <= all.hi
}

// extentOf are all numbers of a kind of less than 64 bits.
func extentOf(kind register.TypeKind) (extent, bool) {
	switch bits := kind.Bits(); {
	case !kind.IsInteger() || bits >= 64:
		return extent{}, false
	case kind.IsUnsigned():
		return extent{0, 1<<bits - 1}, true
	default:
		return extent{-1 << (bits - 1), 1<<(bits-1) - 1}, true
	}
}

// maxBounds bounds how far a term is looked into, and nearby how large numbers are that are calculated with.
const (
	maxBounds = 4
	nearby    = 1 << 31
)

// boundsOf are the least and the greatest number that a term can be, where that can be told by itself.
func (t *terms) boundsOf(kind register.TypeKind, x term, depth int) (extent, bool) {
	if k, ok := t.offset(kind, x); ok {
		return extent{k, k}, k >= 0 || !kind.IsUnsigned()
	}
	n := t.of(x)
	if n.kind != appTerm || depth == maxBounds {
		return extent{}, false
	}
	switch {
	case saysHowMany(n.name):
		return extent{0, math.MaxInt64}, kind == register.Int
	case n.at.Numeric() != kind:
		return extent{}, false
	case n.name == "convert":
		from := t.of(n.args[0]).typ.Kind
		if !numbers.Widens(from, kind) {
			return extent{}, false
		}
		if e, ok := t.boundsOf(from, n.args[0], depth+1); ok {
			return e, true
		}
		return extentOf(from)
	case len(n.args) != 2:
		return extent{}, false
	}
	a, ok := t.boundsOf(kind, n.args[0], depth+1)
	b, ok2 := t.boundsOf(kind, n.args[1], depth+1)
	e, known := calculateBounds(n.name, kind, a, b, ok, ok2)
	return e, known && e.within(kind)
}

// calculateBounds are those of what a function gives, of whose arguments the bounds may be known.
func calculateBounds(name string, kind register.TypeKind, a, b extent, ok, ok2 bool) (extent, bool) {
	near := func(e extent) bool { return -nearby < e.lo && e.hi < nearby }
	switch {
	case name == "and" && ok && a.lo >= 0 && ok2 && b.lo >= 0:
		return extent{0, min(a.hi, b.hi)}, true
	case name == "and" && ok && a.lo >= 0:
		return extent{0, a.hi}, true
	case name == "and" && ok2 && b.lo >= 0:
		return extent{0, b.hi}, true
	case name == "rem" && ok2 && b.lo > 0 && (kind.IsUnsigned() || ok && a.lo >= 0):
		return extent{0, b.hi - 1}, true
	case name == "rem" && ok2 && b.lo > 0:
		return extent{1 - b.hi, b.hi - 1}, true
	case !ok || !ok2 || !near(a) || !near(b):
	case name == "add":
		return extent{a.lo + b.lo, a.hi + b.hi}, true
	case name == "sub":
		return extent{a.lo - b.hi, a.hi - b.lo}, true
	}
	return extent{}, false
}

// foldEnds compares with the least or the greatest of a type: none is below the one, or
// above the other. What is not above the least of a type whose least is nothing is that:
//
//	n > 0  if and only if  n != 0, of numbers without a sign
func (t *terms) foldEnds(f function, args []term) term {
	least, greatest := noTerm, noTerm
	if kind := f.at.Numeric(); f.at.Kind == register.String {
		least = t.lit(`""`)
	} else if kind.IsInteger() {
		lo, hi := numbers.Ends(kind)
		least, greatest = t.lit(bitsText(kind, lo)), t.lit(bitsText(kind, hi))
	}
	switch {
	case least == noTerm:
	case f.name == "lt" && (args[1] == least || args[0] == greatest):
		return t.falseT
	case f.name == "le" && (args[0] == least || args[1] == greatest):
		return t.trueT
	case f.at.Kind != register.String && !f.at.Numeric().IsUnsigned():
	case f.name == "lt" && args[0] == least:
		return t.negation(t.apply(function{name: "eq"}, []term{args[1], least}))
	case f.name == "le" && args[1] == least:
		return t.apply(function{name: "eq"}, []term{args[0], least})
	case f.at.Kind == register.String:
	case f.name == "le" && args[0] == t.lit("1"):
		return t.negation(t.apply(function{name: "eq"}, []term{args[1], least}))
	case f.name == "lt" && args[1] == t.lit("1"):
		return t.apply(function{name: "eq"}, []term{args[0], least})
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
	switch {
	case n.kind != litTerm:
		return noTerm
	case f.at == register.Type{Kind: register.Bool} && t.isBool(x):
		return x // an interface holds a truth value as it is
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

// A sum of integers has one form, however it came about: its parts in order, each as
// often as it occurs, and a number last. So x+n-n is x, and two calls that add to one
// counter leave the same behind in either order. Integers wrap around, and form a ring
// at each kind: no condition comes with that.

// linearSum is a number and multiples of terms that are no sums themselves.
type linearSum struct {
	at    register.Type
	parts []multiple // in the order of their terms, none of them zero
	k     uint64
}

type multiple struct {
	x     term
	times uint64 // at the kind of the sum
}

// maxParts bounds the parts of a sum that is brought into its form.
const maxParts = 8

// sumOf is x as a sum at an integer type; false if it has too many parts.
func (t *terms) sumOf(at register.Type, x term) (linearSum, bool) {
	s := linearSum{at: at}
	ok := t.addTo(&s, x, 1)
	return s, ok
}

// addTo adds a multiple of x.
func (t *terms) addTo(s *linearSum, x term, times uint64) bool {
	kind := s.at.Numeric()
	n := t.of(x)
	if n.kind == litTerm {
		b, ok := bitsOf(kind, n.name)
		s.k = numbers.Cut(kind, s.k+times*b)
		return ok
	}
	if n.kind == appTerm && n.at.Numeric() == kind {
		switch n.name {
		case "add":
			return t.addTo(s, n.args[0], times) && t.addTo(s, n.args[1], times)
		case "sub":
			return t.addTo(s, n.args[0], times) && t.addTo(s, n.args[1], -times)
		case "mul":
			if b, ok := bitsOf(kind, t.of(n.args[1]).name); ok && t.of(n.args[1]).kind == litTerm {
				return t.addTo(s, n.args[0], times*b)
			}
		}
	}
	i, found := slices.BinarySearchFunc(s.parts, x, func(m multiple, x term) int { return int(m.x) - int(x) })
	if !found {
		s.parts = slices.Insert(s.parts, i, multiple{x, 0})
	}
	if s.parts[i].times = numbers.Cut(kind, s.parts[i].times+times); s.parts[i].times == 0 {
		s.parts = slices.Delete(s.parts, i, i+1)
	}
	return len(s.parts) <= maxParts
}

// sum is the term of a sum: what is taken once first, then what is taken off.
func (t *terms) sum(s linearSum) term {
	kind := s.at.Numeric()
	one, less := uint64(1), numbers.Cut(kind, ^uint64(0))
	x := noTerm
	for _, m := range s.parts {
		switch {
		case m.times != one:
		case x == noTerm:
			x = m.x
		default:
			x = t.whole("add", s.at, x, m.x)
		}
	}
	for _, m := range s.parts {
		if m.times == one || m.times == less {
			continue
		}
		y := t.whole("mul", s.at, m.x, t.lit(bitsText(kind, m.times)))
		if x != noTerm {
			y = t.whole("add", s.at, x, y)
		}
		x = y
	}
	k := s.k
	if x == noTerm {
		x, k = t.lit(bitsText(kind, k)), 0
	}
	for _, m := range s.parts {
		if m.times == less && m.times != one {
			x = t.whole("sub", s.at, x, m.x)
		}
	}
	if k != 0 {
		x = t.whole("add", s.at, x, t.lit(bitsText(kind, k)))
	}
	return x
}

// whole is an application as it stands, without a look at what it folds to.
func (t *terms) whole(name string, at register.Type, args ...term) term {
	return t.unfolded(function{name: name, at: at}, args)
}

// foldAddition is a + b or a - b in its form.
func (t *terms) foldAddition(f function, a, b term) term {
	s, ok := t.sumOf(f.at, a)
	times := uint64(1)
	if f.name == "sub" {
		times = -times
	}
	if !ok || !t.addTo(&s, b, times) {
		return noTerm
	}
	return t.sum(s)
}

// foldDifference is a == b where both are sums with a part in common: without it. And
// -x == k is x == -k.
func (t *terms) foldDifference(a, b term) term {
	at := t.of(a).at
	if n := t.of(a); n.kind != appTerm || n.name != "add" && n.name != "sub" {
		at = t.of(b).at
	}
	if !at.Numeric().IsInteger() {
		return noTerm
	}
	s, ok := t.sumOf(at, a)
	r, also := t.sumOf(at, b)
	minus := numbers.Cut(at.Numeric(), ^uint64(0))
	shared := slices.ContainsFunc(s.parts, func(m multiple) bool {
		return slices.ContainsFunc(r.parts, func(o multiple) bool { return m.x == o.x })
	})
	all := slices.Concat(s.parts, r.parts)
	if !ok || !also || !shared && (len(all) != 1 || all[0].times != minus) {
		return noTerm
	}
	left, right := linearSum{at: at}, linearSum{at: at, k: numbers.Cut(at.Numeric(), r.k-s.k)}
	for _, m := range s.parts {
		t.addTo(&left, m.x, m.times)
	}
	for _, m := range r.parts {
		t.addTo(&left, m.x, -m.times)
	}
	if len(left.parts) > maxParts {
		return noTerm
	}
	left.parts = slices.DeleteFunc(left.parts, func(m multiple) bool {
		if m.times == minus {
			right.parts = append(right.parts, multiple{m.x, 1})
		}
		return m.times == minus
	})
	if len(left.parts) == 0 && len(right.parts) == 1 { // -x == k
		left.parts, right.parts, right.k = right.parts, nil, -right.k
	}
	return t.apply(function{name: "eq"}, []term{t.sum(left), t.sum(right)})
}

// foldConvertedSum is a sum at another kind that has no more bits: the sum of its parts
// at that kind.
func (t *terms) foldConvertedSum(to register.TypeKind, x term) term {
	n := t.of(x)
	if n.kind != appTerm || n.name != "add" && n.name != "sub" || !n.at.Numeric().IsInteger() || to.Bits() > n.at.Numeric().Bits() {
		return noTerm
	}
	s, ok := t.sumOf(n.at, x)
	if !ok {
		return noTerm
	}
	out := linearSum{at: register.Type{Kind: to}, k: numbers.Cut(to, s.k)}
	for _, m := range s.parts {
		if t.of(m.x).typ.Kind != n.at.Numeric() {
			return noTerm // its kind is not known well enough to convert it
		}
		if !t.addTo(&out, t.apply(function{name: "convert", at: out.at}, []term{m.x}), m.times) {
			return noTerm
		}
	}
	return t.sum(out)
}
