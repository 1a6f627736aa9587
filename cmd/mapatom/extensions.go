package main

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
	"github.com/mapatom/mapatom/reduce"
)

func (a *app) extensionsCommand() *cobra.Command {
	o := &options{}
	cmd := &cobra.Command{
		Use:   "extensions [packages]",
		Short: "List every extension that was found, with its verdict",
		Long: `Extensions lists every sequence of calls that is meant to be atomic, also the
ones that are: what it does to which map, and what the verdict is. The time is
measured; all else is the same in every run.

Exit status: 0 whatever the verdicts are, 1 something could not be analysed,
2 the arguments are wrong.`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: packageArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			graph, err := a.analyse(cmd, o, args)
			if err != nil {
				return err
			}
			rows := a.rows(graph)
			if o.json {
				return a.printJSONArray(rows)
			}
			return a.printTable(rows)
		},
	}
	analyzerFlags(cmd, o)
	tagsFlag(cmd, o)
	cmd.Flags().BoolVar(&o.json, "json", false, "print an array of objects")
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
	Category       string          `json:"category"`
	Reported       bool            `json:"reported"`
	Reason         string          `json:"reason"`
	Lines          int             `json:"lines"`
	Configurations int             `json:"configurations"`
	Nanoseconds    int64           `json:"nanoseconds"`
	Witness        *absint.Witness `json:"witness"`
}

type operationRow struct {
	Name     string `json:"name"`
	Position string `json:"position"`
}

// rows are the extensions of all packages, each position once.
func (a *app) rows(graph *checker.Graph) []extensionRow {
	rows := []extensionRow{} // an empty JSON array, not null
	seen := map[string]bool{}
	for _, act := range graph.Roots {
		res := result(act)
		if res == nil {
			continue
		}
		for _, e := range inOrder(act.Package.Fset, res.Extensions) {
			row := a.row(act.Package.Fset, e)
			key := fmt.Sprintln(row.Position, row.Function, row.Map, row.Key, row.Operations)
			if !seen[key] {
				seen[key] = true
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func (a *app) row(fset *token.FileSet, e *analyzer.Extension) extensionRow {
	row := extensionRow{
		Package: e.Package, Function: e.Function, Position: a.position(fset, e.Pos),
		Map: e.Map, Key: e.Key, Operations: []operationRow{},
		Environment: e.Environment.String(), Verdict: e.Verdict.String(),
		Category: string(e.Category), Reported: e.Reported, Reason: e.Reason,
		Lines: e.Lines, Configurations: e.Configurations, Nanoseconds: e.Elapsed.Nanoseconds(),
		Witness: a.relativeWitness(e.Witness),
	}
	for _, op := range e.Operations {
		row.Operations = append(row.Operations, operationRow{op.Name, a.position(fset, op.Pos)})
	}
	switch {
	case row.Reason != "":
	case e.Locked:
		row.Reason = "locked"
	default:
		row.Reason = e.Ignored
	}
	return row
}

// inOrder are the extensions in the order of the source.
func inOrder(fset *token.FileSet, es []*analyzer.Extension) []*analyzer.Extension {
	return slices.SortedStableFunc(slices.Values(es), func(x, y *analyzer.Extension) int {
		return comparePositions(fset.Position(x.Pos), fset.Position(y.Pos))
	})
}

// relativeWitness is the witness with positions as they are printed.
func (a *app) relativeWitness(w *absint.Witness) *absint.Witness {
	if w == nil {
		return nil
	}
	shown := *w
	shown.Events = slices.Clone(w.Events)
	for i := range shown.Events {
		shown.Events[i].Pos = reduce.Pos(a.relative(string(shown.Events[i].Pos)))
	}
	return &shown
}

// printTable prints a line for each extension below a line for its package.
func (a *app) printTable(rows []extensionRow) error {
	if len(rows) == 0 {
		return nil
	}
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "POSITION\tFUNCTION\tMAP\tKEY\tOPERATIONS\tENVIRONMENT\tVERDICT\tCATEGORY\tREPORTED\tLINES\tCONFIGURATIONS\tTIME\tREASON")
	for _, r := range rows {
		var ops []string
		for _, op := range r.Operations {
			ops = append(ops, op.Name)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t%v\t%s\n",
			r.Position, r.Function, r.Map, r.Key, strings.Join(ops, "+"), r.Environment, r.Verdict, dash(r.Category),
			yesNo(r.Reported), r.Lines, r.Configurations, time.Duration(r.Nanoseconds).Round(time.Microsecond), r.Reason)
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
