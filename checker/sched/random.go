package sched

import "math/rand/v2"

// Random gives n executions in which each choice is uniform among the enabled
// threads. The same seed gives the same schedules.
func Random(seed uint64, n int) Strategy {
	return &random{rng: rand.New(rand.NewPCG(seed, 0)), left: n}
}

type random struct {
	rng  *rand.Rand
	left int
}

func (s *random) Begin() bool {
	s.left--
	return s.left >= 0
}

func (s *random) Choose(d *Decision) int {
	return d.Enabled[s.rng.IntN(len(d.Enabled))]
}
