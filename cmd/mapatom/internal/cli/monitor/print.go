package monitor

import (
	"fmt"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// verdictLine is a verdict as -json prints it.
type verdictLine struct {
	result.History
	// Earliest is when the operation returned after which no order explains
	// the history any more; EarliestLine is where it stands in the file.
	Earliest     *int64 `json:"earliest"`
	EarliestLine int    `json:"earliestLine,omitempty"`
	Confirmed    bool   `json:"confirmed"` // the core, by the general search
}

// follow prints what becomes of a file.
func (m *monitoring) follow(in *input, out *outputs) error {
	interrupted := m.Ctx.Done()
	var enough <-chan time.Time
	for {
		select {
		case c, ok := <-in.results:
			switch {
			case !ok && m.Ctx.Err() != nil:
				return m.print(&checked{file: in.name, reason: "interrupted"}, out)
			case !ok && in.err != nil:
				return m.printer.Malformed(in.err)
			case !ok:
				return nil
			case c.err != nil:
				if err := m.printer.Malformed(c.err); err != nil {
					return err
				}
			default:
				if err := m.print(c, out); err != nil {
					return err
				}
			}
		case <-interrupted:
			// What is being decided comes to an end soon. What waits for
			// input may not.
			interrupted, enough = nil, time.After(300*time.Millisecond)
		case <-enough:
			return m.print(&checked{file: in.name, reason: "interrupted"}, out)
		}
	}
}

// print prints a verdict, and keeps what else is to be written.
func (m *monitoring) print(c *checked, out *outputs) error {
	if err := out.add(c); err != nil {
		return err
	}
	return m.printer.Print(c.print())
}

// print is what is said of the object.
func (c *checked) print() *result.Result {
	l := verdictLine{History: result.History{
		Version: witness.Version, File: c.file, Object: c.object, Kind: c.kind.String(), Operations: c.operations, Verdict: c.verdict.String(), Reason: c.reason,
		Method: c.method, Ambiguous: c.ambiguous, Nanoseconds: c.elapsed.Nanoseconds(),
	}, Confirmed: c.confirmed}
	l.SetCore(c.core)
	r := &result.Result{
		Name: result.Name(c.file, c.object), Verdict: l.Verdict, Reason: c.reason, Picture: c.core, JSON: &l,
		Status: result.HistoryStatus(c.verdict),
	}
	if c.kind != history.Unknown {
		r.About = fmt.Sprintf("%s, %s", c.kind, witness.Count(c.operations, "operation"))
	}
	if a := c.ambiguous; a != nil {
		r.Details = []string{fmt.Sprintf("by search, since of lines %d and %d, %s", a.Lines[0], a.Lines[1], a.Why)}
	}
	if e := c.earliest; e != nil {
		at := int64(e.Return)
		l.Earliest, l.EarliestLine = &at, e.Line
		r.Steps = []string{fmt.Sprintf("earliest: %s returns at %d (line %d)", e, e.Return, e.Line)}
	}
	return r
}
