package absint

import (
	"slices"
)

// literal is one assumption of a path: two terms are equal, or differ.
// That a predicate holds is its equality with the literal true.
type literal struct {
	a, b  term
	equal bool
}

// opposite is the other answer. A truth value that is not true is false.
func (l literal) opposite(t *terms) literal {
	switch {
	case l.equal && l.b == t.trueT:
		return literal{l.a, t.falseT, true}
	case l.equal && l.b == t.falseT:
		return literal{l.a, t.trueT, true}
	}
	return literal{l.a, l.b, !l.equal}
}

// path is a path condition: a set of literals, decided by congruence
// closure. It is immutable; with returns an extension.
type path struct {
	terms    *terms
	literals []literal
	classes  *classes // built on first use
}

// pathCost is what an extension of a path costs, in instructions.
const pathCost = 30

func newPath(t *terms) *path { return &path{terms: t} }

// with returns the path condition extended by l, or nil if the two
// contradict each other.
func (p *path) with(l literal) *path {
	if a, b, is := p.terms.compared(l.a, l.b); is == undecided {
		l.a, l.b = a, b
	} else if (is == yes) != l.equal {
		return nil
	} else {
		return p
	}
	p.terms.cost += pathCost + len(p.closure().members)
	q := &path{terms: p.terms, literals: append(slices.Clip(p.literals), l)}
	q.classes = p.closure().clone()
	if !q.classes.assume(l) {
		return nil
	}
	return q
}

func (p *path) closure() *classes {
	if p.classes == nil {
		p.classes = newClasses(p.terms)
		for _, l := range p.literals {
			p.classes.assume(l)
		}
	}
	return p.classes
}

// answer is a three-valued truth.
type answer int8

const (
	undecided answer = iota
	yes
	no
)

// equal tells whether the path condition decides a == b.
func (p *path) equal(a, b term) answer {
	a, b, is := p.terms.compared(a, b)
	if is != undecided {
		return is
	}
	return p.closure().equal(a, b)
}

// compared tells whether the form of two terms decides if they are equal, and if not,
// which two terms are equal if and only if they are.
func (t *terms) compared(a, b term) (x, y term, is answer) {
	switch q := t.foldEq(a, b); {
	case q == t.trueT || q == t.falseT:
		return a, b, answerOf(q == t.trueT)
	case q != noTerm && t.of(q).name == "eq":
		return t.of(q).args[0], t.of(q).args[1], undecided
	}
	return a, b, undecided
}

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}
