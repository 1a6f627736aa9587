package main

import (
	"cmp"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/reduce"
)

// findingsFlags are the flags of the root command.
type findingsFlags struct {
	options
	fix                     bool
	format                  outputFormat
	html, confirmed         string // files
	baseline, writeBaseline string // files
}

// findingsCommand is the root command: it prints diagnostics.
func (a *app) findingsCommand() *cobra.Command {
	o := &findingsFlags{format: formatText}
	cmd := &cobra.Command{
		Use:   "mapatom [packages]",
		Short: "Find calls on concurrent maps and atomics that should be one atomic step",
		Long: `Mapatom finds sequences of calls on concurrent maps and atomics that are
meant to be atomic and are not, and shows the interleaving that proves it.

Packages are patterns of the go command; the default is the package in the
working directory. What builds them decides which files are looked at: GOOS,
GOARCH, GOFLAGS, CGO_ENABLED and -tags. A flag may be written with one dash or
two.

Exit status: 0 nothing found, 1 something could not be analysed, 2 the
arguments are wrong, 3 there are findings.

Files and environment:
  .mapatom.yml      the configuration, here or in a directory above; see
                    'mapatom help configuration'
  NO_COLOR          if set, no colours on a terminal
  GITHUB_WORKSPACE  paths in reports are relative to it, in a workflow of GitHub`,
		Example: `  mapatom ./...
  mapatom -env=open -report=all ./store
  mapatom -format=sarif ./... >mapatom.sarif
  mapatom -html=report.html ./...
  mapatom -write-baseline=known.json ./...; mapatom -baseline=known.json ./...
  go vet -vettool=$(which mapatom) ./...`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: packageArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(cmd); err != nil {
				return err
			}
			graph, err := a.analyse(cmd, &o.options, args)
			if err != nil {
				return err
			}
			return a.report(graph, o)
		},
	}
	analyzerFlags(cmd, &o.options)
	tagsFlag(cmd, &o.options)
	flags := cmd.Flags()
	flags.Var(&o.Report, "report", "which violations to report (default default)")
	flags.Var(&o.format, "format", "how to print findings: "+strings.Join(formats, ", "))
	flags.BoolVar(&o.json, "json", false, "the same as -format=json: the tree that go vet -json prints")
	flags.BoolVar(&o.fix, "fix", false, "apply the suggested fixes")
	flags.StringVar(&o.html, "html", "", "write a page for a browser to a `file`")
	flags.StringVar(&o.confirmed, "confirmed", "", "with -html: show what 'mapatom confirm -json' printed into this `file`")
	flags.StringVar(&o.baseline, "baseline", "", "leave out the findings that are in this `file`")
	flags.StringVar(&o.writeBaseline, "write-baseline", "", "write the findings to a `file` for -baseline; the exit status is 0")
	complete(cmd, "format", formats...)
	complete(cmd, "report", "default", "all")
	return cmd
}

// check checks the flags against each other.
func (o *findingsFlags) check(cmd *cobra.Command) error {
	if o.json {
		if cmd.Flags().Changed("format") && o.format != formatJSON {
			return misuse("-json and -format=%s exclude each other", o.format)
		}
		o.format = formatJSON
	}
	switch {
	case o.fix && o.format != formatText:
		return misuse("-%s and -fix exclude each other", o.formatFlag())
	case o.baseline != "" && o.writeBaseline != "":
		return misuse("-baseline and -write-baseline exclude each other")
	case o.confirmed != "" && o.html == "":
		return misuse("-confirmed is only for -html")
	}
	return nil
}

// formatFlag is how the format was asked for.
func (o *findingsFlags) formatFlag() string {
	if o.json {
		return "json"
	}
	return "format=" + string(o.format)
}

// finding is one diagnostic.
type finding struct {
	act       *checker.Action
	diag      *analysis.Diagnostic
	posn      token.Position
	extension *analyzer.Extension // nil if none belongs to it
}

// report prints the findings and sets the exit status.
func (a *app) report(graph *checker.Graph, o *findingsFlags) error {
	findings := collect(graph)
	if o.writeBaseline != "" {
		return a.writeFile(o.writeBaseline, a.newReport(findings).WriteBaseline)
	}
	if o.baseline != "" {
		var err error
		if findings, err = a.withoutKnown(findings, o.baseline); err != nil {
			return err
		}
		restrict(graph, findings)
	}
	if o.html != "" {
		if err := a.writePage(findings, o); err != nil {
			return err
		}
	}
	if o.fix {
		var err error
		if findings, err = a.applyFixes(findings); err != nil {
			return err
		}
	}
	if err := a.printAs(o.format, graph, findings); err != nil {
		return err
	}
	if len(findings) > 0 && a.status == exitClean {
		a.status = exitFindings
	}
	return nil
}

// printAs prints the findings in a format.
func (a *app) printAs(f outputFormat, graph *checker.Graph, findings []finding) error {
	switch f {
	case formatText:
		return a.print(findings)
	case formatJSON:
		return graph.PrintJSON(a.stdout)
	}
	return writers[f](a.newReport(findings), a.stdout)
}

// collect takes the findings out of the graph, in order of position, each
// one once: a file can belong to several packages.
func collect(graph *checker.Graph) []finding {
	var all []finding
	for _, act := range graph.Roots {
		for i := range act.Diagnostics {
			d := &act.Diagnostics[i]
			all = append(all, finding{act, d, act.Package.Fset.Position(d.Pos), extensionOf(act, d)})
		}
	}
	slices.SortStableFunc(all, compareFindings)
	return slices.CompactFunc(all, func(x, y finding) bool { return compareFindings(x, y) == 0 })
}

func compareFindings(x, y finding) int {
	return cmp.Or(
		comparePositions(x.posn, y.posn),
		strings.Compare(x.diag.Category, y.diag.Category),
		strings.Compare(x.diag.Message, y.diag.Message),
	)
}

// extensionOf is the extension that a diagnostic is about.
func extensionOf(act *checker.Action, d *analysis.Diagnostic) *analyzer.Extension {
	if res := result(act); res != nil {
		for _, e := range res.Extensions {
			if e.Pos == d.Pos && string(e.Category) == d.Category {
				return e
			}
		}
	}
	return nil
}

// print prints findings for a person.
func (a *app) print(findings []finding) error {
	var out strings.Builder
	packages := map[string]bool{}
	for i, f := range findings {
		if i > 0 {
			out.WriteByte('\n')
		}
		a.printFinding(&out, f)
		packages[f.act.Package.PkgPath] = true
	}
	if _, err := io.WriteString(a.stdout, out.String()); err != nil {
		return err
	}
	if len(findings) > 0 && isTerminal(a.stderr) {
		fmt.Fprintf(a.stderr, "\n%s in %s\n", count(len(findings), "finding"), count(len(packages), "package"))
	}
	return nil
}

func (a *app) printFinding(out *strings.Builder, f finding) {
	fset := f.act.Package.Fset
	fmt.Fprintf(out, "%s: %s\n", a.relative(f.posn.String()), f.diag.Message)
	for _, r := range f.diag.Related {
		fmt.Fprintf(out, "\t%s: %s\n", a.position(fset, r.Pos), r.Message)
	}
	if f.extension == nil || f.extension.Witness == nil {
		return
	}
	out.WriteByte('\n')
	const indent = "    "
	text := f.extension.Witness.Text(absint.TextOptions{
		Width:  80 - len(indent),
		Color:  hasColor(a.stdout),
		OpName: methodNames(fset, f.extension),
	})
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = indent + line
		}
		out.WriteString(line)
	}
}

// methodNames finds the method that the source calls at a position of the
// register program, which lies somewhere inside the call.
func methodNames(fset *token.FileSet, e *analyzer.Extension) func(reduce.Pos) string {
	return func(p reduce.Pos) string {
		var best analyzer.Operation
		for _, op := range e.Operations {
			if inside(p, fset.Position(op.Pos), fset.Position(op.End)) && (best.Name == "" || op.End-op.Pos < best.End-best.Pos) {
				best = op
			}
		}
		return best.Name
	}
}

// inside reports whether p, "file:line:col", is in [from, to).
func inside(p reduce.Pos, from, to token.Position) bool {
	rest, col := cutNumber(string(p))
	file, line := cutNumber(rest)
	return filepath.Base(file) == filepath.Base(from.Filename) &&
		(line > from.Line || line == from.Line && col >= from.Column) &&
		(line < to.Line || line == to.Line && col < to.Column)
}

// cutNumber splits "text:number".
func cutNumber(s string) (string, int) {
	i := strings.LastIndexByte(s, ':')
	n, err := strconv.Atoi(s[i+1:])
	if i < 0 || err != nil {
		return s, 0
	}
	return s[:i], n
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// hasColor reports whether w shows colours, and may.
func hasColor(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether a person is reading w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
