package evidence

import (
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/analyzer/internal/topology"
)

// readsStream is why a violation is not shown that takes two calls of Read on one object.
// Whoever has a stream for himself may still need a lock, or an atomic, for those who fill
// it, close it, or look how far it has come.
func (e *Weigher) readsStream(f *violation) string {
	if f.x.Several || !topology.ReadsOn(f.Fn) || !f.ofReceiver() {
		return ""
	}
	if !e.goneWithout(f, func(s *rivals.Step) bool { return s.Fn != nil && topology.ReadsOn(s.Fn) }) {
		return ""
	}
	return f.Fn.Name() + " goes on where the last call of it has stopped"
}
