package sim

import "math/rand/v2"

// tape records choices, so that a run can be repeated with the last choice
// changed. With a source of randomness, choices are random instead.
type tape struct {
	picks, limits []int
	at            int
	random        *rand.Rand
}

// choose picks one of n.
func (t *tape) choose(n int) int {
	if n < 2 {
		return 0
	}
	if t.at == len(t.picks) {
		pick := 0
		if t.random != nil {
			pick = t.random.IntN(n)
		}
		t.picks, t.limits = append(t.picks, pick), append(t.limits, n)
	}
	t.at++
	return t.picks[t.at-1]
}

// next rewinds the tape and changes its last choice that can be changed;
// it reports whether there is one.
func (t *tape) next() bool {
	t.at = 0
	for i := len(t.picks) - 1; i >= 0; i-- {
		if t.picks[i]+1 < t.limits[i] {
			t.picks, t.limits = t.picks[:i+1], t.limits[:i+1]
			t.picks[i]++
			return true
		}
	}
	return false
}
