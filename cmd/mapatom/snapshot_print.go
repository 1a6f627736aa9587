package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/mapatom/mapatom/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/checker/snapshot/verify"
	"github.com/mapatom/mapatom/checker/witness"
)

// verifyLine is a result as -json prints it. Names are only ever added.
type verifyLine struct {
	Version    int    `json:"version"`
	Model      string `json:"model"`
	Buggy      bool   `json:"buggy"`
	Mode       string `json:"mode"` // replay: a run by a schedule
	Threads    int    `json:"threads"`
	Operations int    `json:"operations"` // of each process; 0 is any number
	Pairs      int    `json:"pairs"`      // that were explored to the end
	Verdict    string `json:"verdict"`
	Reason     string `json:"reason"`
	// States that were stored and found again, kinds of histories that were
	// told apart, and operations that it takes to reach the last state or the
	// violation.
	Stored      int64 `json:"stored"`
	Matched     int64 `json:"matched"`
	Histories   int64 `json:"histories"`
	Begun       int   `json:"begun"`
	Bytes       int64 `json:"bytes"`
	Nanoseconds int64 `json:"nanoseconds"`
	// Witness is a picture as checker/witness has it, Schedule what -replay
	// takes; null and "" if there is no violation.
	Witness  json.RawMessage `json:"witness"`
	Schedule string          `json:"schedule"`
}

// print prints a result.
func (v *verifying) print(info algorithm.Info, r *verify.Result) error {
	switch {
	case r.Verdict == verify.Violation:
		v.status = exitFindings
	case r.Verdict == verify.Unknown && v.status != exitFindings:
		v.status = exitUnknown
	}
	if v.html != "" {
		v.pictures = append(v.pictures, v.picture(info, r))
	}
	text, err := v.text(info, r), error(nil)
	if v.json {
		text, err = v.line(info, r)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(v.stdout, text)
	return err
}

// mode is what -json says of it.
func (v *verifying) mode() string {
	if v.replay != "" {
		return "replay"
	}
	return v.options.Mode.String()
}

// picture is what there is to draw: without a violation, only the verdict.
func (v *verifying) picture(info algorithm.Info, r *verify.Result) *witness.Picture {
	p := &witness.Picture{Reason: r.Reason}
	if r.Trace != nil {
		p = r.Trace.Picture()
	}
	p.Title, p.Verdict = v.name(info), r.Verdict.String()
	p.Notes = append(p.Notes, v.summary(r))
	return p
}

// summary says what was explored.
func (v *verifying) summary(r *verify.Result) string {
	if v.replay != "" {
		return "A run by a schedule."
	}
	bound := "any number of operations"
	if v.options.Operations > 0 {
		bound = "at most " + witness.Count(v.options.Operations, "operation") + " a process"
	}
	return fmt.Sprintf("Mode %s, %s; %s stored.", v.options.Mode, bound, witness.Count(int(r.Stored), "state"))
}

// line is the result in a line of JSON.
func (v *verifying) line(info algorithm.Info, r *verify.Result) (string, error) {
	l := verifyLine{
		Version: 1, Model: info.Name, Buggy: v.options.Buggy, Mode: v.mode(), Threads: v.options.Processes,
		Operations: v.options.Operations, Pairs: r.Pairs, Verdict: r.Verdict.String(), Reason: r.Reason,
		Stored: r.Stored, Matched: r.Matched, Histories: r.Watched, Begun: r.Begun, Bytes: r.Bytes,
		Nanoseconds: r.Elapsed.Nanoseconds(), Witness: json.RawMessage("null"),
	}
	if r.Trace != nil {
		var picture bytes.Buffer
		if err := witness.Write(&picture, v.picture(info, r)); err != nil {
			return "", err
		}
		l.Witness, l.Schedule = picture.Bytes(), r.Trace.Schedule()
	}
	return jsonLine(&l)
}

// text is the result for a person.
func (v *verifying) text(info algorithm.Info, r *verify.Result) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s", v.name(info), r.Verdict)
	switch {
	case r.Verdict == verify.Violation:
		out.WriteString(": no order of the operations explains the scans")
	case r.Reason != "":
		out.WriteString(": " + r.Reason)
	}
	fmt.Fprintf(&out, "\n\t%s\n", v.summary(r))
	if v.replay == "" {
		fmt.Fprintf(&out, "\t%d matched, %s, %.2f s\n", r.Matched, mebibytes(r.Bytes), r.Elapsed.Seconds())
	}
	if r.Trace == nil {
		return out.String()
	}
	bare := r.Trace.Picture()
	for i := range bare.Operations {
		bare.Operations[i].Inner = nil
	}
	out.WriteString("\n" + indented(bare.Text(witness.TextOptions{Width: 76, Color: hasColor(v.stdout)})) + "\n")
	if v.steps {
		for _, line := range r.Trace.Lines() {
			fmt.Fprintf(&out, "    %s\n", line)
		}
		out.WriteByte('\n')
	}
	if v.replay == "" {
		fmt.Fprintf(&out, "Again: %s\n\n", v.again(info, r.Trace))
	}
	return out.String()
}

// again is the command that shows the same run.
func (v *verifying) again(info algorithm.Info, t *verify.Trace) string {
	command := fmt.Sprintf("mapatom snapshot verify -algorithm=%s -n=%d", info.Name, v.options.Processes)
	for _, flag := range []struct {
		set  bool
		text string
	}{{v.options.Buggy, "-buggy"}, {v.options.Mode != verify.Polynomial, "-mode=" + v.options.Mode.String()}, {v.options.Full, "-full"}} {
		if flag.set {
			command += " " + flag.text
		}
	}
	if t.Pair != [2]int{0, 1} {
		command += fmt.Sprintf(" -pair=%d,%d", t.Pair[0], t.Pair[1])
	}
	return command + " -replay='" + t.Schedule() + "'"
}
