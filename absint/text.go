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

// withoutEnd is the rest of the concatenation x that equals sum, and what it is; noTerm
// twice if nothing is known of them.
func (t *terms) withoutEnd(x, sum term) (rest, is term) {
	j, ok := t.joined(x)
	s, known := t.text(sum)
	if !ok || !known {
		return noTerm, noTerm
	}
	if s, ok = j.cut(s); !ok {
		return noTerm, noTerm // distinct says so
	}
	return j.rest, t.lit(strconv.Quote(s))
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
	if s, is := t.text(b); is {
		rest, fits := j.cut(s)
		if !fits {
			return t.falseT
		}
		return t.apply(function{name: "eq"}, []term{j.rest, t.lit(strconv.Quote(rest))})
	}
	if b == j.rest {
		return t.boolean(j.end == "")
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
