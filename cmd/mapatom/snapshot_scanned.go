package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/checker/snapshot"
	"github.com/mapatom/mapatom/checker/witness"
)

// scanned is the verdict on the scans of one object.
type scanned struct {
	file, object string
	in           *history.History
	result       snapshot.Result
	elapsed      time.Duration
}

// scannedLine is a verdict as -json prints it. Names are only ever added.
type scannedLine struct {
	Version     int                 `json:"version"` // of the operations, see checker/witness
	File        string              `json:"file"`
	Object      string              `json:"object"` // "" if the file has only one
	Operations  int                 `json:"operations"`
	Verdict     string              `json:"verdict"`
	Reason      string              `json:"reason"`
	Property    string              `json:"property"` // that is broken, "" if that is not known
	Core        []witness.Operation `json:"core"`
	Method      string              `json:"method"`
	Ambiguous   *ambiguity          `json:"ambiguous"` // why it was neither automata nor order
	Nanoseconds int64               `json:"nanoseconds"`
}

// name is what the object is called in what is printed.
func (c *scanned) name() string {
	if c.object == "" {
		return c.file
	}
	return c.file + ": " + c.object
}

// reason says why the scans are not linearizable, or why that is not known.
func (c *scanned) reason() string {
	switch {
	case c.result.Verdict == search.Unknown:
		return c.result.Reason.String()
	case c.result.Verdict == search.Linearizable:
		return ""
	case c.result.Property == snapshot.None:
		return "no order explains " + these(len(c.result.Core))
	}
	return c.result.Property.Phrase()
}

// ambiguous says which operations made a search necessary.
func (c *scanned) ambiguous() *ambiguity {
	why := c.result.Why
	if why == nil {
		return nil
	}
	a := &ambiguity{Why: why.Why}
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
	p.Title, p.Kind, p.Verdict, p.Reason = c.name(), "snapshot", c.result.Verdict.String(), c.reason()
	return p
}

// line is the verdict in a line of JSON.
func (c *scanned) line() (string, error) {
	l := scannedLine{
		Version: witness.Version, File: c.file, Object: c.object, Operations: len(c.in.Operations),
		Verdict: c.result.Verdict.String(), Reason: c.reason(), Property: c.result.Property.String(),
		Core: []witness.Operation{}, Method: c.result.Method.String(), Ambiguous: c.ambiguous(), Nanoseconds: c.elapsed.Nanoseconds(),
	}
	if p := c.core(); p != nil {
		l.Core = witness.Tidy(p.Operations)
	}
	return jsonLine(&l)
}

// text is the verdict for a person, with the picture of a core.
func (c *scanned) text(color bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", witness.Printable(c.name()), c.result.Verdict)
	if reason := c.reason(); reason != "" {
		out.WriteString(": " + reason)
	}
	fmt.Fprintf(&out, " (%s, by %s)\n", witness.Count(len(c.in.Operations), "operation"), c.result.Method)
	if a := c.ambiguous(); a != nil {
		fmt.Fprintf(&out, "\tby search, since of %s, %s\n", c.two(), a.Why)
	}
	if p := c.core(); p != nil {
		out.WriteString("\n" + indented(p.Text(witness.TextOptions{Width: 76, Color: color})) + "\n")
	}
	return out.String()
}
