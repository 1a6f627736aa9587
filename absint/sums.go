package absint

import (
	"slices"

	"github.com/mapatom/mapatom/reduce/register"
)

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
		s.k = cut(kind, s.k+times*b)
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
	if s.parts[i].times = cut(kind, s.parts[i].times+times); s.parts[i].times == 0 {
		s.parts = slices.Delete(s.parts, i, i+1)
	}
	return len(s.parts) <= maxParts
}

// sum is the term of a sum: what is taken once first, then what is taken off.
func (t *terms) sum(s linearSum) term {
	kind := s.at.Numeric()
	one, less := uint64(1), cut(kind, ^uint64(0))
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
	f := function{name: name, at: at}
	args = t.commute(name, args)
	return t.intern(appKey(f, args), node{kind: appTerm, name: name, at: at, typ: f.resultType(), args: args})
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
	minus := cut(at.Numeric(), ^uint64(0))
	shared := slices.ContainsFunc(s.parts, func(m multiple) bool {
		return slices.ContainsFunc(r.parts, func(o multiple) bool { return m.x == o.x })
	})
	all := slices.Concat(s.parts, r.parts)
	if !ok || !also || !shared && (len(all) != 1 || all[0].times != minus) {
		return noTerm
	}
	left, right := linearSum{at: at}, linearSum{at: at, k: cut(at.Numeric(), r.k-s.k)}
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
	out := linearSum{at: register.Type{Kind: to}, k: cut(to, s.k)}
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
