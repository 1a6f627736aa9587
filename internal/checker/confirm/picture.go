package confirm

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
	"github.com/mapatom/mapatom/internal/checker/witness"
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
			Thread: op.Thread, Method: cmp.Or(s.Name, "step"), Line: s.Line, Call: int64(s.At), Return: witness.Instant(s.At),
		})
	}
	return op
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
	if held := holds(r.History.Final, r.deep(r.History.Deep)); held != "" {
		notes = append(notes, "in the end "+held)
	}
	var told []string // the calls afterwards
	for i, op := range r.History.After {
		if r.differs(i) {
			told = append(told, op.Text()+gives(op.Result))
		}
	}
	if len(told) > 0 {
		notes = append(notes, "afterwards "+strings.Join(told, "; "))
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
		for i, op := range r.History.After {
			if r.differs(i) {
				calls = append(calls, "afterwards "+op.Text()+gives(s.After[i]))
			}
		}
		note := "serial: " + strings.Join(calls, "; ")
		if held := holds(s.Final, r.deep(s.Deep)); held != "" {
			note += "; then " + held
		}
		notes = append(notes, note)
	}
	return notes
}

// differs reports whether a call afterwards gave what it gives after no serial
// execution, or nothing before it tells the history from one of them.
func (r *Result) differs(i int) bool {
	every := true
	for _, s := range r.Serial {
		if s.After[i] == r.History.After[i].Result {
			every = false
		} else if r.returnsAs(&s) && slices.Equal(s.Final, r.History.Final) {
			return true
		}
	}
	return every
}

// deep is what is behind the pointers of the cells, if nothing else tells the
// history from every serial execution.
func (r *Result) deep(behind []string) []string {
	h := r.History
	for _, s := range r.Serial {
		if slices.Equal(s.Final, h.Final) && !slices.Equal(s.Deep, h.Deep) && r.agrees(&s) {
			return behind
		}
	}
	return nil
}

// returnsAs reports whether the calls return in a serial execution what they returned.
func (r *Result) returnsAs(s *trial.Observation) bool {
	for i := range r.History.Calls {
		if s.Results[i] != r.History.Calls[i].Result {
			return false
		}
	}
	return true
}

// agrees reports whether a serial execution has the results of the history, and what came
// of it afterwards.
func (r *Result) agrees(s *trial.Observation) bool {
	if !r.returnsAs(s) {
		return false
	}
	for i := range r.History.After {
		if s.After[i] != r.History.After[i].Result {
			return false
		}
	}
	return true
}

// gives is a result after its call.
func gives(result string) string {
	if shown := results(result); shown != nil {
		return " = " + shown[0]
	}
	return ""
}

// holds says what the cells hold.
func holds(final, deep []string) string {
	var held []string
	for i, text := range final {
		if text == "[]" {
			held = append(held, "nothing")
			continue
		}
		for _, value := range results(text) {
			if i < len(deep) && deep[i] != "" {
				value += " = " + deep[i]
			}
			held = append(held, value)
		}
	}
	switch len(held) {
	case 0:
		return ""
	case 1:
		return "the cell holds " + held[0]
	}
	return "the cells hold " + strings.Join(held, ", ")
}
