package main

import (
	"bytes"
	"fmt"
	"go/token"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/checker/confirm"
	"github.com/mapatom/mapatom/checker/confirm/trial"
	"github.com/mapatom/mapatom/checker/witness"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
)

// confirming is one run of the confirm command.
type confirming struct {
	*app
	options
	run      confirm.Options
	verified bool
	memory   int64 // in megabytes
	results  []confirm.Result
}

func (a *app) confirmCommand() *cobra.Command {
	c := &confirming{app: a}
	cmd := &cobra.Command{
		Use:   "confirm [packages]",
		Short: "Run the code of each finding until it shows the bug",
		Long: `Confirm runs the user's own compiled code. For each finding it calls the
function while another goroutine makes other calls between its operations on
the map, under a scheduler that decides who runs, and compares the results with
those of the same calls one after the other. A finding is

  confirmed      the results that are shown took place, and no order of the calls
                 one after the other gives them
  not confirmed  nothing of that kind was found; how much was tried is said
  cannot run     why, and what would help

No file of the module is changed. Arguments are chosen by type; a function
marked //mapatom:harness that takes nothing makes values of the type it returns.
Code that reaches files, the network or other processes is not run unless
-allow-io says so.

Exit status: 0 no finding is confirmed, 1 something could not be analysed, or
run, 2 the arguments are wrong, 3 a finding is confirmed.`,
		Example: `  mapatom confirm ./...
  mapatom confirm -report=all -json ./store >confirmed.json
  mapatom -html=report.html -confirmed=confirmed.json ./store`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if c.run.Time <= 0 || c.memory <= 0 {
				return misuse("-time and -memory want more than nothing")
			}
			graph, err := a.analyse(cmd, &c.options, args)
			if err != nil {
				return err
			}
			return c.confirm(c.findings(graph))
		},
	}
	analyzerFlags(cmd, &c.options)
	flags := cmd.Flags()
	flags.Var(&c.Report, "report", "which violations to confirm (default default)")
	flags.BoolVar(&c.json, "json", false, "print an array of objects")
	flags.BoolVar(&c.run.AllowIO, "allow-io", false, "run code that reaches files, the network or other processes")
	flags.DurationVar(&c.run.Time, "time", 10*time.Second, "give up on a finding after this `time`")
	flags.Int64Var(&c.memory, "memory", 1024, "give up on a finding whose process needs more `megabytes`")
	flags.StringSliceVar(&c.run.Dependencies, "deps", nil, "instrument these dependencies too (`paths` of packages or modules)")
	flags.BoolVar(&c.verified, "verified", false, "try what is verified as well, which is confirmed only if\nthe analysis is wrong")
	return cmd
}

// findings are the extensions that are to be confirmed.
func (c *confirming) findings(graph *checker.Graph) []confirm.Finding {
	var all []confirm.Finding
	seen := map[string]bool{}
	for _, act := range graph.Roots {
		res := result(act)
		if res == nil {
			continue
		}
		fset := act.Package.Fset
		for _, e := range inOrder(fset, res.Extensions) {
			f := findingOf(fset, e)
			f.Position = c.position(fset, e.Pos)
			key := fmt.Sprint(f.Position, f.Function, f.Operations)
			if c.wanted(act, e) && !seen[key] {
				seen[key] = true
				all = append(all, f)
			}
		}
	}
	return all
}

// wanted reports whether an extension is to be confirmed: it is that of a
// diagnostic.
func (c *confirming) wanted(act *checker.Action, e *analyzer.Extension) bool {
	if e.Verdict == absint.Verified {
		return c.verified && !e.Locked
	}
	for i := range act.Diagnostics {
		if extensionOf(act, &act.Diagnostics[i]) == e {
			return true
		}
	}
	return false
}

// findingOf is the extension as a finding.
func findingOf(fset *token.FileSet, e *analyzer.Extension) confirm.Finding {
	f := confirm.Finding{
		Package: e.Package, Function: e.Function, Category: string(e.Category),
		Open: e.Environment == absint.Open, Witness: e.Witness,
	}
	for _, op := range e.Operations {
		posn := fset.Position(op.Pos)
		f.Operations = append(f.Operations, confirm.Operation{Name: op.Name, File: posn.Filename, Line: posn.Line})
	}
	return f
}

// confirm runs the findings and prints what became of them.
func (c *confirming) confirm(findings []confirm.Finding) error {
	c.run.Dir, c.run.Memory = c.dir, c.memory<<20
	var p *progress
	p = newProgressOf(c.stderr, func() string {
		return fmt.Sprintf("running, %d of %s", p.ended.Load(), count(len(findings), "finding"))
	})
	defer p.stop()
	c.run.Note = func(text string) { p.aside(func() error { fmt.Fprintln(c.stderr, "mapatom:", text); return nil }) }
	c.run.Done = func(r confirm.Result) {
		p.done()
		if !c.json {
			p.aside(func() error { return c.printResult(&r) })
		}
	}
	var err error
	if c.results, err = confirm.Run(c.ctx, findings, c.run); err != nil {
		return err
	}
	p.stop()
	c.exit()
	if c.json {
		return c.printConfirmed()
	}
	return c.summary()
}

// exit sets the status.
func (c *confirming) exit() {
	for _, r := range c.results {
		switch r.Verdict {
		case trial.Confirmed:
			c.status = exitFindings
			return
		case trial.CannotRun:
			c.status = exitFailed
		}
	}
}

// printResult prints a finding with its history.
func (c *confirming) printResult(r *confirm.Result) error {
	category := r.Finding.Category
	if category == "" {
		category = "verified"
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %s: %s: %s: %s\n", r.Finding.Position, r.Finding.Function, category, r.Verdict, r.Reason)
	if p := r.Picture(); p != nil && err == nil {
		p.Title, p.Verdict, p.Reason = "", "", ""
		_, err = fmt.Fprintf(c.stdout, "%s\n", indented(p.Text(witness.TextOptions{})))
	}
	return err
}

// summary counts the verdicts.
func (c *confirming) summary() error {
	n := map[trial.Verdict]int{}
	executions := 0
	for _, r := range c.results {
		n[r.Verdict]++
		executions += r.Executions
	}
	if len(c.results) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(c.stdout, "%s: %d confirmed, %d not confirmed, %d cannot run; %s\n", count(len(c.results), "finding"),
		n[trial.Confirmed], n[trial.NotConfirmed], n[trial.CannotRun], count(executions, "execution"))
	return err
}

func (c *confirming) printConfirmed() error {
	rows := []report.Confirmation{}
	for _, r := range c.results {
		row := report.Confirmation{
			Package: r.Finding.Package, Function: r.Finding.Function, Position: r.Finding.Position, Category: r.Finding.Category,
			Verdict: string(r.Verdict), Reason: r.Reason, Schedule: r.Schedule, Executions: r.Executions, Nanoseconds: r.Elapsed.Nanoseconds(),
		}
		if p := r.Picture(); p != nil {
			var b bytes.Buffer
			if err := witness.Write(&b, p); err != nil {
				return err
			}
			row.History = b.Bytes()
		}
		rows = append(rows, row)
	}
	return c.printJSONArray(rows)
}
