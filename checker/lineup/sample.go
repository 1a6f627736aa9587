package lineup

import (
	"math/rand/v2"
	"slices"

	"github.com/mapatom/mapatom/checker/sched"
)

// sampled runs random schedules with a bounded number of preemptions. It
// takes the place of an enumeration that would not end: among the schedules
// of nine calls there are so many for each order of whole calls that an
// enumeration would be cut off before it had tried a second order.
//
// Where leaving a thread is no preemption, the next one is drawn. Preemptions
// are drawn beforehand among the steps of the execution, as many as it had
// the last time, so that late steps are as likely as early ones.
type sampled struct {
	random      *rand.Rand
	runs        int // executions that are left
	preemptions int
	at          []int // the steps at which the execution is to be preempted
	length      int   // steps of the last execution
}

func newSampled(seed uint64, runs, preemptions int) *sampled {
	return &sampled{random: rand.New(rand.NewPCG(seed, 0)), runs: runs, preemptions: preemptions, length: 1}
}

// Begin draws the steps of the next execution's preemptions.
func (s *sampled) Begin() bool {
	if s.runs == 0 {
		return false
	}
	s.runs--
	s.at = s.at[:0]
	for range s.preemptions {
		s.at = append(s.at, s.random.IntN(s.length))
	}
	s.length = 1
	return true
}

// Choose draws a thread, or stays with the current one.
func (s *sampled) Choose(d *sched.Decision) int {
	s.length = max(s.length, d.Step+1)
	if d.Free || slices.Contains(s.at, d.Step) {
		return d.Enabled[s.random.IntN(len(d.Enabled))]
	}
	return d.Current
}
