package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Evidence is what the code says of one assumption that a finding makes.
type Evidence struct {
	// Assumption is W1 to W5, and Answer shown, likely or against.
	Assumption, Answer string
	// Says is why, and Place where; a Place without a file is none.
	Says  string
	Place Place
	// Rule is the number of the rule that speaks against it.
	Rule string
}

// at is where the evidence is; empty if it is nowhere, or where the finding is.
func (f *Finding) at(p Place) string {
	isHere := func(op Operation) bool { return op.Place.File == p.File && op.Place.Line == p.Line }
	switch {
	case p.File == "", slices.ContainsFunc(f.Operations, isHere):
		return ""
	case p.File == f.Place.File:
		return fmt.Sprintf(" (line %d)", p.Line)
	}
	return fmt.Sprintf(" (%s:%d)", filepath.Base(p.File), p.Line)
}

// Why is a line that says what there is for a finding; empty if it is not about a step
// that is not atomic.
func (f *Finding) Why() string {
	var parts []string
	for _, answer := range []string{"shown", "likely", "against"} {
		var says []string
		for i := range f.Evidence {
			if e := &f.Evidence[i]; e.Answer == answer {
				says = append(says, e.Says+f.at(e.Place))
			}
		}
		if len(says) > 0 {
			parts = append(parts, introductions[answer]+strings.Join(says, "; "))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("why this is reported: %s [confidence: %s]", strings.Join(parts, "; "), f.Confidence)
}

// introductions say which answers follow.
var introductions = map[string]string{"shown": "", "likely": "likely: ", "against": "but: "}

// ranks are how sure the finding is, for formats that have a number from 0 to 100.
var ranks = map[string]float64{"high": 90, "medium": 60, "low": 20}
