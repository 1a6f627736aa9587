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
	drawn := e.drawsKeys(f)
	if drawn == nil || !e.goneWithout(f, drawn) {
		return ""
	}
	return "entries are put there under keys that were drawn for them"
}

// drawsKeys tells the steps that put entries under such keys; nil if there are none.
func (e *Weigher) drawsKeys(f *violation) keeper {
	if f.x.Environment != absint.Package || f.x.Region.Cells[0].Kind != register.Map {
		return nil
	}
	drawn := func(s *rivals.Step) bool { return e.putsUnder(s, originDrawn) }
	if f.x.Several || !slices.ContainsFunc(f.x.Rivals, drawn) {
		return nil
	}
	return drawn
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
		key := s.From.Prog.Cells[a.Cell].Key
		if mixed(e.from.ofOperand(s.From, key, maxOrigin)|e.ofKeys(s, a)) != where {
			return false
		}
		puts = true
	}
	return puts
}

// ofKeys is where the keys are from that the calls of an access are given, as the source
// has them: what the program has of a key that is made of many bytes is not followed.
func (e *Weigher) ofKeys(s *rivals.Step, a *register.Access) origin {
	var out origin
	for _, pos := range s.From.Positions([]*register.Access{a}) {
		call := e.callAt(pos)
		if call == nil || call.Signature().Recv() == nil {
			return 0
		}
		args := call.Args
		if !call.IsInvoke() {
			args = args[1:]
		}
		if len(args) == 0 {
			return 0
		}
		out |= e.from.of(args[0], maxOrigin)
	}
	return out
}
