package lineup

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
)

// String is the result as a Go test reports it: the test as a matrix and, if
// it failed, the history, the serial histories that come nearest, and the
// schedule. Package report draws pictures of it.
func (r *Result) String() string {
	var out strings.Builder
	out.WriteString(r.Test.Matrix() + "\n")
	if f := r.Failure; f != nil {
		out.WriteString(f.String())
	} else {
		out.WriteString(r.verdict() + "\n")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&out, "note: %s\n", n)
	}
	return out.String()
}

// verdict is the verdict with its reason, or with what was gone through.
func (r *Result) verdict() string {
	if r.Verdict == Passed {
		return r.Verdict.String() + ": " + r.Coverage.String()
	}
	if r.Reason == "" {
		return r.Verdict.String()
	}
	return r.Verdict.String() + ": " + r.Reason
}

// String is the history with what it is to be compared with.
func (f *Failure) String() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", f.Sentence())
	f.History.Print(&out) // a builder takes everything
	fmt.Fprintf(&out, "\n%s", f.Comparison())
	return out.String()
}

// maxWaiting is how many threads of a stuck execution are listed.
const maxWaiting = 12

// Comparison lists the serial histories to compare with, and the schedule.
func (f *Failure) Comparison() string {
	var out strings.Builder
	switch {
	case f.Cause == Nondeterministic:
		out.WriteString("In another serial execution the same calls gave:\n")
	case len(f.Nearest) == 0:
		out.WriteString("There is no serial history of these calls that keeps their order.\n")
	default:
		out.WriteString("The serial histories that come nearest:\n")
	}
	for _, h := range f.Nearest {
		fmt.Fprintf(&out, "    %s\n", inline(h))
	}
	if f.Stuck != "" {
		fmt.Fprintf(&out, "\nThe execution ends in a %s:\n    %s\n", f.Stuck, strings.Join(f.Waiting[:min(len(f.Waiting), maxWaiting)], "\n    "))
	}
	fmt.Fprintf(&out, "\nSchedule, with %s: %s\n", preemptions(f.Preemptions), f.Schedule)
	return out.String()
}

// Sentence says what is wrong.
func (f *Failure) Sentence() string {
	switch f.Cause {
	case Nondeterministic:
		last := &f.History.Operations[len(f.History.Operations)-1]
		return fmt.Sprintf("The same calls, one after the other, do not always give the same: here %s.", done(last))
	case NoStuckWitness:
		o := &f.History.Operations[f.Blocked]
		return fmt.Sprintf("%s of thread %s blocks for ever, and in no serial order of the other calls would it.", o, f.History.Threads[o.Thread])
	}
	return "No serial order of the calls gives these results."
}

func done(o *history.Operation) string {
	if o.Pending() {
		return o.String() + " blocks"
	}
	return o.String()
}

// Inline is a history in a line, with the threads of its operations:
// "A: Get() = 1, B: Inc() blocks".
func inline(h *history.History) string {
	words := make([]string, len(h.Operations))
	for i := range h.Operations {
		o := &h.Operations[i]
		words[i] = h.Threads[o.Thread] + ": " + done(o)
	}
	return strings.Join(words, ", ")
}
