package evidence

import (
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
)

// What would interrupt a step may be kept away by more than one thing:
//
//	func (s *session) run() {            // the only goroutine that works with the session
//		for m := range s.in {
//			if w, ok := s.take(m.ID); ok { w.done(m); s.drop(m.ID) }
//		}
//	}
//
//	func (s *session) Ask(q string) *waiter { return s.put(s.next.Add(1), q) } // a number of its own
//
// Neither says that alone: Ask is called by others, and run stores under numbers that come from
// somewhere else.

// keeper tells the steps that something keeps away from a violation.
type keeper func(*rivals.Step) bool

// keepers are all that keep some steps away from a violation.
func (e *Weigher) keepers(f *violation) []keeper {
	locks, _ := e.holdsAlike(f)
	if f.x.Environment != absint.Package {
		locks = nil
	}
	all := []keeper{e.runsWith(f), e.consumedWith(f), locks, e.drawsKeys(f), e.sharesQueue(f), e.racesWith(f), e.locksOut(f), e.sharesFlight(f)}
	return slices.DeleteFunc(all, func(k keeper) bool { return k == nil })
}

// keptApart is why a violation is not shown that is gone without all that something keeps away, one
// this and another that.
func (e *Weigher) keptApart(f *violation) string {
	all := e.keepers(f)
	if f.x.Several || len(all) < 2 {
		return ""
	}
	if !e.goneWithout(f, func(s *rivals.Step) bool { return slices.ContainsFunc(all, func(k keeper) bool { return k(s) }) }) {
		return ""
	}
	return "each of those who would interrupt it is kept away, by one thing or another"
}
