// Package findings is the command without a name: it prints diagnostics, in the
// formats of package report, and applies their fixes.
package findings

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/changed"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/fix"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/report"
	"github.com/mapatom/mapatom/internal/checker/witness"
)

// reporting is one run of the root command.
type reporting struct {
	*cli.App
	analyse.Options
	json                    bool
	fix                     bool
	run                     runOptions
	format                  outputFormat
	html                    string // file
	baseline, writeBaseline string // files
	newFrom                 string // a revision
}

// Command is the root command: it prints diagnostics.
func Command(a *cli.App) *cobra.Command {
	r := &reporting{App: a, format: formatText}
	cmd := &cobra.Command{
		Use:   "mapatom [packages]",
		Short: "Find calls on concurrent maps and atomics that should be one atomic step",
		Long: `Mapatom finds sequences of calls on concurrent maps and atomics that are
meant to be atomic and are not, and shows the interleaving that proves it.

Packages are patterns of the go command; the default is the package in the
working directory. What builds them decides which files are looked at: GOOS,
GOARCH, GOFLAGS, CGO_ENABLED and -tags. A flag may be written with one dash or
two.

With -confirm the code of each finding is run until it shows the bug, as
'mapatom confirm' does; what was confirmed comes first. -report=confirmed leaves
out the rest.

Exit status: 0 nothing found, 1 something could not be analysed, 2 the
arguments are wrong, 3 there are findings.

Files and environment:
  .mapatom.yml      the configuration, here or in a directory above; see
                    'mapatom help configuration'
  MAPATOM_CACHE     the directory in which results are kept for the next run, or
                    off; usually mapatom in the user's cache directory
  NO_COLOR          if set, no colours on a terminal
  GITHUB_WORKSPACE  paths in reports are relative to it, in a workflow of GitHub`,
		Example: `  mapatom ./...
  mapatom -env=open -report=all ./store
  mapatom -format=sarif ./... >mapatom.sarif
  mapatom -html=report.html ./...
  mapatom -confirm ./...
  mapatom -report=confirmed -format=sarif ./... >confirmed.sarif
  mapatom -new-from=origin/main... ./...
  mapatom -write-baseline=known.json ./...; mapatom -baseline=known.json ./...
  go vet -vettool=$(which mapatom) ./...`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: analyse.PackageArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := r.check(cmd); err != nil {
				return err
			}
			lines, err := r.changedLines()
			if err != nil {
				return err
			}
			graph, err := analyse.Run(a, cmd, &r.Options, args)
			if err != nil {
				return err
			}
			return r.report(graph, lines)
		},
	}
	r.AddFlags(cmd)
	r.AddTags(cmd)
	flags := cmd.Flags()
	flags.Var((*reportChoice)(r), "report", "which violations to report: the default ones, all, or confirmed, which\nruns their code")
	r.run.addFlags(cmd)
	flags.Var(&r.format, "format", "how to print findings: "+strings.Join(formatNames(), ", "))
	flags.BoolVar(&r.json, "json", false, "the same as -format=json: all that is known of the findings, as\ndocs/schema describes it; -format=vet is the tree of go vet -json")
	flags.BoolVar(&r.fix, "fix", false, "apply the suggested fixes")
	flags.StringVar(&r.html, "html", "", "write a page for a browser to a `file`")
	flags.StringVar(&r.baseline, "baseline", "", "leave out the findings that are in this `file`")
	flags.StringVar(&r.writeBaseline, "write-baseline", "", "write the findings to a `file` for -baseline; the exit status is 0")
	flags.StringVar(&r.newFrom, "new-from", "", "leave out the findings in lines that are as they were at this `revision`\nof git; REV... is where the branch parted from REV")
	cli.Complete(cmd, "format", formatNames()...)
	cli.Complete(cmd, "report", "default", "all", "confirmed")
	return cmd
}

// check checks the flags against each other.
func (a *reporting) check(cmd *cobra.Command) error {
	if a.json {
		if cmd.Flags().Changed("format") && a.format != formatJSON {
			return cli.Misuse("-json and -format=%s exclude each other", a.format)
		}
		a.format = formatJSON
	}
	switch {
	case a.fix && a.format != formatText:
		return cli.Misuse("-%s and -fix exclude each other", a.formatFlag())
	case a.baseline != "" && a.writeBaseline != "":
		return cli.Misuse("-baseline and -write-baseline exclude each other")
	case a.newFrom != "" && a.writeBaseline != "":
		return cli.Misuse("-new-from and -write-baseline exclude each other")
	}
	return a.run.check(a.fix)
}

// formatFlag is how the format was asked for.
func (a *reporting) formatFlag() string {
	if a.json {
		return "json"
	}
	return "format=" + string(a.format)
}

// finding is one diagnostic.
type finding struct {
	act       *checker.Action
	diag      *analysis.Diagnostic
	posn      token.Position
	extension *analyzer.Extension // nil if none belongs to it
	// confirmation is what its code has shown when it was run; nil if it was not.
	confirmation *report.Confirmation
}

// report prints the findings and sets the exit status.
func (a *reporting) report(graph *checker.Graph, lines *changed.Lines) error {
	findings := collect(graph)
	var err error
	if lines != nil {
		findings = slices.DeleteFunc(findings, func(f finding) bool { return !f.isIn(lines) })
		restrict(graph, findings)
	}
	if a.baseline != "" {
		if findings, err = a.withoutKnown(findings, a.baseline); err != nil {
			return err
		}
		restrict(graph, findings)
	}
	if findings, err = a.confirm(findings); err != nil {
		return err
	}
	if a.run.only {
		restrict(graph, findings)
	}
	if a.writeBaseline != "" {
		return a.WriteFile(a.writeBaseline, a.newReport(findings).WriteBaseline)
	}
	if a.html != "" {
		if err := a.WriteFile(a.html, a.newReport(findings).WriteHTML); err != nil {
			return err
		}
	}
	if a.fix {
		if findings, err = a.applyFixes(findings); err != nil {
			return err
		}
	}
	if err := a.printAs(a.format, graph, findings); err != nil {
		return err
	}
	if len(findings) > 0 && a.Status == cli.Clean {
		a.Status = cli.Findings
	}
	return nil
}

// applyFixes applies the first fix of every finding that has one, says so, and
// returns the findings that remain.
func (a *reporting) applyFixes(findings []finding) (rest []finding, err error) {
	var fixes fix.Set
	var fixed []finding
	for _, f := range findings {
		if len(f.diag.SuggestedFixes) > 0 && fixes.Add(f.act.Package, &f.diag.SuggestedFixes[0]) {
			fixed = append(fixed, f)
		} else {
			rest = append(rest, f)
		}
	}
	if err := fixes.Apply(); err != nil {
		return nil, err
	}
	for _, f := range fixed {
		fmt.Fprintf(a.Stdout, "%s: fixed: %s\n", a.Relative(f.posn.String()), f.diag.SuggestedFixes[0].Message)
	}
	if len(fixed) > 0 && len(rest) > 0 {
		fmt.Fprintln(a.Stdout)
	}
	return rest, nil
}

// printAs prints the findings in a format.
func (a *reporting) printAs(f outputFormat, graph *checker.Graph, findings []finding) error {
	switch f {
	case formatText:
		return a.print(findings)
	case formatVet:
		mark(findings)
		return graph.PrintJSON(a.Stdout)
	}
	i := slices.IndexFunc(formats, func(known format) bool { return known.name == f })
	return formats[i].write(a.newReport(findings), a.Stdout)
}

// collect takes the findings out of the graph, in order of position, each
// one once: a file can belong to several packages.
func collect(graph *checker.Graph) []finding {
	var all []finding
	for _, act := range graph.Roots {
		for i := range act.Diagnostics {
			d := &act.Diagnostics[i]
			all = append(all, finding{act, d, act.Package.Fset.Position(d.Pos), analyse.ExtensionOf(act, d), nil})
		}
	}
	slices.SortStableFunc(all, compareFindings)
	return slices.CompactFunc(all, func(x, y finding) bool { return compareFindings(x, y) == 0 })
}

func compareFindings(x, y finding) int {
	return cmp.Or(
		analyse.ComparePositions(x.posn, y.posn),
		strings.Compare(x.diag.Category, y.diag.Category),
		strings.Compare(x.diag.Message, y.diag.Message),
	)
}

// print prints findings for a person.
func (a *reporting) print(findings []finding) error {
	var out strings.Builder
	packages := map[string]bool{}
	for i, f := range findings {
		if i > 0 {
			out.WriteByte('\n')
		}
		a.printFinding(&out, f)
		packages[f.act.Package.PkgPath] = true
	}
	if _, err := io.WriteString(a.Stdout, out.String()); err != nil {
		return err
	}
	if len(findings) > 0 && cli.IsTerminal(a.Stderr) {
		fmt.Fprintf(a.Stderr, "\n%s in %s\n", witness.Count(len(findings), "finding"), witness.Count(len(packages), "package"))
	}
	return nil
}

func (a *reporting) printFinding(out *strings.Builder, f finding) {
	fset := f.act.Package.Fset
	fmt.Fprintf(out, "%s: %s\n", a.Relative(f.posn.String()), f.diag.Message)
	for _, r := range f.diag.Related {
		fmt.Fprintf(out, "\t%s: %s\n", a.Position(fset, r.Pos), r.Message)
	}
	if f.confirmation != nil {
		fmt.Fprintf(out, "\t%s\n", f.confirmation)
	}
	if about := f.report(); about.Confidence != "" {
		fmt.Fprintf(out, "\t%s\n", about.Why())
	}
	if f.extension == nil || f.extension.Witness == nil {
		return
	}
	out.WriteByte('\n')
	text := witness.StoryText(f.extension.Story(fset),
		witness.TextOptions{Width: 80 - len(cli.Indent), Color: cli.HasColor(a.Stdout)})
	out.WriteString(cli.Indented(text))
}
