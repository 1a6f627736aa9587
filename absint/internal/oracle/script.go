package oracle

// script makes a series of choices such that repeating it, with advance in
// between, makes every possible series once. The series may be of any
// shape, as long as equal choices so far lead to an equal next question.
type script struct {
	picks, limits []int
	at            int
}

// pick chooses a number below n.
func (s *script) pick(n int) int {
	if n <= 1 {
		return 0
	}
	if s.at == len(s.picks) {
		s.picks = append(s.picks, 0)
		s.limits = append(s.limits, n)
	}
	s.at++
	return s.picks[s.at-1]
}

// advance goes to the next series, and reports whether there is one. After
// the last it starts over.
func (s *script) advance() bool {
	// What was not asked for in this round is not part of its series.
	last := s.at - 1
	s.at = 0
	for ; last >= 0; last-- {
		if s.picks[last]+1 < s.limits[last] {
			s.picks[last]++
			break
		}
	}
	s.picks, s.limits = s.picks[:last+1], s.limits[:last+1]
	return last >= 0
}
