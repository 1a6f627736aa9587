package rivals

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Releases reports whether a step takes an entry away and does not end the lease of somebody
// else while it runs. It removes what it has put there itself, where that was put there only if there was
// nothing, or all that there is, as at the end of everything. Else it is somebody who is told a key.
func (w *World) Releases(s *Step) bool {
	if s.From == nil {
		return false
	}
	at, named := s.From.Takes(s.Accesses)
	return len(at) > 0 && (!named || !slices.ContainsFunc(at, func(pos register.Pos) bool { return !w.ends[pos] }))
}
