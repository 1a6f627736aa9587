// Package extensions is the command that lists every extension with its verdict.
package extensions

import (
	"fmt"
	"go/token"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
)

// Command makes mapatom extensions.
func Command(a *cli.App) *cobra.Command {
	o := &analyse.Options{}
	json := false
	cmd := &cobra.Command{
		Use:   "extensions [packages]",
		Short: "List every extension that was found, with its verdict",
		Long: `Extensions lists every sequence of calls that is meant to be atomic, also the
ones that are: what it does to which map, and what the verdict is. The time is
measured; all else is the same in every run.

Exit status: 0 whatever the verdicts are, 1 something could not be analysed,
2 the arguments are wrong.`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: analyse.PackageArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			graph, err := analyse.Run(a, cmd, o, args)
			if err != nil {
				return err
			}
			rows := rowsOf(a, graph)
			if json {
				return a.PrintArray(rows)
			}
			return printTable(a, rows)
		},
	}
	o.AddFlags(cmd)
	o.AddTags(cmd)
	cmd.Flags().BoolVar(&json, "json", false, "print an array of objects")
	return cmd
}

// extensionRow is an extension as it is printed.
type extensionRow struct {
	Package        string          `json:"package"`
	Function       string          `json:"function"`
	Position       string          `json:"position"`
	Map            string          `json:"map"`
	Key            string          `json:"key"`
	Operations     []operationRow  `json:"operations"`
	Environment    string          `json:"environment"`
	Verdict        string          `json:"verdict"`
	Assumption     string          `json:"assumption"`
	Category       string          `json:"category"`
	Reported       bool            `json:"reported"`
	Rule           string          `json:"rule"`
	Reason         string          `json:"reason"`
	Confidence     string          `json:"confidence"`
	Evidence       []evidenceRow   `json:"evidence"`
	Lines          int             `json:"lines"`
	Configurations int             `json:"configurations"`
	Nanoseconds    int64           `json:"nanoseconds"`
	Witness        *absint.Witness `json:"witness"`
}

type evidenceRow struct {
	Assumption string `json:"assumption"`
	Answer     string `json:"answer"`
	Says       string `json:"says"`
	Position   string `json:"position"`
	Rule       string `json:"rule"`
}

type operationRow struct {
	Name     string `json:"name"`
	Position string `json:"position"`
}

// rowsOf are the extensions of all packages, each position once.
func rowsOf(a *cli.App, graph *checker.Graph) []extensionRow {
	rows := []extensionRow{} // an empty JSON array, not null
	seen := map[string]bool{}
	for _, act := range graph.Roots {
		res := analyse.Result(act)
		if res == nil {
			continue
		}
		for _, e := range analyse.InOrder(act.Package.Fset, res.Extensions) {
			row := rowOf(a, act.Package.Fset, e)
			key := fmt.Sprintln(row.Position, row.Function, row.Map, row.Key, row.Operations)
			if !seen[key] {
				seen[key] = true
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func rowOf(a *cli.App, fset *token.FileSet, e *analyzer.Extension) extensionRow {
	row := extensionRow{
		Package: e.Package, Function: e.Function, Position: a.Position(fset, e.Pos),
		Map: e.Map, Key: e.Key, Operations: []operationRow{},
		Environment: e.Environment.String(), Verdict: e.Verdict.String(), Assumption: string(e.Assumption),
		Category: string(e.Category), Reported: e.Reported, Rule: e.Rule, Reason: e.Reason,
		Lines: e.Lines, Configurations: e.Configurations, Nanoseconds: e.Elapsed.Nanoseconds(),
		Witness: relative(a, e.Witness), Confidence: e.Confidence.String(), Evidence: []evidenceRow{},
	}
	for _, ev := range e.Evidence {
		at := ""
		if ev.Pos.IsValid() {
			at = a.Position(fset, ev.Pos)
		}
		row.Evidence = append(row.Evidence, evidenceRow{ev.Assumption, ev.Answer, ev.Says, at, ev.Rule})
	}
	for _, op := range e.Operations {
		row.Operations = append(row.Operations, operationRow{op.Name, a.Position(fset, op.Pos)})
	}
	return row
}

// relative is the witness with positions as they are printed.
func relative(a *cli.App, w *absint.Witness) *absint.Witness {
	if w == nil {
		return nil
	}
	shown := *w
	shown.Events = slices.Clone(w.Events)
	for i := range shown.Events {
		shown.Events[i].Pos.File = a.Relative(shown.Events[i].Pos.File)
	}
	return &shown
}

// printTable prints a line for each extension below a line for its package.
func printTable(a *cli.App, rows []extensionRow) error {
	if len(rows) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "POSITION\tFUNCTION\tMAP\tKEY\tOPERATIONS\tENVIRONMENT\tVERDICT\tCATEGORY\tCONFIDENCE\tREPORTED\tLINES\tCONFIGURATIONS\tTIME\tREASON")
	for _, r := range rows {
		var ops []string
		for _, op := range r.Operations {
			ops = append(ops, op.Name)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%v\t%s\n",
			r.Position, r.Function, r.Map, r.Key, strings.Join(ops, "+"), r.Environment, r.Verdict, dash(r.Category), dash(r.Confidence),
			yesNo(r.Reported), r.Lines, r.Configurations, time.Duration(r.Nanoseconds).Round(time.Microsecond), strings.TrimSpace(r.Rule+" "+r.Assumption+r.Reason))
	}
	return w.Flush()
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
