package analyse

import (
	"cmp"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/analyzer/config"
)

// settle asks what only all packages of a module can answer together, if all were asked
// for, and takes the diagnostics back that are none then.
func (o *Options) settle(a *cli.App, graph *checker.Graph, patterns []string) {
	var results []*analyzer.Result
	var pkgs []*packages.Package
	partly := false
	for _, act := range graph.Roots {
		res := Result(act)
		if res == nil {
			// A command is a program of its own; what any other one calls is not known.
			partly = partly || act.Package.Name != "main"
			continue
		}
		results, pkgs = append(results, res), append(pkgs, act.Package)
	}
	if len(pkgs) == 0 || !wholeModule(a.Dir, pkgs, patterns) {
		return
	}
	settled := analyzer.Settle(results, !isApplication(pkgs, results), partly)
	if o.Report == config.ReportAll {
		return
	}
	least := cmp.Or(o.Confidence, config.ConfidenceHigh)
	for _, act := range graph.Roots {
		act.Diagnostics = slices.DeleteFunc(act.Diagnostics, func(d analysis.Diagnostic) bool {
			x := ExtensionOf(act, &d)
			return slices.Contains(settled, x) && x.Confidence < least
		})
	}
}

// wholeModule reports whether some patterns stand for all packages of one module, of
// which these are.
func wholeModule(dir string, pkgs []*packages.Package, patterns []string) bool {
	m := pkgs[0].Module
	if m == nil || slices.ContainsFunc(pkgs, func(p *packages.Package) bool { return p.Module == nil || p.Module.Path != m.Path }) {
		return false
	}
	here, err := filepath.Abs(dir)
	return err == nil && slices.Contains(patterns, "./...") && here == m.Dir || slices.Contains(patterns, m.Path+"/...")
}

// isApplication reports whether a module is there to be run: it has a command, and no
// package that bears its name, which others would import. One with nothing to call in it, such as
// what is embedded, does not count.
func isApplication(pkgs []*packages.Package, results []*analyzer.Result) bool {
	commands := false
	for i, p := range pkgs {
		calls := results[i].Calls
		switch {
		case p.Name == "main":
			commands = true
		case p.PkgPath == p.Module.Path && (calls == nil || len(calls.Exported) > 0):
			return false
		}
	}
	return commands
}
