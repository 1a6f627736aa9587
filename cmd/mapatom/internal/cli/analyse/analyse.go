// Package analyse loads packages and runs the Analyzer on them, for the commands
// that read code. What keeps a package from being analysed is printed here, with
// what to do about it; what was found is left to the command.
package analyse

import (
	"cmp"
	"fmt"
	"go/token"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/driver"
	"github.com/mapatom/mapatom/internal/pace"
)

// Run loads the packages and runs the Analyzer on them, or finds what it said the
// last time. What could not be analysed is printed and makes the exit status; the
// rest is returned.
func Run(a *cli.App, cmd *cobra.Command, o *Options, patterns []string) (*checker.Graph, error) {
	if err := o.configure(a); err != nil {
		return nil, err
	}
	progress := a.NewProgress(loading(time.Now()))
	defer progress.Stop()
	pkgs, err := o.load(a, cmd, patterns)
	if err != nil {
		return nil, err
	}
	pace.Start()
	opts, err := o.driver()
	if err != nil {
		return nil, err
	}
	opts.Dir, opts.Expect, opts.Done = a.Dir, progress.Expect, progress.Done
	graph, err := driver.Analyze(a.Ctx, o.analyzer(), pkgs, opts)
	if err != nil {
		return nil, LoadError(err)
	}
	progress.Stop()
	o.settle(a, graph, patterns)
	broken := printErrors(a, pkgs)
	slices.SortFunc(graph.Roots, func(x, y *checker.Action) int { return strings.Compare(x.Package.ID, y.Package.ID) })
	for _, act := range graph.Roots {
		sortDiagnostics(act)
	}
	for act := range graph.All() {
		// A package of which an import failed says no more than that.
		if act.Err != nil && !act.Package.IllTyped && !strings.HasPrefix(act.Err.Error(), "failed prerequisites") {
			fmt.Fprintf(a.Stderr, "mapatom: %s: %v\n", act.Package.ID, act.Err)
			broken = true
		}
	}
	if broken {
		a.Status = cli.Failed
	}
	return graph, nil
}

// slowLoad is after what time it is said why loading takes long.
const slowLoad = 3 * time.Second

// loading says what is waited for. The go command compiles what packages import if it has
// not done so before, which can take many times as long as the analysis.
func loading(begun time.Time) func(ended, total int) string {
	short := cli.Counting("loading packages", "analysing", "package")
	return func(ended, total int) string {
		if total == 0 && time.Since(begun) > slowLoad {
			return "loading packages; the first time, what they import is compiled"
		}
		return short(ended, total)
	}
}

// sortDiagnostics puts them in the order of the source.
func sortDiagnostics(act *checker.Action) {
	fset := act.Package.Fset
	slices.SortStableFunc(act.Diagnostics, func(x, y analysis.Diagnostic) int {
		return ComparePositions(fset.Position(x.Pos), fset.Position(y.Pos))
	})
}

// Guarded makes an error of a panic, so that the other packages are analysed
// all the same: the driver runs each in a goroutine of its own.
func Guarded(a *analysis.Analyzer) *analysis.Analyzer {
	for _, required := range a.Requires {
		Guarded(required)
	}
	run := a.Run
	a.Run = func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("internal error: %v; please report it: %s/issues\n%s", p, a.URL, debug.Stack())
			}
		}()
		return run(pass)
	}
	return a
}

// ComparePositions orders by file, line and column.
func ComparePositions(x, y token.Position) int {
	return cmp.Or(strings.Compare(x.Filename, y.Filename), x.Line-y.Line, x.Column-y.Column)
}

// Result is what the Analyzer found in a package; nil if it did not run.
func Result(act *checker.Action) *analyzer.Result {
	res, _ := act.Result.(*analyzer.Result)
	return res
}

// InOrder are the extensions in the order of the source.
func InOrder(fset *token.FileSet, es []*analyzer.Extension) []*analyzer.Extension {
	return slices.SortedStableFunc(slices.Values(es), func(x, y *analyzer.Extension) int {
		return ComparePositions(fset.Position(x.Pos), fset.Position(y.Pos))
	})
}

// ExtensionOf is the extension that a diagnostic is about, nil if there is none.
func ExtensionOf(act *checker.Action, d *analysis.Diagnostic) *analyzer.Extension {
	if res := Result(act); res != nil {
		return res.About(d)
	}
	return nil
}
