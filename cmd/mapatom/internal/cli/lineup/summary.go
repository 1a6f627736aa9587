package lineup

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// summary is what a run comes to: the figures of the paper's Table 2.
type summary struct {
	lineup.Sums
	seed      string // of random tests, in words
	tests     int
	reason    string // why the first unknown one is
	unchecked string // why the first that was not checked was not
	coverage  []coverage
	equal     float64 // schedules that need not be run
	stuck     int     // tests in which a serial execution gets stuck
	stuckNote string
	// Phase 2.
	executions  int
	diverged    int // executions
	preemptions string
	smallest    string // dimension of the smallest failing test
}

// summarize adds the results up.
func (l *lining) summarize(checked []*lineup.Result, failing *lineup.Result) *summary {
	s := &summary{tests: len(checked), preemptions: cmp.Or(l.words.preemptions, strconv.Itoa(lineup.DefaultPreemptions))}
	if len(l.request.Tests) == 0 && l.request.Auto == 0 {
		s.seed = fmt.Sprintf(" (seed %d)", l.request.Seed)
	}
	for _, r := range checked {
		s.Add(r)
		s.executions += r.Concurrent.Executions
		s.diverged += r.Concurrent.Diverged
		s.equal += r.Coverage.Equal
		if r.Verdict == lineup.Passed {
			s.covered(r.Coverage)
		}
		if r.Serial.Stuck > 0 {
			s.stuck++
			if s.stuckNote == "" && len(r.Notes) > 0 {
				s.stuckNote = r.Notes[0]
			}
		}
		if r.Verdict == lineup.Unknown && s.reason == "" {
			s.reason = r.Reason
		}
		if r.Verdict == lineup.NotChecked && s.unchecked == "" {
			s.unchecked = r.Reason
		}
	}
	if failing != nil {
		threads, calls := failing.Test.Dimension()
		s.smallest = fmt.Sprintf("%dx%d", threads, calls)
	}
	return s
}

// coverage is what a number of tests that passed have in common.
type coverage struct {
	text             string
	tests            int
	points, overlaps int // the most
}

// covered adds the coverage of a test that passed.
func (s *summary) covered(c lineup.Coverage) {
	text := c.String()
	i := slices.IndexFunc(s.coverage, func(x coverage) bool { return x.text == text })
	if i < 0 {
		i = len(s.coverage)
		s.coverage = append(s.coverage, coverage{text: text})
	}
	x := &s.coverage[i]
	x.tests, x.points, x.overlaps = x.tests+1, max(x.points, c.Points), max(x.overlaps, c.Interleaved)
}

// passed says what was gone through of the tests that passed, the most common
// first.
func (s *summary) passed() string {
	var out strings.Builder
	slices.SortStableFunc(s.coverage, func(x, y coverage) int { return y.tests - x.tests })
	for _, c := range s.coverage {
		fmt.Fprintf(&out, "  %d passed: %s; up to %s to be interrupted at\n", c.tests, c.text, witness.Count(c.points, "step"))
	}
	if s.equal >= 1 {
		fmt.Fprintf(&out, "  %.4g schedules were not run that differ from one that was only in the order of steps which have nothing to do with each other\n", s.equal)
	}
	return out.String()
}

// text is the summary for a person.
func (s *summary) text(name string) string {
	var out strings.Builder
	if s.Failed > 0 {
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "%s: %s%s, %d passed, %d failed", name, witness.Count(s.tests, "test"), s.seed, s.Passed, s.Failed)
	if s.NotChecked > 0 {
		fmt.Fprintf(&out, ", %d not checked (%s)", s.NotChecked, s.unchecked)
	}
	if s.Unknown > 0 {
		fmt.Fprintf(&out, ", %d came to no end (%s)", s.Unknown, s.reason)
	}
	fmt.Fprintf(&out, "; %s, %s\n", witness.Count(s.Histories, "serial execution"), witness.Count(s.executions, "concurrent execution"))
	out.WriteString(s.passed())
	if s.stuck > 0 && s.Failed == 0 {
		fmt.Fprintf(&out, "note: %s can get stuck in a serial execution: %s\n", witness.Count(s.stuck, "test"), s.stuckNote)
	}
	if s.diverged > 0 {
		fmt.Fprintf(&out, "note: %s did not follow their schedules: the code is not deterministic (hash seeds, random numbers, the order of maps), so that a replay may take several executions\n", witness.Count(s.diverged, "execution"))
	}
	if s.NotChecked > 0 {
		out.WriteString("note: plain memory is seen with -granularity=memory, dependencies with -deps\n")
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
		cli.Elapsed(s.Serial/time.Duration(max(1, s.tests))), cli.Elapsed(s.LongestSerial),
		s.Passed, s.Failed, average(s.PassTime, s.Passed), average(s.FailTime, s.Failed), s.preemptions)
}

func average(total time.Duration, n int) string {
	if n == 0 {
		return ""
	}
	return cli.Elapsed(total / time.Duration(n))
}
