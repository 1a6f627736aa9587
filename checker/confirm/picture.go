package confirm

import (
	"strings"

	"github.com/mapatom/mapatom/checker/confirm/trial"
	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/witness"
)

// threads are the names of the thread with the extension and the other one.
var threads = [...]string{"A", "B"}

// Picture is the history of a finding that is confirmed, nil of any other.
func (r *Result) Picture() *witness.Picture {
	h := r.History
	if h == nil {
		return nil
	}
	p := &witness.Picture{
		Title: r.Finding.Function, Verdict: string(r.Verdict), Reason: r.Reason, Threads: threads[:],
	}
	for i := range h.Calls {
		p.Operations = append(p.Operations, r.operation(&h.Calls[i]))
	}
	p.Notes = r.notes()
	return p
}

// operation is one call, with the base operations of the extension in it.
func (r *Result) operation(o *trial.Operation) witness.Operation {
	op := witness.Operation{
		Thread: threads[o.Thread], Method: o.Name, Args: o.Args, Results: results(o.Result),
		Call: int64(o.Begin), Return: witness.Instant(o.End),
	}
	if o.End < 0 {
		op.Return, op.Results = witness.Instant(history.Pending), nil
	}
	for _, s := range o.Steps {
		op.Inner = append(op.Inner, witness.Operation{
			Thread: op.Thread, Method: r.nameAt(s.Line), Line: s.Line, Call: int64(s.At), Return: witness.Instant(s.At),
		})
	}
	return op
}

// nameAt is what the source calls on a line.
func (r *Result) nameAt(line int) string {
	for _, op := range r.Finding.Operations {
		if op.Line == line {
			return op.Name
		}
	}
	return "step"
}

// results are the members of a JSON array as it is printed.
func results(text string) []string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	if text == "" {
		return nil
	}
	return []string{text}
}

// notes say what the cells held in the end, and what each serial execution
// gives.
func (r *Result) notes() []string {
	var notes []string
	if held := holds(r.History.Final); held != "" {
		notes = append(notes, "in the end "+held)
	}
	for _, s := range r.Serial {
		var calls []string
		for _, i := range s.Order {
			o := &r.History.Calls[i]
			text := threads[o.Thread] + " " + o.Text()
			if shown := results(s.Results[i]); shown != nil {
				text += " = " + shown[0]
			}
			calls = append(calls, text)
		}
		note := "serial: " + strings.Join(calls, "; ")
		if held := holds(s.Final); held != "" {
			note += "; then " + held
		}
		notes = append(notes, note)
	}
	return notes
}

// holds says what the cells hold.
func holds(final []string) string {
	var held []string
	for _, text := range final {
		if text == "[]" {
			held = append(held, "nothing")
			continue
		}
		held = append(held, results(text)...)
	}
	switch len(held) {
	case 0:
		return ""
	case 1:
		return "the cell holds " + held[0]
	}
	return "the cells hold " + strings.Join(held, ", ")
}
