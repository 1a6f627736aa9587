// Package confirm is the command that runs the code of findings until it shows the bug.
package confirm

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/escalate"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/result"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
	"github.com/mapatom/mapatom/internal/checker/confirm"
	"github.com/mapatom/mapatom/internal/checker/confirm/trial"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// confirming is one run of the confirm command.
type confirming struct {
	*cli.App
	analyse.Options
	json     bool
	run      escalate.Options
	verified bool
	unknown  bool
	results  []confirm.Result
}

// Command makes mapatom confirm.
func Command(a *cli.App) *cobra.Command {
	c := &confirming{App: a}
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
` + cli.FenceHelp + `

Exit status: 0 no finding is confirmed, 1 something could not be analysed, or
run, 2 the arguments are wrong, 3 a finding is confirmed.`,
		Example: `  mapatom confirm ./...
  mapatom confirm -report=all -json ./store >confirmed.json
  mapatom -html=report.html -confirmed=confirmed.json ./store`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.run.Check(); err != nil {
				return err
			}
			graph, err := analyse.Run(a, cmd, &c.Options, args)
			if err != nil {
				return err
			}
			return c.confirm(c.findings(graph))
		},
	}
	c.AddFlags(cmd)
	flags := cmd.Flags()
	flags.Var(&c.Report, "report", "which violations to confirm: the default ones, or all")
	flags.BoolVar(&c.json, "json", false, "print an array of objects")
	c.run.AddFlags(cmd)
	flags.BoolVar(&c.unknown, "unknown", false, "try what the analysis could not decide as well")
	flags.BoolVar(&c.verified, "verified", false, "try what is verified without an assumption as well, which\nis confirmed only if the analysis is wrong")
	return cmd
}

// findings are the extensions that are to be confirmed.
func (c *confirming) findings(graph *checker.Graph) []confirm.Finding {
	var all []confirm.Finding
	seen := map[string]bool{}
	for _, act := range graph.Roots {
		res := analyse.Result(act)
		if res == nil {
			continue
		}
		fset := act.Package.Fset
		for _, e := range analyse.InOrder(fset, res.Extensions) {
			f := escalate.Finding(fset, e, c.Position(fset, e.Pos))
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
	switch e.Verdict {
	case absint.Verified:
		return c.verified && e.Assumption == absint.NoAssumption
	case absint.Unknown:
		return c.unknown
	}
	for i := range act.Diagnostics {
		if analyse.ExtensionOf(act, &act.Diagnostics[i]) == e {
			return true
		}
	}
	return false
}

// confirm runs the findings and prints what became of them.
func (c *confirming) confirm(findings []confirm.Finding) error {
	told := c.printResult
	if c.json {
		told = nil
	}
	var err error
	if c.results, err = escalate.Run(c.App, findings, c.run, told); err != nil {
		return err
	}
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
			c.Status = cli.Findings
			return
		case trial.CannotRun:
			c.Status = cli.Failed
		}
	}
}

// printResult prints a finding with its history.
func (c *confirming) printResult(r *confirm.Result) error {
	category := r.Finding.Category
	if category == "" {
		category = "verified"
	}
	out := result.Result{
		Name:    fmt.Sprintf("%s: %s: %s", r.Finding.Position, r.Finding.Function, category),
		Verdict: string(r.Verdict), Reason: r.Reason, Picture: r.Picture(),
	}
	_, err := io.WriteString(c.Stdout, out.Text(cli.HasColor(c.Stdout)))
	return err
}

// summary counts the verdicts.
func (c *confirming) summary() error {
	n := map[trial.CaseVerdict]int{}
	executions := 0
	for _, r := range c.results {
		n[r.Verdict]++
		executions += r.Executions
	}
	if len(c.results) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(c.Stdout, "%s: %d confirmed, %d not confirmed, %d cannot run; %s\n", witness.Count(len(c.results), "finding"),
		n[trial.Confirmed], n[trial.NotConfirmed], n[trial.CannotRun], witness.Count(executions, "execution"))
	return err
}

func (c *confirming) printConfirmed() error {
	rows := []report.Confirmation{}
	for i := range c.results {
		row, err := escalate.Row(&c.results[i])
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	return c.PrintArray(rows)
}
