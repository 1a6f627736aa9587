package snapshot

import (
	"fmt"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/snapshot/algorithm"
	"github.com/mapatom/mapatom/internal/checker/snapshot/verify"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// verifyLine is a result as -json prints it.
type verifyLine struct {
	result.Exploration
	Buggy bool `json:"buggy"`
	Pairs int  `json:"pairs"` // that were explored to the end
	Begun int  `json:"begun"` // operations that it takes to reach the last state or the violation
}

// print prints a result.
func (v *verifying) print(info algorithm.Info, r *verify.Result) error {
	out := &result.Result{Name: v.name(info), Verdict: r.Verdict.String(), Reason: r.Reason, Page: v.picture(info, r), Details: []string{v.summary(r)}, Status: result.ModelStatus(r.Verdict)}
	l := verifyLine{result.Exploration{
		Version: 1, Model: info.Name, Mode: v.mode(), Threads: v.options.Processes, Operations: v.options.Operations,
		Verdict: out.Verdict, Reason: r.Reason, Stored: r.Stored, Matched: r.Matched, Histories: r.Watched,
		Bytes: r.Bytes, Nanoseconds: r.Elapsed.Nanoseconds(),
	}, v.options.Buggy, r.Pairs, r.Begun}
	if r.Verdict == reach.Violation {
		out.Reason = "no order of the operations explains the scans"
	}
	if v.replay == "" {
		out.Details = append(out.Details, l.Cost())
	}
	if r.Trace != nil {
		l.Witness, l.Schedule = (*witness.Document)(out.Page), r.Trace.Schedule()
		out.Picture = r.Trace.Picture()
		for i := range out.Picture.Operations {
			out.Picture.Operations[i].Inner = nil
		}
		if v.steps {
			out.Steps = r.Trace.Lines()
		}
		if v.replay == "" {
			out.Again = v.again(info, r.Trace) + "\n"
		}
	}
	out.JSON = &l
	return v.printer.Print(out)
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
		return result.Replayed
	}
	bound := "any number of operations"
	if v.options.Operations > 0 {
		bound = "at most " + witness.Count(v.options.Operations, "operation") + " a process"
	}
	return fmt.Sprintf("Mode %s, %s; %s stored.", v.options.Mode, bound, witness.Count(int(r.Stored), "state"))
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
