package snapshot

import (
	"fmt"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/snapshot"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// scanned is the verdict on the scans of one object.
type scanned struct {
	file, object string
	in           *history.History
	result       snapshot.Result
	elapsed      time.Duration
}

// scannedLine is a verdict as -json prints it.
type scannedLine struct {
	result.History
	Property string `json:"property"` // that is broken, "" if that is not known
}

// reason says why the scans are not linearizable, or why that is not known.
func (c *scanned) reason() string {
	switch {
	case c.result.Verdict == search.Unknown:
		return c.result.Reason.String()
	case c.result.Verdict == search.Linearizable:
		return ""
	case c.result.Property == snapshot.None:
		return result.Unexplained(len(c.result.Core))
	}
	return c.result.Property.Phrase()
}

// ambiguous says which operations made a search necessary.
func (c *scanned) ambiguous() *result.Ambiguity {
	why := c.result.Why
	if why == nil {
		return nil
	}
	a := &result.Ambiguity{Why: why.Why}
	for k, i := range why.Operations {
		a.Lines[k] = int(c.in.Operations[i].Line)
	}
	return a
}

// two names the operations that made a search necessary: by their lines, or by
// their methods, if they were read from no lines.
func (c *scanned) two() string {
	x, y := &c.in.Operations[c.result.Why.Operations[0]], &c.in.Operations[c.result.Why.Operations[1]]
	if x.Line == 0 {
		return witness.Printable(x.Method + " and " + y.Method)
	}
	return fmt.Sprintf("lines %d and %d", x.Line, y.Line)
}

// core is a picture of the operations that contradict each other, nil if there
// are none.
func (c *scanned) core() *witness.Picture {
	if len(c.result.Core) == 0 {
		return nil
	}
	some := *c.in
	some.Operations = nil
	for _, i := range c.result.Core {
		some.Operations = append(some.Operations, c.in.Operations[i])
	}
	p := witness.FromHistory(&some)
	p.Kind, p.Omitted = "snapshot", len(c.in.Operations)-len(some.Operations)
	p.Threads = nil // those of the others have nothing in them
	for i := range p.Operations {
		p.Core = append(p.Core, i)
	}
	return p
}

// whole is a picture of the history for a page: its first operations, or those
// that contradict each other.
func (c *scanned) whole() *witness.Picture {
	p := c.core()
	if p == nil || len(c.in.Operations) <= witness.DefaultHTMLLimit {
		first := *c.in
		first.Operations = c.in.Operations[:min(len(c.in.Operations), witness.DefaultHTMLLimit)]
		p = witness.FromHistory(&first)
		p.Omitted = len(c.in.Operations) - len(first.Operations)
		for _, i := range c.result.Core {
			p.Core = append(p.Core, int(i))
		}
	}
	p.Title, p.Kind, p.Verdict, p.Reason = result.Name(c.file, c.object), "snapshot", c.result.Verdict.String(), c.reason()
	return p
}

// print is what is said of the object.
func (c *scanned) print() *result.Result {
	l := scannedLine{result.History{
		Version: witness.Version, File: c.file, Object: c.object, Operations: len(c.in.Operations),
		Verdict: c.result.Verdict.String(), Reason: c.reason(), Method: c.result.Method.String(), Ambiguous: c.ambiguous(), Nanoseconds: c.elapsed.Nanoseconds(),
	}, c.result.Property.String()}
	r := &result.Result{
		Name: result.Name(c.file, c.object), Verdict: l.Verdict, Reason: l.Reason, Picture: c.core(), Page: c.whole(), JSON: &l,
		About:  fmt.Sprintf("%s, by %s", witness.Count(l.Operations, "operation"), l.Method),
		Status: result.HistoryStatus(c.result.Verdict),
	}
	l.SetCore(r.Picture)
	if l.Ambiguous != nil {
		r.Details = []string{fmt.Sprintf("by search, since of %s, %s", c.two(), l.Ambiguous.Why)}
	}
	return r
}
