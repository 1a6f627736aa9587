package lineup

import (
	"fmt"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/witness"
)

// Text is the result for a person: the test as a matrix and, if it failed,
// the history as a picture, the serial histories that come nearest, and the
// schedule.
func (r *Result) Text(opts witness.TextOptions) string {
	var out strings.Builder
	out.WriteString(r.Test.Matrix())
	out.WriteByte('\n')
	if f := r.Failure; f != nil {
		out.WriteString(f.text(opts))
	} else {
		fmt.Fprintf(&out, "%s%s\n", r.Verdict, colon(r.Reason))
	}
	for _, n := range r.Notes {
		fmt.Fprintf(&out, "note: %s\n", n)
	}
	return out.String()
}

func colon(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

func (f *Failure) text(opts witness.TextOptions) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", f.Sentence())
	out.WriteString(f.Picture().Text(opts))
	out.WriteByte('\n')
	switch {
	case f.Cause == Nondeterministic:
		out.WriteString("In another serial execution the same calls gave:\n")
	case len(f.Nearest) == 0:
		out.WriteString("There is no serial history of these calls that keeps their order.\n")
	default:
		out.WriteString("The serial histories that come nearest:\n")
	}
	for _, h := range f.Nearest {
		fmt.Fprintf(&out, "    %s\n", Inline(h))
	}
	fmt.Fprintf(&out, "Schedule (%s): %s\n", witness.Count(f.Preemptions, "preemption"), f.Schedule)
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

// Picture is the history that cannot be explained.
func (f *Failure) Picture() *witness.Picture {
	p := witness.FromHistory(f.History)
	p.Kind, p.Verdict, p.Reason = "", "violation", f.Sentence()
	if f.Blocked >= 0 {
		p.Core = []int{f.Blocked}
	}
	return p
}

// Pictures are the test's failing history and the serial ones that come
// nearest, for a page.
func (r *Result) Pictures(title string) []*witness.Picture {
	if r.Failure == nil {
		return nil
	}
	first := r.Failure.Picture()
	first.Title = title
	first.Notes = append(first.Notes, "Test: "+r.Test.String(), "Schedule: "+r.Failure.Schedule)
	all := []*witness.Picture{first}
	for i, h := range r.Failure.Nearest {
		p := witness.FromHistory(h)
		p.Kind, p.Title = "", fmt.Sprintf("%s: serial history %d", title, i+1)
		all = append(all, p)
	}
	return all
}

// Inline is a history in a line, with the threads of its operations:
// "A: Get() = 1, B: Inc() blocks".
func Inline(h *history.History) string {
	words := make([]string, len(h.Operations))
	for i := range h.Operations {
		o := &h.Operations[i]
		words[i] = h.Threads[o.Thread] + ": " + done(o)
	}
	return strings.Join(words, ", ")
}
