package explore

import (
	"fmt"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/internal/checker/explore"
	"github.com/mapatom/mapatom/internal/checker/explore/reach"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// line is a result as -json prints it.
type line struct {
	result.Exploration
	Depth int `json:"depth"` // steps to the farthest state
}

// print prints a result, and writes the page if one is wanted.
func (x *exploring) print(r *explore.Result) error {
	out := &result.Result{Name: x.model.Name, Verdict: r.Verdict.String(), Reason: r.Reason, Page: x.picture(r), Limit: 400, Status: result.ModelStatus(r.Verdict)}
	l := line{result.Exploration{
		Version: 1, Model: x.model.Name, Mode: x.mode.String(), Threads: x.bounds.Threads, Operations: x.bounds.Operations,
		Verdict: out.Verdict, Reason: r.Reason, Stored: r.Stored, Matched: r.Matched, Histories: r.Histories,
		Bytes: r.Bytes, Nanoseconds: r.Elapsed.Nanoseconds(),
	}, r.Depth}
	if r.Verdict == reach.Violation {
		out.Reason = "no order of the operations explains the results"
	}
	if x.replay == "" {
		out.Details = []string{x.summary(r), l.Cost()}
	} else {
		l.Mode = "replay"
	}
	if r.Verdict == reach.OK && x.mode == explore.External && x.replay == "" {
		out.Details = append(out.Details, "This mode misses violations; sound does not.")
	}
	if r.Trace != nil {
		out.Picture = r.Trace.Picture()
		l.Witness, l.Schedule = (*witness.Document)(out.Page), r.Trace.Schedule()
		if x.replay == "" {
			out.Again = x.again(r.Trace)
		}
	}
	out.JSON = &l
	p := &result.Printer{App: x.App, JSON: x.json, HTML: x.html}
	if err := p.Print(out); err != nil {
		return err
	}
	return p.Close(x.model.Name)
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
		return result.Replayed
	}
	return fmt.Sprintf("Mode %s, %s with %s each, %s in %s.", x.mode, witness.Count(x.bounds.Threads, "thread"),
		witness.Count(x.bounds.Operations, "operation"), witness.Count(int(r.Stored), "state"), witness.Count(r.Depth, "step"))
}

// again is the command that shows the same run.
func (x *exploring) again(t *explore.Trace) string {
	full := ""
	if x.full {
		full = " -full"
	}
	return fmt.Sprintf("mapatom explore -threads=%d -ops=%d%s -replay='%s' %s", x.bounds.Threads, x.bounds.Operations, full, t.Schedule(), x.model.Name)
}
