package analyzer

import (
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
)

// Settle takes back what is reported of functions that one goroutine makes all calls of, as
// only all packages of a program can say: it is rule E32 of docs/rules.md. Where no
// two goroutines are seen to come, it leaves medium confidence. The results are those of
// all these packages, made with Options.Callers. Exported says that other programs use what
// they export, and partly that packages are missing: then it is not known that one makes all calls,
// and of two that may come from there none was seen. It returns the extensions that are no
// longer reported.
func Settle(results []*Result, exported, partly bool) []*Extension {
	var all []*callers.Calls
	for _, r := range results {
		if r.Calls == nil {
			partly = true // who knows what this one calls
			continue
		}
		all = append(all, r.Calls)
	}
	g := callers.Join(all, exported, partly)
	var out []*Extension
	for _, r := range results {
		for _, x := range r.Extensions {
			if says := g.One(x.Stands); says != "" && !partly {
				x.settle(says)
				out = append(out, x)
			} else if len(x.Meets) > 0 && !x.attend(g.Meet(x.Meets)) {
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

// attend says how two goroutines were seen to come together, if the package only expected it, or
// leaves it open whether they do. It reports whether they were seen.
func (x *Extension) attend(m callers.Meeting) bool {
	switch {
	case !m.Seen():
		x.Reported, x.Confidence = false, min(x.Confidence, ConfidenceMedium)
		x.together(Evidence{Answer: evidence.Likely.String(), Says: m.String(), Pos: x.Pos})
	case x.Expected:
		x.together(Evidence{Answer: evidence.Shown.String(), Says: m.String(), Pos: x.Pos})
	}
	return m.Seen()
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
