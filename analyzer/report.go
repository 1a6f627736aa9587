package analyzer

import (
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/mapatom/mapatom/internal/pages"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// diagnostic is the message for a violated extension.
func diagnostic(x *Extension) analysis.Diagnostic {
	d := analysis.Diagnostic{
		Pos: x.Pos, End: x.End,
		Category: string(x.Category),
		Message:  x.Message,
		URL:      pageURL(x.Category),

		SuggestedFixes: x.Fixes,
	}
	for _, op := range x.Operations {
		if op.Pos != x.Pos {
			d.Related = append(d.Related, analysis.RelatedInformation{
				Pos: op.Pos, End: op.End,
				Message: fmt.Sprintf("%s is another part of the step that is meant to be atomic", op.spoken()),
			})
		}
	}
	return d
}

// message says what another goroutine can do to the step, and what would
// make it safe.
func (x *Extension) message() string {
	if x.Guard != "" {
		return fmt.Sprintf("%s; %s (%s)", x.released(), x.Repair, pages.Label(string(x.Category)))
	}
	return fmt.Sprintf("%s; %s (%s)", x.mistake(), x.Repair, pages.Label(string(x.Category)))
}

// breaking is the name of the operation that the report is about.
func (x *Extension) breaking() string {
	for _, op := range x.Operations {
		if op.Pos == x.Pos {
			return op.Name
		}
	}
	return "the operation"
}

// before is the name of the operation whose outcome was outdated: the call's
// last one before the other goroutine came in.
func (x *Extension) before() string {
	name := ""
	for i, ev := range x.Witness.Events {
		if i >= x.Witness.Breaking {
			break
		}
		if !ev.Other {
			if op := x.operationAt(ev.Pos); op != "" {
				name = op
			}
		}
	}
	if name == "" {
		name = x.Operations[0].Name
	}
	return name
}

func (x *Extension) operationAt(pos register.Pos) string {
	i := slices.IndexFunc(x.Operations, func(op Operation) bool { return op.at == pos })
	if i < 0 {
		return ""
	}
	return x.Operations[i].Name
}
