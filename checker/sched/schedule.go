package sched

import (
	"fmt"
	"strconv"
	"strings"
)

// Schedule is the thread that took each step. Threads of the program come
// first, then goroutines in the order in which they were started; [Clock]
// stands for time that passes.
type Schedule []int

// Clock is the number of what is not a thread: time passes until a timer
// fires.
const Clock = -1

// maxParsed bounds the length of a schedule that is read: a repetition like
// A999999999 is a typing error.
const maxParsed = 1 << 20

// ThreadName returns A for thread 0, Z for 25, AA for 26, and ~ for Clock.
func ThreadName(thread int) string {
	if thread < 0 {
		return "~"
	}
	name := ""
	for n := thread + 1; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// String returns the schedule in runs: "A3 B2 A" is three steps of thread A,
// two of B, one of A. The schedule without steps is "-".
func (s Schedule) String() string {
	if len(s) == 0 {
		return "-"
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		n := 1
		for i+n < len(s) && s[i+n] == s[i] {
			n++
		}
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(ThreadName(s[i]))
		if n > 1 {
			b.WriteString(strconv.Itoa(n))
		}
		i += n
	}
	return b.String()
}

// Parse reads what [Schedule.String] writes.
func Parse(text string) (Schedule, error) {
	if strings.TrimSpace(text) == "-" {
		return Schedule{}, nil
	}
	var s Schedule
	for i, field := range strings.Fields(text) {
		thread, n, err := parseRun(field)
		if err != nil {
			return nil, fmt.Errorf("schedule, run %d: %w", i+1, err)
		}
		if len(s)+n > maxParsed {
			return nil, fmt.Errorf("schedule, run %d: more than %d steps", i+1, maxParsed)
		}
		for range n {
			s = append(s, thread)
		}
	}
	if s == nil {
		return nil, fmt.Errorf("schedule: found nothing, want runs like %q", "A3 B2 A")
	}
	return s, nil
}

func parseRun(field string) (thread, n int, err error) {
	name := strings.TrimRight(field, "0123456789")
	n = 1
	if digits := field[len(name):]; digits != "" {
		if n, err = strconv.Atoi(digits); err != nil || n < 1 || n > maxParsed {
			return 0, 0, fmt.Errorf("found %q, want a count from 1 to %d after the thread", field, maxParsed)
		}
	}
	if name == "~" {
		return Clock, n, nil
	}
	for _, r := range name {
		if r < 'A' || r > 'Z' || len(name) > 3 {
			name = ""
			break
		}
		thread = thread*26 + int(r-'A') + 1
	}
	if name == "" {
		return 0, 0, fmt.Errorf("found %q, want a thread (A, B, ... or ~) and a count, as in A3", field)
	}
	return thread - 1, n, nil
}
