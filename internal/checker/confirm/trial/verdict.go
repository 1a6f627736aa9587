package trial

import (
	"context"
	"fmt"
	"strings"
)

// report sums up.
func (s *search) report(ctx context.Context, err error) *Report {
	r := &Report{Verdict: NotConfirmed, Executions: s.executions}
	switch {
	case s.proof != nil:
		s.confirm(r)
	case err != nil:
		r.Verdict, r.Reason = CannotRun, err.Error()
	case s.panicked != nil && !s.made:
		r.Verdict, r.Reason = CannotRun, fmt.Sprintf("the object cannot be made: %s panics: %v", s.c.New.Name, s.panicked)
	case ctx.Err() != nil:
		r.Short = true
		r.Reason = fmt.Sprintf("the time limit was reached after %d of %d tests", s.next, len(s.tests))
	case !s.reached:
		r.Verdict, r.Reason = CannotRun, fmt.Sprintf("%s does not reach the extension with any of the arguments that were tried", s.c.Call.Name)
	case !s.several:
		r.Verdict, r.Reason = CannotRun, "the extension makes fewer than two base operations with any of the arguments that were tried"
	case s.unstable > 0:
		r.Verdict = CannotRun
		r.Reason = fmt.Sprintf("the results of %d of %d tests differ when their schedules are replayed: the code is nondeterministic, as by random numbers or the order of a map", s.unstable, s.next)
	case s.nested == 0:
		r.Reason = fmt.Sprintf("no call gets between the base operations in %d tests: it waits", s.next)
	default:
		r.Thorough = true
		r.Reason = fmt.Sprintf("every execution of %d tests has a serial one with the same results", s.next)
	}
	return r
}

// confirm puts the proof into the report.
func (s *search) confirm(r *Report) {
	x := s.proof
	r.Verdict, r.Reason, r.Schedule = Confirmed, "no serial execution has these results", x.schedule.String()
	texts := x.observation(x.names())
	n := 1 + len(x.other)
	held := n + len(x.after)
	r.History = &History{Final: texts[held : held+len(x.cells)], Deep: x.deepTexts()}
	for i, l := range x.after {
		op := l.operation(l.args)
		op.Thread, op.Result = others, texts[n+i]
		r.History.After = append(r.History.After, op)
	}
	for i, op := range append([]Operation{x.mine}, x.other...) {
		op.Result = texts[i]
		op.Steps = s.named(op.Steps)
		r.History.Calls = append(r.History.Calls, op)
	}
	seen := map[string]bool{}
	for _, y := range s.done {
		text := y.observation(y.names())
		if key := strings.Join(text, "\n"); y.relation() == serial && !seen[key] {
			seen[key] = true
			r.Serial = append(r.Serial, Observation{Order: y.order(), Results: text[:n], After: text[n:held], Final: text[held : held+len(y.cells)], Deep: y.deepTexts()})
		}
	}
}

// named are base operations by the names of their sites. Where a section is told by an
// operation in it, its lock and that are one, unless something comes between them.
func (s *search) named(steps []BaseOperation) []BaseOperation {
	var all []BaseOperation
	for i, step := range steps {
		at := s.c.site(step.file, step.Line)
		if at == nil {
			all = append(all, step)
			continue
		}
		opens := step.Line != at.Stands
		step.Line, step.Name = at.Stands, at.Name
		if i+1 < len(steps) && opens && steps[i+1].Line == at.Stands && steps[i+1].At == step.At+1 {
			continue
		}
		all = append(all, step)
	}
	return all
}

// deepTexts are what is behind the pointers of the cells.
func (x *execution) deepTexts() []string {
	var all []string
	for _, c := range x.cells {
		all = append(all, c.deep)
	}
	return all
}

// order is the calls of a serial execution, A's being 0, in the order in which
// they took effect.
func (x *execution) order() []int {
	at := x.mine.Begin
	if len(x.mine.Steps) > 0 {
		at = x.mine.Steps[0].At
	}
	var order []int
	placed := false
	for i, op := range x.other {
		if !placed && op.Begin > at {
			order, placed = append(order, 0), true
		}
		order = append(order, 1+i)
	}
	if !placed {
		order = append(order, 0)
	}
	return order
}
