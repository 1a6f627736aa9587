// Package escalate has the user's own code asked about what the analysis has
// found, for the commands that do so: which extensions that is, the run with its
// progress, and the results as reports have them.
package escalate

import (
	"bytes"
	"fmt"
	"go/token"
	"time"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
	"github.com/mapatom/mapatom/internal/checker/confirm"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// Options are the flags that say how code is run.
type Options struct {
	confirm.Options
	memory int64 // in megabytes
}

// AddFlags adds them.
func (o *Options) AddFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.AllowIO, "allow-io", false, "run code that reaches files, the network or other processes,\nwithout a fence around it")
	flags.DurationVar(&o.Time, "time", 10*time.Second, "give up on running the code of a finding after this `time`")
	flags.Int64Var(&o.memory, "memory", 1024, "give up on a finding whose process needs more `megabytes`")
	flags.StringSliceVar(&o.Dependencies, "deps", nil, "instrument these dependencies too (`paths` of packages or modules)")
}

// Check checks what the flags say.
func (o *Options) Check() error {
	if o.Time <= 0 || o.memory <= 0 {
		return cli.Misuse("-time and -memory want more than nothing")
	}
	return nil
}

// Finding is an extension as its code is asked about it. The position is for
// people.
func Finding(fset *token.FileSet, e *analyzer.Extension, position string) confirm.Finding {
	f := confirm.Finding{
		Package: e.Package, Function: e.Function, Position: position, Category: string(e.Category),
		Open: e.Environment == absint.Open, Witness: e.Witness,
	}
	if e.Verdict == absint.Unknown {
		f.Category = confirm.Undecided
	}
	for _, op := range e.Operations {
		posn := fset.Position(op.Pos)
		f.Operations = append(f.Operations, confirm.Operation{Name: op.Name, File: posn.Filename, Line: posn.Line})
	}
	return f
}

// Run runs the code of findings, and has each result told as it comes.
func Run(a *cli.App, findings []confirm.Finding, o Options, told func(*confirm.Result) error) ([]confirm.Result, error) {
	run := o.Options
	run.Dir, run.Memory = a.Dir, o.memory<<20
	p := a.NewProgress(cli.Counting("running", "running", "finding"))
	defer p.Stop()
	p.Expect(len(findings))
	run.Note = func(text string) { p.Print(a.Stderr, "mapatom: "+text+"\n") }
	run.Done = func(r confirm.Result) {
		p.Done()
		if told != nil {
			p.Aside(func() error { return told(&r) })
		}
	}
	return confirm.Run(a.Ctx, findings, run)
}

// Row is a result as programs read it.
func Row(r *confirm.Result) (report.Confirmation, error) {
	row := report.Confirmation{
		Package: r.Finding.Package, Function: r.Finding.Function, Position: r.Finding.Position, Category: r.Finding.Category,
		Verdict: string(r.Verdict), Reason: r.Reason, Schedule: r.Schedule, Executions: r.Executions, Nanoseconds: r.Elapsed.Nanoseconds(),
		Thorough: r.Thorough,
	}
	if p := r.Picture(); p != nil {
		var b bytes.Buffer
		if err := witness.Write(&b, p); err != nil {
			return row, fmt.Errorf("history of %s: %w", r.Finding.Function, err)
		}
		row.History, row.Picture = b.Bytes(), p
	}
	return row, nil
}
