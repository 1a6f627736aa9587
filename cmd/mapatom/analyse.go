package main

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/analyzer"
)

// analyse loads the packages and runs the Analyzer on them. What could not
// be analysed is printed and makes the exit status; the rest is returned.
func (a *app) analyse(cmd *cobra.Command, o *options, patterns []string) (*checker.Graph, error) {
	if err := a.configure(o); err != nil {
		return nil, err
	}
	w := a.newWatch()
	defer w.stop()
	pkgs, err := a.load(cmd, patterns, o)
	if err != nil {
		return nil, err
	}
	w.expect(len(pkgs))
	graph, err := check(a.ctx, w.counted(guarded(analyzer.New(o.Options))), pkgs)
	if err != nil {
		return nil, err
	}
	w.stop()
	broken := a.loadErrors(pkgs)
	slices.SortFunc(graph.Roots, func(x, y *checker.Action) int { return strings.Compare(x.Package.ID, y.Package.ID) })
	for _, act := range graph.Roots {
		sortDiagnostics(act)
	}
	for act := range graph.All() {
		// A package of which an import failed says no more than that.
		if act.Err != nil && !act.Package.IllTyped && !strings.HasPrefix(act.Err.Error(), "failed prerequisites") {
			fmt.Fprintf(a.stderr, "mapatom: %s: %v\n", act.Package.ID, act.Err)
			broken = true
		}
	}
	if broken {
		a.status = exitFailed
	}
	return graph, nil
}

// sortDiagnostics puts them in the order of the source. The files of a
// package are parsed at the same time, so that a token.Pos in one file can come
// before or after that in another.
func sortDiagnostics(act *checker.Action) {
	fset := act.Package.Fset
	slices.SortStableFunc(act.Diagnostics, func(x, y analysis.Diagnostic) int {
		return comparePositions(fset.Position(x.Pos), fset.Position(y.Pos))
	})
}

func comparePositions(x, y token.Position) int {
	return cmp.Or(strings.Compare(x.Filename, y.Filename), x.Line-y.Line, x.Column-y.Column)
}

// check is checker.Analyze, but returns at once when ctx ends.
func check(ctx context.Context, a *analysis.Analyzer, pkgs []*packages.Package) (*checker.Graph, error) {
	type answer struct {
		graph *checker.Graph
		err   error
	}
	done := make(chan answer, 1)
	go func() {
		graph, err := checker.Analyze([]*analysis.Analyzer{a}, pkgs, nil)
		done <- answer{graph, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case ans := <-done:
		return ans.graph, ans.err
	}
}

// position is a position as it is printed.
func (a *app) position(fset *token.FileSet, pos token.Pos) string {
	return a.relative(fset.Position(pos).String())
}

// relative shortens a path (with a position after it) inside the working
// directory.
func (a *app) relative(path string) string {
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(a.dir, string(filepath.Separator))+string(filepath.Separator)); ok {
		return rest
	}
	return path
}

// result is what the Analyzer found in a package; nil if it did not run.
func result(act *checker.Action) *analyzer.Result {
	res, _ := act.Result.(*analyzer.Result)
	return res
}
