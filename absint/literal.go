package absint

import "github.com/mapatom/mapatom/internal/reduce/register"

// plain says the same as l without asking for the answer to a comparison.
func (t *terms) plain(l literal) literal {
	if n := t.of(l.b); n.kind == appTerm && register.IsTest(n.name) {
		l.a, l.b = l.b, l.a
	}
	n := t.of(l.a)
	if n.kind != appTerm || l.b != t.trueT && l.b != t.falseT {
		return l
	}
	holds := (l.b == t.trueT) == l.equal
	switch n.name {
	case "not":
		return t.plain(literal{n.args[0], t.boolean(!holds), true})
	case "eq":
		return t.plain(literal{n.args[0], n.args[1], holds})
	}
	return literal{l.a, t.boolean(holds), true}
}

// isCondition reports whether a literal says nothing about holes.
func (l literal) isCondition(t *terms) bool { return !t.of(l.a).holes && !t.of(l.b).holes }

// maxGiveUps bounds how many weak cas of one atomic run fail though they
// could succeed. More of them are rounds of a retry loop that change nothing.
const maxGiveUps = 2

// choicePoint is the error of a comparison beyond the end of the script.
type choicePoint struct{}

func (*choicePoint) Error() string { return "open choice" }

// both are the two answers to the open question.
func (s *split) both(t *terms) [2]literal {
	l := literal{s.literal.a, s.literal.b, true}
	return [2]literal{l, l.opposite(t)}
}
