package driver

import (
	"fmt"
	"net/url"
	"os"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/packages"
)

// pass runs Analyzers on one package.
type pass struct {
	r       *run
	u       *unit
	l       *loaded
	own     *ownFacts
	results map[*analysis.Analyzer]any
	found   []analysis.Diagnostic
}

func newPass(r *run, u *unit, l *loaded) *pass {
	return &pass{r: r, u: u, l: l, own: newOwnFacts(u.types), results: map[*analysis.Analyzer]any{}}
}

// run runs an Analyzer after those that it requires.
func (p *pass) run(a *analysis.Analyzer) (any, error) {
	for _, required := range a.Requires {
		if _, done := p.results[required]; !done {
			if _, err := p.run(required); err != nil {
				return nil, err
			}
		}
	}
	result, err := a.Run(p.of(a))
	if err != nil {
		return nil, err
	}
	if got := reflect.TypeOf(result); got != a.ResultType {
		return nil, fmt.Errorf("internal error: analyzer %s gives a %v, not a %v", a.Name, got, a.ResultType)
	}
	p.results[a] = result
	return result, nil
}

// of is what an Analyzer gets.
func (p *pass) of(a *analysis.Analyzer) *analysis.Pass {
	return &analysis.Pass{
		Analyzer: a, Fset: p.r.fset, Files: p.l.files,
		OtherFiles: p.u.pkg.OtherFiles, IgnoredFiles: p.u.pkg.IgnoredFiles,
		Pkg: p.u.types, TypesInfo: p.l.info, TypesSizes: p.l.sizes,
		Module: module(p.u.pkg), ResultOf: p.results, ReadFile: os.ReadFile,
		Report: func(d analysis.Diagnostic) {
			d.URL = resolve(a.URL, &d)
			p.found = append(p.found, d)
		},
		ImportObjectFact: p.importObjectFact, ExportObjectFact: p.own.exportObject,
		ImportPackageFact: p.importPackageFact, ExportPackageFact: p.own.exportPackage,
		AllObjectFacts: p.own.allObjects, AllPackageFacts: p.allPackageFacts,
	}
}

// module is a package's module; an empty one if it is in none.
func module(p *packages.Package) *analysis.Module {
	if p.Module == nil {
		return &analysis.Module{}
	}
	return &analysis.Module{Path: p.Module.Path, Version: p.Module.Version, GoVersion: p.Module.GoVersion}
}

// resolve is the address of what is said of a diagnostic: its own, or the place of
// its category on the Analyzer's page.
func resolve(page string, d *analysis.Diagnostic) string {
	own := d.URL
	if own == "" && d.Category != "" {
		own = "#" + d.Category
	}
	base, err := url.Parse(page)
	if err != nil {
		return own
	}
	ref, err := base.Parse(own)
	if err != nil {
		return own
	}
	return ref.String()
}
