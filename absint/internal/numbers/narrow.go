package numbers

import (
	"math/bits"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Differ takes out what cannot be, as two numbers differ.
func Differ(a, b *Set) {
	if x, ok := a.one(); ok {
		b.without(x)
	}
	if y, ok := b.one(); ok {
		a.without(y)
	}
}

// Order takes out what cannot be, as a is at most b, or less than b.
func Order(strictly bool, a, b *Set) {
	lo, hi := Ends(a.kind)
	if strictly && (a.lo == hi || b.hi == lo) {
		a.empty = true
		return
	}
	step := uint64(0)
	if strictly {
		step = 1
	}
	a.between(lo, b.hi-step)
	b.between(a.lo+step, hi)
}

// Convert takes out what cannot be, as r is a at another kind.
func Convert(r, a *Set) {
	from, to := a.kind, r.kind
	low := mask(from) & mask(to)
	r.know(a.zeros&low, a.ones&low)
	a.know(r.zeros&low, r.ones&low)
	if above := mask(to) &^ mask(from); above != 0 {
		negative := sign(from)
		switch {
		case negative == 0 || a.zeros&negative != 0:
			r.know(above, 0)
		case a.ones&negative != 0:
			r.know(0, above)
		}
	}
	if !Widens(from, to) {
		return
	}
	r.between(a.lo, a.hi)
	lo, hi := Ends(from)
	if r.between(lo, hi); !r.empty {
		a.between(r.lo, r.hi)
	}
}

// Widens reports whether every number of the first kind is one of the second.
func Widens(from, to register.TypeKind) bool {
	switch {
	case !from.IsInteger() || !to.IsInteger():
		return false
	case from.IsUnsigned() == to.IsUnsigned():
		return from.Bits() <= to.Bits()
	default:
		return from.IsUnsigned() && from.Bits() < to.Bits()
	}
}

// Unary takes out what cannot be, as r is op a, of one kind.
func Unary(op string, r, a *Set) {
	switch op {
	case "compl":
		r.know(a.ones, a.zeros)
		a.know(r.ones, r.zeros)
	case "neg":
		zero := Just(a.kind, 0)
		difference(r, &zero, a)
	}
}

// Binary takes out what cannot be, as r is a op b, all of one kind. Of those operations that are not known here, it
// takes out nothing.
func Binary(op string, r, a, b *Set) {
	switch op {
	case "add":
		sum(r, a, b)
	case "sub":
		difference(r, a, b)
	case "and":
		both(r, a, b)
	case "andnot":
		c := b.complement()
		both(r, a, &c)
		b.meet(c.complement())
	case "or":
		either(r, a, b)
	case "xor":
		r.meet(exclusive(a, b))
		a.meet(exclusive(r, b))
		b.meet(exclusive(r, a))
	case "mul":
		if _, ok := a.one(); ok {
			a, b = b, a
		}
		if c, ok := b.one(); ok {
			product(r, a, c)
		}
	case "quo", "rem":
		if c, ok := b.one(); ok && c != 0 && !Less(b.kind, c, 0) {
			divide(op == "quo", r, a, c)
		}
	}
}

// complement are the numbers with all bits the other way.
func (s *Set) complement() Set {
	return Set{kind: s.kind, zeros: s.ones, ones: s.zeros, lo: Cut(s.kind, ^s.hi), hi: Cut(s.kind, ^s.lo), empty: s.empty}
}

// sum narrows r = a + b, a = r - b and b = r - a.
func sum(r, a, b *Set) {
	r.meet(added(a, b))
	a.meet(subtracted(r, b))
	b.meet(subtracted(r, a))
}

// difference narrows r = a - b.
func difference(r, a, b *Set) { sum(a, r, b) }

// added are the sums.
func added(a, b *Set) Set {
	s := carried(a, b.zeros, b.ones, 0)
	if lo, ok := plus(a.kind, a.lo, b.lo); ok {
		if hi, ok := plus(a.kind, a.hi, b.hi); ok {
			s.between(lo, hi)
		}
	}
	s.empty = s.empty || a.empty || b.empty
	return s
}

// subtracted are the differences.
func subtracted(a, b *Set) Set {
	s := carried(a, b.ones, b.zeros, 1)
	if lo, ok := minus(a.kind, a.lo, b.hi); ok {
		if hi, ok := minus(a.kind, a.hi, b.lo); ok {
			s.between(lo, hi)
		}
	}
	s.empty = s.empty || a.empty || b.empty
	return s
}

// carried are the bits of a sum with a number of which some bits are known, and one more or not: a bit is known
// if both of its own are, and what is carried into it is the same for the least and the greatest of them.
func carried(a *Set, zeros, ones, more uint64) Set {
	m := mask(a.kind)
	most := (^a.zeros & m) + (^zeros & m) + more
	least := a.ones + ones + more
	none := ^(most ^ a.zeros ^ zeros)
	some := least ^ a.ones ^ ones
	known := (a.zeros | a.ones) & (zeros | ones) & (none | some) & m
	s := All(a.kind)
	s.know(^most&known, least&known)
	return s
}

// plus is a sum; false if it wraps around.
func plus(kind register.TypeKind, x, y uint64) (uint64, bool) {
	z := Cut(kind, x+y)
	if kind.IsUnsigned() {
		return z, z >= x
	}
	return z, (int64(z) >= int64(x)) == (int64(y) >= 0)
}

// minus is a difference; false if it wraps around.
func minus(kind register.TypeKind, x, y uint64) (uint64, bool) {
	z := Cut(kind, x-y)
	if kind.IsUnsigned() {
		return z, x >= y
	}
	return z, (int64(z) <= int64(x)) == (int64(y) >= 0)
}

// both narrows r = a & b.
func both(r, a, b *Set) {
	r.know(a.zeros|b.zeros, a.ones&b.ones)
	a.know(r.zeros&b.ones, r.ones)
	b.know(r.zeros&a.ones, r.ones)
}

// either narrows r = a | b.
func either(r, a, b *Set) {
	r.know(a.zeros&b.zeros, a.ones|b.ones)
	a.know(r.zeros, r.ones&b.zeros)
	b.know(r.zeros, r.ones&a.zeros)
}

// exclusive are the numbers a ^ b.
func exclusive(a, b *Set) Set {
	s := All(a.kind)
	s.know(a.zeros&b.zeros|a.ones&b.ones, a.zeros&b.ones|a.ones&b.zeros)
	return s
}

// product narrows r = a * c: as many of the lowest bits of one are known as of the other one, as soon as c is odd, and the
// bounds where nothing wraps around.
func product(r, a *Set, c uint64) {
	c &= mask(a.kind)
	if c == 0 {
		r.meet(Just(r.kind, 0))
		return
	}
	by := bits.TrailingZeros64(c)
	odd := c >> by
	r.know(1<<by-1, 0)
	if n := known(a); n+by > 0 {
		low := lowest(min(n+by, 64))
		x := (a.ones & lowest(n)) * c
		r.know(^x&low, x&low)
	}
	if n := known(r) - by; n > 0 {
		x := (r.ones >> by) * inverse(odd)
		low := lowest(n) & (mask(a.kind) >> by)
		a.know(^x&low, x&low)
	}
	scaled(r, a, Cut(a.kind, c))
}

// known is how many of the lowest bits are.
func known(s *Set) int { return bits.TrailingZeros64(^(s.zeros | s.ones)) }

// lowest is a mask of the n lowest bits.
func lowest(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// inverse is what gives 1 if it is multiplied by an odd number, by Newton's iteration: each round doubles the bits that
// are right.
func inverse(odd uint64) uint64 {
	x := odd
	for range 6 {
		x *= 2 - odd*x
	}
	return x
}

// scaled narrows the bounds of r = a * c for a positive c, if no product wraps around.
func scaled(r, a *Set, c uint64) {
	lo, hi := Ends(a.kind)
	if Less(a.kind, c, 1) || Less(a.kind, a.lo, Quotient(a.kind, lo, c)) || Less(a.kind, Quotient(a.kind, hi, c), a.hi) {
		return
	}
	r.between(a.lo*c, a.hi*c)
}

// Quotient is x / y at an integer kind, where y is not zero.
func Quotient(kind register.TypeKind, x, y uint64) uint64 {
	if kind.IsUnsigned() {
		return x / y
	}
	return uint64(int64(x) / int64(y))
}

// Remainder is x % y at an integer kind, where y is not zero.
func Remainder(kind register.TypeKind, x, y uint64) uint64 {
	return x - Quotient(kind, x, y)*y
}

// divide narrows r = a / c, or a % c, for a positive c.
func divide(whole bool, r, a *Set, c uint64) {
	if !whole {
		modulo(r, a, c)
		return
	}
	r.between(Quotient(a.kind, a.lo, c), Quotient(a.kind, a.hi, c))
	if r.empty {
		return
	}
	// What is cut off goes towards zero.
	lo, hi := Ends(a.kind)
	if Less(a.kind, 0, r.lo) {
		lo = r.lo * c
	} else if first, ok := minus(a.kind, r.lo*c, c-1); ok {
		lo = first
	}
	if Less(a.kind, r.hi, 0) {
		hi = r.hi * c
	} else if last, ok := plus(a.kind, r.hi*c, c-1); ok {
		hi = last
	}
	a.between(lo, hi)
}

// modulo narrows r = a % c for a positive c.
func modulo(r, a *Set, c uint64) {
	lo, hi := uint64(0), c-1
	if Less(a.kind, a.lo, 0) {
		lo = -hi
	}
	if Less(a.kind, a.hi, 0) {
		hi = 0
	}
	r.between(lo, hi)
	if Quotient(a.kind, a.lo, c) == 0 && Quotient(a.kind, a.hi, c) == 0 {
		r.meet(*a)
		a.meet(*r)
	}
	if x, ok := a.one(); ok {
		r.meet(Just(r.kind, Remainder(a.kind, x, c)))
	}
}

// Shift takes out what cannot be, as r is a << n, or a >> n.
func Shift(left bool, r, a *Set, n uint64) {
	w := uint64(a.kind.Bits())
	switch {
	case n == 0:
		r.meet(*a)
		a.meet(*r)
	case left && n >= w:
		r.meet(Just(r.kind, 0))
	case left:
		product(r, a, 1<<n)
	default:
		right(r, a, min(n, w))
	}
}

// right narrows r = a >> n, where n is at most as many bits as there are.
func right(r, a *Set, n uint64) {
	m := mask(a.kind)
	above := m &^ (m >> n)
	switch negative := sign(a.kind); {
	case negative == 0 || a.zeros&negative != 0:
		r.know(above, 0)
	case a.ones&negative != 0:
		r.know(0, above)
	}
	r.know(a.zeros>>n, a.ones>>n)
	a.know(r.zeros<<n, r.ones<<n)
	if a.kind.IsUnsigned() {
		r.between(a.lo>>n, a.hi>>n)
		return
	}
	r.between(uint64(int64(a.lo)>>n), uint64(int64(a.hi)>>n))
}
