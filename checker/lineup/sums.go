package lineup

import "time"

// Sums are the figures of the checked tests of one class, as the columns of
// Table 2 of the paper. The zero value is that of no test.
type Sums struct {
	Passed, Failed, NotChecked, Unknown int // tests
	// Phase 1.
	Histories, MostHistories int           // serial ones of all tests, and of the one with most
	Serial, LongestSerial    time.Duration // the same for its time
	// Phase 2.
	PassTime, FailTime time.Duration // of all tests that passed, and that failed
}

// Add takes the result of one more test.
func (s *Sums) Add(r *Result) {
	histories, serial := r.Serial.Full+r.Serial.Stuck, r.Serial.Duration()
	s.Histories, s.MostHistories = s.Histories+histories, max(s.MostHistories, histories)
	s.Serial, s.LongestSerial = s.Serial+serial, max(s.LongestSerial, serial)
	switch r.Verdict {
	case Passed:
		s.Passed++
		s.PassTime += r.Concurrent.Duration()
	case Failed:
		s.Failed++
		s.FailTime += r.Concurrent.Duration()
	case NotChecked:
		s.NotChecked++
	default:
		s.Unknown++
	}
}
