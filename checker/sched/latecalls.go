package sched

// LateCalls has a strategy choose but where a thread has just begun an
// operation of a test, which goes on to its first step. Between the two it
// does nothing that others see; and the later an operation begins, the more of
// the others have returned before it, so that whoever looks for results that no
// order of the operations gives misses none.
func LateCalls(s Strategy) Strategy { return &lateCalls{s} }

type lateCalls struct{ Strategy }

func (s *lateCalls) Choose(d *Decision) int {
	if d.entered() {
		return d.Current
	}
	return s.Strategy.Choose(d)
}
