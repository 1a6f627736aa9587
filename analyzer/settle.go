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
			} else if len(x.Keys) > 0 && !partly && !g.Share(x.Keys) {
				x.leave(evidence.SameCell, Evidence{Says: evidence.OwnKeySays, Rule: evidence.OwnKey})
				out = append(out, x)
			}
		}
	}
	return out
}

func (x *Extension) settle(says string) {
	x.Rule, x.Reason, x.Reported, x.Confidence = evidence.ByOne, says, false, ConfidenceLow
	x.answer(evidence.Together, Evidence{Answer: evidence.Against.String(), Says: says, Pos: x.Pos, Rule: x.Rule})
}

// leave leaves an assumption open.
func (x *Extension) leave(a evidence.Assumption, e Evidence) {
	x.Reported, x.Confidence = false, min(x.Confidence, ConfidenceMedium)
	e.Answer, e.Pos = evidence.Likely.String(), x.Pos
	x.answer(a, e)
}

// attend says how two goroutines were seen to come together, if the package only expected it, or
// leaves it open whether they do. It reports whether they were seen.
func (x *Extension) attend(m callers.Meeting) bool {
	switch {
	case !m.Seen():
		x.leave(evidence.Together, Evidence{Says: m.String()})
	case x.Expected:
		x.answer(evidence.Together, Evidence{Answer: evidence.Shown.String(), Says: m.String(), Pos: x.Pos})
	}
	return m.Seen()
}

// answer replaces what there is for an assumption.
func (x *Extension) answer(a evidence.Assumption, e Evidence) {
	for i := range x.Evidence {
		if x.Evidence[i].Assumption == a.String() {
			e.Assumption = x.Evidence[i].Assumption
			x.Evidence[i] = e
		}
	}
}
