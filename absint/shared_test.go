package absint

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// doublings are how often a term is made of two of the one before: written out it would be of more
// parts than anybody can go through.
const doublings = 100

// TestSharedTerms: what is in a term many times is replaced once.
func TestSharedTerms(t *testing.T) {
	ts := newTerms()
	double := func(x term) term {
		for range doublings {
			x = ts.apply(function{name: "pair"}, []term{x, x})
		}
		return x
	}
	a, b := ts.sym("a", false, nil), ts.sym("b", false, nil)
	r := &renaming{terms: ts, by: map[term]term{a: b}}
	assert.Equal(t, double(b), r.term(double(a)))
	assert.Equal(t, double(b), r.term(double(b)), "nothing to replace")

	hole := ts.hole(holeAny, "some", nil)
	assert.Equal(t, double(a), ts.subst(double(hole), hole, a))

	x := &explainer{engine: &engine{terms: ts}}
	assert.Equal(t, double(a), x.folded(double(a)))
}
