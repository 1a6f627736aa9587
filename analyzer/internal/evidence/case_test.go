package evidence

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// TestConfidence: what the answers to the five assumptions make of a violation.
func TestConfidence(t *testing.T) {
	const s, l, a = Shown, Likely, Against
	for _, c := range []struct {
		answers       [5]Answer
		atomic, entry config.Confidence
	}{
		{[5]Answer{s, s, s, s, s}, config.ConfidenceHigh, config.ConfidenceHigh},
		{[5]Answer{s, l, s, s, s}, config.ConfidenceMedium, config.ConfidenceHigh},
		{[5]Answer{s, s, l, s, s}, config.ConfidenceMedium, config.ConfidenceHigh},
		{[5]Answer{s, s, s, l, s}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{s, l, l, s, s}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{s, s, l, l, s}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{l, s, s, s, s}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{s, s, s, s, l}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{l, l, l, l, l}, config.ConfidenceMedium, config.ConfidenceMedium},
		{[5]Answer{s, s, s, s, a}, config.ConfidenceLow, config.ConfidenceLow},
		{[5]Answer{a, l, l, l, l}, config.ConfidenceLow, config.ConfidenceLow},
	} {
		var x Case
		for i, answer := range c.answers {
			x.Support = append(x.Support, Support{Assumption: assumptions[i], Answer: answer})
		}
		x.settle()
		assert.Equal(t, c.atomic, x.Confidence, "%v, an atomic", c.answers)
		x.onMap = true
		x.settle()
		assert.Equal(t, c.entry, x.Confidence, "%v, an entry of a map", c.answers)
	}
}

// TestNewer: a stale delete stands on an entry that somebody puts there, so that the code
// shows both that it comes under the same key, and who puts it there.
func TestNewer(t *testing.T) {
	const s, l = Shown, Likely
	for _, c := range []struct {
		answers [5]Answer
		want    config.Confidence
	}{
		{[5]Answer{s, s, s, s, s}, config.ConfidenceHigh},
		{[5]Answer{s, l, s, s, s}, config.ConfidenceMedium},
		{[5]Answer{s, s, l, s, s}, config.ConfidenceMedium},
	} {
		x := Case{newer: true, onMap: true}
		for i, answer := range c.answers {
			x.Support = append(x.Support, Support{Assumption: assumptions[i], Answer: answer})
		}
		x.settle()
		assert.Equal(t, c.want, x.Confidence, "%v", c.answers)
	}
}

// TestAgainst: a rule takes the place of the answer to its assumption.
func TestAgainst(t *testing.T) {
	x := Case{Support: []Support{{Assumption: Together, Answer: Shown}, {Assumption: Harm, Answer: Shown}}}
	x.replace(Support{Assumption: Harm, Answer: Against, Says: "the same is computed", Rule: "E6"})
	assert.Equal(t, config.ConfidenceLow, x.Confidence)
	assert.Equal(t, Support{Assumption: Harm, Answer: Against, Says: "the same is computed", Rule: "E6"}, x.Support[1])
	assert.Equal(t, Shown, x.Support[0].Answer)
}
