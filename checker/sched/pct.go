package sched

import "math/rand/v2"

// PCT gives n executions by probabilistic concurrency testing (Burckhardt et
// al., ASPLOS'10): threads have random priorities, the one with the highest
// goes on, and at depth-1 random steps the one that runs falls below all
// others. One execution of k steps and t threads finds a bug that takes depth
// ordering constraints with a probability of at least 1/(t * k^(depth-1)). The
// same seed gives the same schedules.
func PCT(seed uint64, n, depth int) Strategy {
	return &pct{rng: rand.New(rand.NewPCG(seed, 1)), left: n, depth: depth}
}

type pct struct {
	rng   *rand.Rand
	left  int
	depth int
	// length is the most steps after which there was a choice: k is not known
	// before.
	length int
	// falls[i] is the step at which the thread that runs gets priority i.
	falls      []int
	priorities map[int]uint64
}

func (s *pct) Begin() bool {
	s.left--
	s.priorities, s.falls = map[int]uint64{}, s.falls[:0]
	for range s.depth - 1 {
		s.falls = append(s.falls, s.rng.IntN(s.length+1))
	}
	return s.left >= 0
}

func (s *pct) Choose(d *Decision) int {
	s.length = max(s.length, d.Step)
	for i, step := range s.falls {
		if step >= 0 && step <= d.Step {
			s.priorities[d.Current] = uint64(i)
			s.falls[i] = -1
		}
	}
	best := d.Enabled[0]
	for _, id := range d.Enabled {
		if s.priority(id) > s.priority(best) {
			best = id
		}
	}
	return best
}

// priority is that of a thread: above all that fall, until it does.
func (s *pct) priority(thread int) uint64 {
	p, ok := s.priorities[thread]
	if !ok {
		p = uint64(s.depth) + s.rng.Uint64()>>1
		s.priorities[thread] = p
	}
	return p
}
