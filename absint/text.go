package absint

import (
	"strconv"
	"strings"
)

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
