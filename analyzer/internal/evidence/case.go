package evidence

import (
	"go/token"
	"slices"

	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// A violation is a bug if five things are so. None of them is proven; for each there is
// what the code shows of it.
//
// This is how a race detector can have theorems about true reports: say what a report
// takes for granted, and make it only where the code gives grounds for that (Gorogiannis,
// O'Hearn and Sergey, "A True Positives Theorem for a Static Race Detector", POPL 2019).

// Assumption is one of the five.
type Assumption int

const (
	// None is that of a rule which is about no assumption: what users do not want to
	// hear of.
	None Assumption = iota
	// Together: two goroutines can be in these functions at once, on one object.
	Together
	// SameCell: they come to one cell, with keys that can be equal.
	SameCell
	// Rival: the step that comes in between exists, and can come then.
	Rival
	// Unserialized: nothing makes one wait for the other.
	Unserialized
	// Harm: somebody can tell afterwards, and minds.
	Harm
)

// assumptions are all five.
var assumptions = []Assumption{Together, SameCell, Rival, Unserialized, Harm}

// String is the number of the assumption, as docs/verdicts.md has it.
func (a Assumption) String() string {
	return [...]string{"-", "W1", "W2", "W3", "W4", "W5"}[a]
}

// Answer is what the code says of an assumption.
type Answer int

const (
	// Likely: nothing speaks against it, and nothing in the code says it.
	Likely Answer = iota
	// Shown: a place in the code says it.
	Shown
	// Against: a rule says that it is not so.
	Against
)

// String is the answer as it is printed.
func (a Answer) String() string { return [...]string{"likely", "shown", "against"}[a] }

// Support is the answer to one assumption, with what gives it.
type Support struct {
	Assumption Assumption
	Answer     Answer
	// Says is why, in a few words, and Pos where in the code; NoPos if no one place
	// gives the answer.
	Says string
	Pos  token.Pos
	// Rule is the number of the rule that speaks against it, or leaves it open.
	Rule string
	// unfollowed says that what it is about comes from code that is not followed, or is left
	// open by a rule.
	unfollowed bool
	// expected says that two goroutines are only expected, because of what the object is, or
	// what is done to it: not that any were seen.
	expected bool
	// by is what kind of thing shows it, where a rule asks for that.
	by kind
}

// shows is a Support with the kind of thing that shows it.
func (s Support) shows(k kind) Support {
	s.by = k
	return s
}

// kinds are those of what shows something.
func (c *Case) kinds() map[kind]bool {
	out := map[kind]bool{}
	for _, s := range c.Support {
		out[s.by] = s.Answer == Shown
	}
	return out
}

// Case is what there is for a violation, and against it.
type Case struct {
	// Support has one answer for each assumption, in their order.
	Support    []Support
	Confidence config.Confidence
	// newer says that all stands on a newer entry under the same key, which therefore
	// has to be shown, and who puts it there.
	newer bool
	// onMap says that it is about an entry of a map.
	onMap bool
}

// Shows reports whether the code shows an assumption.
func (c *Case) Shows(a Assumption) bool {
	return slices.ContainsFunc(c.Support, func(s Support) bool { return s.Assumption == a && s.Answer == Shown })
}

// settle finds the confidence: low if a rule speaks against the violation, and high if
// the code shows enough. On a map one of these may be likely only: which object it is, and
// which step, because the interleaving has found them; not of keys of which nothing is known, which are of one object or of one task
// each more often than not. That goroutines come together, that no lock keeps them apart, and that it matters, is what reports fail by.
// Of an atomic, or a field, all five are shown: such code is often made by people who know
// what may come in between.
func (c *Case) settle() {
	unsure, weak := false, 0
	for _, s := range c.Support {
		switch {
		case s.Answer == Against:
			c.Confidence = config.ConfidenceLow
			return
		case s.Answer == Shown:
			continue
		case (s.Assumption == SameCell || s.Assumption == Rival) && !s.unfollowed && c.onMap && !c.newer:
			weak++
		default:
			unsure = true
		}
	}
	c.Confidence = config.ConfidenceHigh
	if unsure || weak > 1 {
		c.Confidence = config.ConfidenceMedium
	}
}

// replace replaces the answer to an assumption by that of a rule.
func (c *Case) replace(by Support) {
	for i := range c.Support {
		if c.Support[i].Assumption == by.Assumption {
			c.Support[i] = by
		}
	}
	c.settle()
}

// expectsSeveral reports whether several goroutines were only expected.
func (c *Case) expectsSeveral() bool {
	return slices.ContainsFunc(c.Support, func(s Support) bool { return s.Assumption == Together && s.expected })
}
