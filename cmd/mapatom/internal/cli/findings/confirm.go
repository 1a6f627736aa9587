package findings

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/escalate"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
	"github.com/mapatom/mapatom/internal/checker/confirm"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// runOptions say whether the code of the findings is run.
type runOptions struct {
	escalate.Options
	run  bool
	only bool   // report what is confirmed, and nothing else
	file string // what was run before
}

func (o *runOptions) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&o.run, "confirm", false, "run the code of each finding, and say what it has shown")
	flags.StringVar(&o.file, "confirmed", "", "show what 'mapatom confirm -json' printed into this `file`")
	o.AddFlags(cmd)
}

func (o *runOptions) check(fix bool) error {
	switch {
	case o.file != "" && o.run:
		return cli.Misuse("-confirm and -confirmed exclude each other")
	case fix && (o.run || o.only):
		return cli.Misuse("-fix and -confirm exclude each other")
	}
	return o.Check()
}

// reportChoice is the flag -report: that of the analysis, and one choice more.
type reportChoice reporting

// String is the choice.
func (c *reportChoice) String() string {
	if c.run.only {
		return "confirmed"
	}
	return c.Report.String()
}

// Set parses the flag; it implements pflag.Value.
func (c *reportChoice) Set(s string) error {
	if c.run.only = s == "confirmed"; c.run.only {
		return nil
	}
	if err := c.Report.Set(s); err != nil {
		return fmt.Errorf("%w, or confirmed", err)
	}
	return nil
}

// Type names the flag's type in help texts.
func (c *reportChoice) Type() string { return c.Report.Type() }

// confirm says of each finding what its code has shown, now or in the file of a
// run before, and puts those first that it has confirmed.
func (a *reporting) confirm(findings []finding) ([]finding, error) {
	switch {
	case a.run.file != "":
		if err := a.recall(findings); err != nil {
			return nil, err
		}
	case a.run.run || a.run.only:
		if err := a.runCode(findings); err != nil {
			return nil, err
		}
	default:
		return findings, nil
	}
	isConfirmed := func(f finding) bool { return f.confirmation != nil && f.confirmation.Confirmed() }
	var first, rest []finding
	for _, f := range findings {
		if isConfirmed(f) {
			first = append(first, f)
		} else {
			rest = append(rest, f)
		}
	}
	if !a.run.only {
		return append(first, rest...), nil
	}
	if n := len(rest); n > 0 && cli.IsTerminal(a.Stderr) {
		fmt.Fprintf(a.Stderr, "%s not confirmed; -confirm shows them as well\n", witness.Count(n, "finding"))
	}
	return first, nil
}

// recall reads what was run before.
func (a *reporting) recall(findings []finding) error {
	const advice = "Write it with 'mapatom confirm -json' and the same packages."
	f, err := os.Open(a.run.file)
	if err != nil {
		return cli.Cannot(advice, "%v", err)
	}
	defer f.Close()
	runs, err := report.ReadConfirmed(a.run.file, f)
	if err != nil {
		return cli.Cannot(advice, "%v", err)
	}
	r := a.newReport(findings)
	left := r.Confirm(runs)
	for i := range findings {
		findings[i].confirmation = r.Findings[i].Confirmation
	}
	if left > 0 {
		fmt.Fprintf(a.Stderr, "mapatom: %s of %s fit no finding; was it written for other packages?\n", witness.Count(left, "result"), a.run.file)
	}
	return nil
}

// runCode runs the code of the findings, of each extension once.
func (a *reporting) runCode(findings []finding) error {
	var todo []confirm.Finding
	var whose []*analyzer.Extension
	for i := range findings {
		f := &findings[i]
		if f.extension != nil && !slices.Contains(whose, f.extension) {
			todo = append(todo, escalate.Finding(f.act.Package.Fset, f.extension, a.Position(f.act.Package.Fset, f.extension.Pos)))
			whose = append(whose, f.extension)
		}
	}
	results, err := escalate.Run(a.App, todo, a.run.Options, nil)
	if err != nil {
		return err
	}
	for i := range results {
		row, err := escalate.Row(&results[i])
		if err != nil {
			return err
		}
		for j := range findings {
			if findings[j].extension == whose[i] {
				findings[j].confirmation = &row
			}
		}
	}
	return nil
}

// mark adds to the diagnostics what their code has shown, for formats that have
// no place of their own for it.
func mark(findings []finding) {
	for _, f := range findings {
		if f.confirmation != nil {
			f.diag.Message += " (" + f.confirmation.String() + ")"
		}
	}
}
