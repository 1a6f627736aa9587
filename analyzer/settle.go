package analyzer

import (
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
)

// Settle takes back what is reported of functions that one goroutine makes all calls of, as
// only all packages of a program can say: it is rule E32 of docs/rules.md. Where several
// goroutines are expected, and none are seen to come, it leaves medium confidence. The results are
// those of all these packages, made with Options.Callers. Exported says that other programs
// use what they export. It returns the extensions that are no longer reported.
func Settle(results []*Result, exported bool) []*Extension {
	var all []*callers.Calls
	for _, r := range results {
		if r.Calls == nil {
			return nil // who knows what this one calls
		}
		all = append(all, r.Calls)
	}
	g := callers.Join(all, exported)
	var out []*Extension
	for _, r := range results {
		for _, x := range r.Extensions {
			if says := g.One(x.Stands); says != "" {
				x.settle(says)
				out = append(out, x)
			} else if len(x.Meets) > 0 && !g.Meet(x.Meets) {
				x.doubt("nobody in the program is seen to call it while another one may")
				out = append(out, x)
			}
		}
	}
	return out
}

func (x *Extension) settle(says string) {
	x.Rule, x.Reason, x.Reported, x.Confidence = evidence.ByOne, says, false, ConfidenceLow
	x.together(Evidence{Answer: evidence.Against.String(), Says: says, Pos: x.Pos, Rule: x.Rule})
}

// doubt leaves it open whether two goroutines come together.
func (x *Extension) doubt(says string) {
	x.Reported, x.Confidence = false, min(x.Confidence, ConfidenceMedium)
	x.together(Evidence{Answer: evidence.Likely.String(), Says: says, Pos: x.Pos})
}

// together replaces what there is for it that two goroutines come together.
func (x *Extension) together(e Evidence) {
	for i := range x.Evidence {
		if x.Evidence[i].Assumption == evidence.Together.String() {
			e.Assumption = x.Evidence[i].Assumption
			x.Evidence[i] = e
		}
	}
}
