package numbers

import (
	"math/bits"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Cut drops the bits of a number that the kind has not, and extends the sign if it has one: the form in which numbers
// are handed around.
func Cut(kind register.TypeKind, b uint64) uint64 {
	unused := 64 - kind.Bits()
	b <<= unused
	if kind.IsUnsigned() {
		return b >> unused
	}
	return uint64(int64(b) >> unused)
}

// Ends are the least and the greatest number of a kind.
func Ends(kind register.TypeKind) (lo, hi uint64) {
	if kind.IsUnsigned() {
		return 0, Cut(kind, ^uint64(0))
	}
	lo = Cut(kind, 1<<(kind.Bits()-1))
	return lo, ^lo
}

// Less reports whether a number of a kind is less than another one.
func Less(kind register.TypeKind, x, y uint64) bool {
	if kind.IsUnsigned() {
		return x < y
	}
	return int64(x) < int64(y)
}

// Set is what is known of a number of a kind.
type Set struct {
	kind register.TypeKind
	// zeros and ones are the bits that are known, of those that the kind has.
	zeros, ones uint64
	lo, hi      uint64
	empty       bool
}

// All are all numbers of an integer kind.
func All(kind register.TypeKind) Set {
	lo, hi := Ends(kind)
	return Set{kind: kind, lo: lo, hi: hi}
}

// Just is one number.
func Just(kind register.TypeKind, b uint64) Set {
	b = Cut(kind, b)
	s := Set{kind: kind, ones: b & mask(kind), lo: b, hi: b}
	s.zeros = ^s.ones & mask(kind)
	return s
}

// mask are the bits that a kind has.
func mask(kind register.TypeKind) uint64 { return ^uint64(0) >> (64 - kind.Bits()) }

// sign is the bit of the sign, 0 of a kind that has none.
func sign(kind register.TypeKind) uint64 {
	if kind.IsUnsigned() {
		return 0
	}
	return 1 << (kind.Bits() - 1)
}

// IsEmpty reports whether there is no such number.
func (s *Set) IsEmpty() bool { return s.empty }

// Bounds are the least and the greatest number that may be in the set.
func (s *Set) Bounds() (lo, hi uint64) { return s.lo, s.hi }

// Lowest are the lowest bits of all the numbers, as many as are known.
func (s *Set) Lowest() (n int, low uint64) {
	n = known(s)
	return n, s.ones & lowest(n)
}

// Has reports whether a number may be in the set.
func (s *Set) Has(b uint64) bool {
	b = Cut(s.kind, b)
	return !s.empty && !Less(s.kind, b, s.lo) && !Less(s.kind, s.hi, b) && b&s.zeros == 0 && ^b&s.ones == 0
}

// one is the only number in the set.
func (s *Set) one() (uint64, bool) { return s.lo, s.lo == s.hi && !s.empty }

// between takes out all numbers below lo and above hi.
func (s *Set) between(lo, hi uint64) {
	if Less(s.kind, s.lo, lo) {
		s.lo = lo
	}
	if Less(s.kind, hi, s.hi) {
		s.hi = hi
	}
	s.agree()
}

// know takes out all numbers in which some bits are not as they are known.
func (s *Set) know(zeros, ones uint64) {
	s.zeros |= zeros & mask(s.kind)
	s.ones |= ones & mask(s.kind)
	s.agree()
}

// meet takes out all that another set of the same kind has not.
func (s *Set) meet(t Set) {
	s.empty = s.empty || t.empty
	s.know(t.zeros, t.ones)
	s.between(t.lo, t.hi)
}

// agree takes from the bits what they say of the bounds, and the other way round.
func (s *Set) agree() {
	if s.empty = s.empty || s.zeros&s.ones != 0; s.empty {
		return
	}
	negative := sign(s.kind)
	open := mask(s.kind) &^ (s.zeros | s.ones)
	least := Cut(s.kind, s.ones|open&negative)
	greatest := Cut(s.kind, s.ones|open&^negative)
	if Less(s.kind, s.lo, least) {
		s.lo = least
	}
	if Less(s.kind, greatest, s.hi) {
		s.hi = greatest
	}
	if s.empty = Less(s.kind, s.hi, s.lo); s.empty {
		return
	}
	// The bits above the first one in which the bounds differ are those of all between.
	known := mask(s.kind) &^ (1<<bits.Len64((s.lo^s.hi)&mask(s.kind)) - 1)
	s.zeros |= known &^ s.lo
	s.ones |= known & s.lo
	s.empty = s.zeros&s.ones != 0
}

// without takes one number out, if it is at an end.
func (s *Set) without(b uint64) {
	switch _, single := s.one(); {
	case single && s.lo == b:
		s.empty = true
	case s.lo == b:
		s.between(b+1, s.hi)
	case s.hi == b:
		s.between(s.lo, b-1)
	}
}
