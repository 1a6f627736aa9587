package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// drawnEntries is why a violation is not shown that takes somebody who puts an entry
// under a key which he has drawn for it.
func (e *Weigher) drawnEntries(f *violation) string {
	if f.x.Several || f.x.Environment != absint.Package || f.x.Region.Cells[0].Kind != register.Map {
		return ""
	}
	drawn := func(s *rivals.Step) bool { return e.putsUnder(s, originDrawn) }
	if !slices.ContainsFunc(f.x.Rivals, drawn) || !e.goneWithout(f, drawn) {
		return ""
	}
	return "entries are put there under keys that were drawn for them"
}

// putsUnder reports whether a step puts entries into a map, all under keys that are from
// there, and nowhere else.
func (e *Weigher) putsUnder(s *rivals.Step, where origin) bool {
	if e.from == nil {
		e.from = newOrigins(e.ps)
	}
	puts := false
	for _, a := range s.Accesses {
		if s.From == nil || !putsEntry(s.From.Prog, a) {
			continue
		}
		from := e.from.ofOperand(s.From, s.From.Prog.Cells[a.Cell].Key, maxOrigin)
		if from != where {
			return false
		}
		puts = true
	}
	return puts
}
