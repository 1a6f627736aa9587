package analyzer

import (
	"github.com/mapatom/mapatom/analyzer/internal/callers"
	"github.com/mapatom/mapatom/analyzer/internal/evidence"
)

// Settle takes back what is reported of functions that one goroutine makes all calls of, as
// only all packages of a program can say: it is rule E32 of docs/rules.md. The results are those
// of all these packages, made with Options.Callers. Exported says that other programs
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
			}
		}
	}
	return out
}

func (x *Extension) settle(says string) {
	x.Rule, x.Reason, x.Reported, x.Confidence = evidence.ByOne, says, false, ConfidenceLow
	for i := range x.Evidence {
		if x.Evidence[i].Assumption == evidence.Together.String() {
			x.Evidence[i] = Evidence{Assumption: x.Evidence[i].Assumption, Answer: evidence.Against.String(), Says: says, Pos: x.Pos, Rule: x.Rule}
		}
	}
}
