package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mapatom/mapatom/checker/history"
	"github.com/mapatom/mapatom/checker/search"
	"github.com/mapatom/mapatom/checker/witness"
)

// verdictLine is a verdict as -json prints it. Names are only ever added.
type verdictLine struct {
	Version    int    `json:"version"` // of the operations, see checker/witness
	File       string `json:"file"`
	Object     string `json:"object"` // "" if the file has only one
	Kind       string `json:"kind"`
	Operations int    `json:"operations"`
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason"`
	// Earliest is when the operation returned after which no order explains
	// the history any more; EarliestLine is where it stands in the file.
	Earliest     *int64              `json:"earliest"`
	EarliestLine int                 `json:"earliestLine,omitempty"`
	Core         []witness.Operation `json:"core"`
	Confirmed    bool                `json:"confirmed"` // the core, by the general search
	Method       string              `json:"method"`
	Ambiguous    *ambiguity          `json:"ambiguous"`   // why it was not the monitor
	Nanoseconds  int64               `json:"nanoseconds"` // without reading the file
}

// follow prints what becomes of a file.
func (m *monitoring) follow(in *input, out *outputs) error {
	interrupted := m.ctx.Done()
	var enough <-chan time.Time
	for {
		select {
		case c, ok := <-in.results:
			switch {
			case !ok && m.ctx.Err() != nil:
				return m.print(&checked{file: in.name, reason: "interrupted"}, out)
			case !ok && in.err != nil:
				return m.malformed(in.err)
			case !ok:
				return nil
			case c.err != nil:
				if err := m.malformed(c.err); err != nil {
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

// malformed prints what is wrong with an input, on one line. There may be
// others that are well formed.
func (m *monitoring) malformed(problem error) error {
	m.raise(exitFailed)
	return m.progress.aside(func() error {
		_, err := fmt.Fprintln(m.stderr, problem)
		return err
	})
}

// print prints a verdict, and keeps what else is to be written.
func (m *monitoring) print(c *checked, out *outputs) error {
	switch c.verdict {
	case search.Violation:
		m.raise(exitFindings)
	case search.Unknown:
		m.raise(exitUnknown)
	}
	if err := out.add(c); err != nil {
		return err
	}
	text, err := c.text(hasColor(m.stdout)), error(nil)
	if m.json {
		text, err = c.json()
	}
	if err != nil {
		return err
	}
	return m.progress.aside(func() error {
		_, err := io.WriteString(m.stdout, text)
		return err
	})
}

// json is the verdict in a line.
func (c *checked) json() (string, error) {
	v := verdictLine{
		Version: witness.Version, File: c.file, Object: c.object, Kind: c.kind.String(), Operations: c.operations,
		Verdict: c.verdict.String(), Reason: c.reason, Core: []witness.Operation{}, Confirmed: c.confirmed,
		Method: c.method, Ambiguous: c.ambiguous, Nanoseconds: c.elapsed.Nanoseconds(),
	}
	if c.core != nil {
		v.Core = witness.Tidy(c.core.Operations)
	}
	if c.earliest != nil {
		at := int64(c.earliest.Return)
		v.Earliest, v.EarliestLine = &at, c.earliest.Line
	}
	return jsonLine(&v)
}

// text is the verdict for a person, with the picture of a core.
func (c *checked) text(color bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", witness.Printable(c.name()), c.verdict)
	if c.reason != "" {
		out.WriteString(": " + witness.Printable(c.reason))
	}
	if c.kind != history.Unknown {
		fmt.Fprintf(&out, " (%s, %s)", c.kind, witness.Count(c.operations, "operation"))
	}
	out.WriteByte('\n')
	if a := c.ambiguous; a != nil {
		fmt.Fprintf(&out, "\tby search, since of lines %d and %d, %s\n", a.Lines[0], a.Lines[1], witness.Printable(a.Why))
	}
	if c.core != nil {
		const indent = "    "
		out.WriteByte('\n')
		for line := range strings.Lines(c.core.Text(witness.TextOptions{Width: 80 - len(indent), Color: color})) {
			if line != "\n" {
				line = indent + line
			}
			out.WriteString(line)
		}
		out.WriteByte('\n')
	}
	if e := c.earliest; e != nil {
		fmt.Fprintf(&out, "\tearliest: %s returns at %d (line %d)\n\n", witness.Printable(e.String()), e.Return, e.Line)
	}
	return out.String()
}
