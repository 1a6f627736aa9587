package sched

// DepthFirst enumerates every schedule, each once.
func DepthFirst() Strategy { return &depthFirst{bound: -1} }

// Bounded enumerates every schedule with at most n preemptions, each once.
// With n = 0 a thread is left only where it is blocked, at a Boundary or at a
// Yield.
func Bounded(n int) Strategy { return &depthFirst{bound: n} }

// depthFirst keeps the path of choices of the last execution, and changes the
// deepest one that has alternatives left.
type depthFirst struct {
	bound int // preemptions; -1 for any number

	path    []choice
	depth   int // how much of the path the execution has followed
	left    int // preemptions that are left
	started bool
}

// choice is a place on the path.
type choice struct {
	order []int // the alternatives, in the order in which they are tried
	at    int   // the one that is tried
	free  bool  // leaving order[0] is no preemption
}

func (s *depthFirst) Begin() bool {
	s.depth, s.left = 0, s.bound
	if !s.started {
		s.started = true
		return true
	}
	for n := len(s.path) - 1; n >= 0; n-- {
		if c := &s.path[n]; c.at+1 < len(c.order) {
			c.at++
			s.path = s.path[:n+1]
			return true
		}
	}
	return false
}

func (s *depthFirst) Choose(d *Decision) int {
	if s.depth == len(s.path) {
		s.path = append(s.path, choice{order: s.alternatives(d), free: d.Free})
	}
	c := &s.path[s.depth]
	s.depth++
	if c.at > 0 && !c.free {
		s.left--
	}
	return c.order[c.at]
}

// alternatives are the threads that may go on, the one that preempts nobody
// first.
func (s *depthFirst) alternatives(d *Decision) []int {
	first := d.def()
	order := make([]int, 1, len(d.Enabled))
	order[0] = first
	if s.left == 0 && !d.Free {
		return order
	}
	for _, id := range d.Enabled {
		if id != first {
			order = append(order, id)
		}
	}
	return order
}
