package sched

// Replay gives one execution, which follows the schedule. Where that has
// ended, or cannot be followed, nobody is preempted.
func Replay(schedule Schedule) Strategy { return &replay{schedule: schedule} }

type replay struct {
	schedule Schedule
	begun    bool
}

func (s *replay) Begin() bool {
	first := !s.begun
	s.begun = true
	return first
}

func (s *replay) Choose(d *Decision) int {
	if d.Step >= len(s.schedule) {
		return d.def()
	}
	return s.schedule[d.Step]
}
