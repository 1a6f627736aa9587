package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/checker/explore"
	"github.com/mapatom/mapatom/checker/witness"
)

// exploreLine is a result as -json prints it. Names are only ever added.
type exploreLine struct {
	Version    int    `json:"version"`
	Model      string `json:"model"`
	Mode       string `json:"mode"` // replay: a run by a schedule
	Threads    int    `json:"threads"`
	Operations int    `json:"operations"` // of each thread
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason"`
	// Stored states, states that were found again, complete histories that
	// were checked, and steps to the farthest state.
	Stored      int64 `json:"stored"`
	Matched     int64 `json:"matched"`
	Histories   int64 `json:"histories"`
	Depth       int   `json:"depth"`
	Bytes       int64 `json:"bytes"`
	Nanoseconds int64 `json:"nanoseconds"`
	// Witness is a picture as checker/witness has it, Schedule what -replay
	// takes; null and "" if there is no violation.
	Witness  json.RawMessage `json:"witness"`
	Schedule string          `json:"schedule"`
}

// print prints a result, and writes the page if one is wanted.
func (x *exploring) print(r *explore.Result) error {
	switch r.Verdict {
	case explore.Violation:
		x.status = exitFindings
	case explore.Unknown:
		x.status = exitUnknown
	}
	text, err := x.text(r), error(nil)
	if x.json {
		text, err = x.line(r)
	}
	if err != nil {
		return err
	}
	if _, err := io.WriteString(x.stdout, text); err != nil || x.html == "" {
		return err
	}
	return x.writeFile(x.html, func(w io.Writer) error { return witness.WriteHTML(w, x.model.Name, x.picture(r)) })
}

// picture is what there is to draw: without a violation, only the verdict.
func (x *exploring) picture(r *explore.Result) *witness.Picture {
	p := &witness.Picture{Title: x.model.Name, Reason: r.Reason}
	if r.Trace != nil {
		p = r.Trace.Picture()
	}
	p.Verdict = r.Verdict.String()
	p.Notes = append(p.Notes, x.summary(r))
	return p
}

// summary says what was explored.
func (x *exploring) summary(r *explore.Result) string {
	if x.replay != "" {
		return "A run by a schedule."
	}
	return fmt.Sprintf("Mode %s, %s with %s each, %s in %s.", x.mode, witness.Count(x.bounds.Threads, "thread"),
		witness.Count(x.bounds.Operations, "operation"), witness.Count(int(r.Stored), "state"), witness.Count(r.Depth, "step"))
}

// line is the result in a line of JSON.
func (x *exploring) line(r *explore.Result) (string, error) {
	v := exploreLine{
		Version: 1, Model: x.model.Name, Mode: x.mode.String(), Threads: x.bounds.Threads, Operations: x.bounds.Operations,
		Verdict: r.Verdict.String(), Reason: r.Reason, Stored: r.Stored, Matched: r.Matched, Histories: r.Histories,
		Depth: r.Depth, Bytes: r.Bytes, Nanoseconds: r.Elapsed.Nanoseconds(), Witness: json.RawMessage("null"),
	}
	if x.replay != "" {
		v.Mode = "replay"
	}
	if r.Trace != nil {
		var picture bytes.Buffer
		if err := witness.Write(&picture, x.picture(r)); err != nil {
			return "", err
		}
		v.Witness, v.Schedule = picture.Bytes(), r.Trace.Schedule()
	}
	return jsonLine(&v)
}

// text is the result for a person.
func (x *exploring) text(r *explore.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", x.model.Name, r.Verdict)
	switch {
	case r.Verdict == explore.Violation:
		out.WriteString(": no order of the operations explains the results")
	case r.Reason != "":
		out.WriteString(": " + r.Reason)
	}
	out.WriteByte('\n')
	if x.replay == "" {
		fmt.Fprintf(&out, "\t%s\n", x.summary(r))
		fmt.Fprintf(&out, "\t%d matched, %d histories, %s, %.2f s\n", r.Matched, r.Histories, mebibytes(r.Bytes), r.Elapsed.Seconds())
	}
	if r.Verdict == explore.OK && x.mode == explore.External && x.replay == "" {
		out.WriteString("\tThis mode misses violations; sound does not.\n")
	}
	if r.Trace == nil {
		return out.String()
	}
	out.WriteString("\n" + indented(r.Trace.Picture().Text(witness.TextOptions{Width: 76, Limit: 400, Color: hasColor(x.stdout)})))
	if x.replay == "" {
		fmt.Fprintf(&out, "\nAgain: %s\n", x.again(r.Trace))
	}
	return out.String()
}

// again is the command that shows the same run.
func (x *exploring) again(t *explore.Trace) string {
	full := ""
	if x.full {
		full = " -full"
	}
	return fmt.Sprintf("mapatom explore -threads=%d -ops=%d%s -replay='%s' %s", x.bounds.Threads, x.bounds.Operations, full, t.Schedule(), x.model.Name)
}

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// indented is a text with every line that has something on it moved right.
func indented(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString("    ")
		}
		out.WriteString(line)
	}
	return out.String()
}
