package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/checker/witness"
)

// summary is what a run comes to: the figures of the paper's Table 2.
type summary struct {
	lineup.Sums
	seed      string // of random tests, in words
	tests     int
	reason    string // why the first unknown one is
	stuck     int    // tests in which a serial execution gets stuck
	stuckNote string
	// Phase 2.
	executions   int
	diverged     int // executions
	cut          int // tests that were not exhausted
	steps, calls int64
	preemptions  string
	smallest     string // dimension of the smallest failing test
}

// summarize adds the results up.
func (l *lining) summarize(checked []*lineup.Result, failing *lineup.Result) *summary {
	s := &summary{tests: len(checked), preemptions: l.words.preemptions}
	if len(l.request.Tests) == 0 && l.request.Auto == 0 {
		s.seed = fmt.Sprintf(" (seed %d)", l.request.Seed)
	}
	for _, r := range checked {
		s.Add(r)
		s.executions += r.Concurrent.Executions
		s.diverged += r.Concurrent.Diverged
		if r.Verdict == lineup.Passed && !r.Concurrent.Exhausted {
			s.cut++
		}
		s.steps += r.Concurrent.Steps
		s.calls += int64(r.Concurrent.Executions * r.Test.Calls())
		if r.Serial.Stuck > 0 {
			s.stuck++
			if s.stuckNote == "" && len(r.Notes) > 0 {
				s.stuckNote = r.Notes[0]
			}
		}
		if r.Verdict == lineup.Unknown && s.reason == "" {
			s.reason = r.Reason
		}
	}
	if failing != nil {
		threads, calls := failing.Test.Dimension()
		s.smallest = fmt.Sprintf("%dx%d", threads, calls)
	}
	return s
}

// text is the summary for a person.
func (s *summary) text(name string) string {
	var out strings.Builder
	if s.Failed > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "%s: %s%s, %d passed, %d failed", name, witness.Count(s.tests, "test"), s.seed, s.Passed, s.Failed)
	if s.Unknown > 0 {
		fmt.Fprintf(&out, ", %d came to no end (%s)", s.Unknown, s.reason)
	}
	fmt.Fprintf(&out, "; %s, %s\n", witness.Count(s.Histories, "serial execution"), witness.Count(s.executions, "concurrent execution"))
	if s.stuck > 0 && s.Failed == 0 {
		fmt.Fprintf(&out, "note: %s can get stuck in a serial execution: %s\n", witness.Count(s.stuck, "test"), s.stuckNote)
	}
	if s.cut > 0 {
		fmt.Fprintf(&out, "note: %s had more schedules than -executions allows\n", witness.Count(s.cut, "test"))
	}
	if s.diverged > 0 {
		fmt.Fprintf(&out, "note: %s did not follow their schedules: the code is not deterministic (hash seeds, random numbers, the order of maps), so that a replay may take several executions\n", witness.Count(s.diverged, "execution"))
	}
	if s.Failed == 0 && s.executions > 0 && s.steps <= s.calls {
		out.WriteString("note: the operations have no steps that the scheduler could switch at: nothing was interleaved. " +
			"Plain memory is seen with -granularity=memory, dependencies with -deps.\n")
	}
	return out.String()
}

// row is the summary as a row of a table in Markdown, with the columns of the
// paper's Table 2: class, smallest failing test, phase 1 histories (average,
// maximum) and time (average, maximum), phase 2 passed, failed, time of one
// that passes, of one that fails, and the bound on preemptions.
func (s *summary) row(name string) string {
	_, class, _ := strings.Cut(name, ".")
	return fmt.Sprintf("| %s | %s | %d | %d | %s | %s | %d | %d | %s | %s | %s |",
		class, s.smallest, s.Histories/max(1, s.tests), s.MostHistories,
		elapsed(s.Serial/time.Duration(max(1, s.tests))), elapsed(s.LongestSerial),
		s.Passed, s.Failed, average(s.PassTime, s.Passed), average(s.FailTime, s.Failed), s.preemptions)
}

func average(total time.Duration, n int) string {
	if n == 0 {
		return ""
	}
	return elapsed(total / time.Duration(n))
}
