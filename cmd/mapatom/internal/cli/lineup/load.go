package lineup

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/checker/lineup"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
	"github.com/mapatom/mapatom/internal/checker/subject"
	"github.com/mapatom/mapatom/internal/load"
)

// found is a subject with what is needed to run it.
type found struct {
	pkg     *types.Package
	place   subject.Place
	deps    []string // what is to be instrumented outside the module
	harness *subject.Harness
}

// split takes PKG.TYPE[ARGS] apart. Without a package it is the one in the
// working directory.
func (l *lining) split(arg string) (path, name string, err error) {
	rest, args, generic := strings.Cut(arg, "[")
	if generic {
		if !strings.HasSuffix(args, "]") {
			return "", "", cli.Misuse("%q has no ] at the end", arg)
		}
		for a := range strings.SplitSeq(strings.TrimSuffix(args, "]"), ",") {
			l.subject.TypeArgs = append(l.subject.TypeArgs, strings.TrimSpace(a))
		}
	}
	dot := strings.LastIndexByte(rest, '.')
	if dot <= strings.LastIndexByte(rest, '/') {
		dot = -1
	}
	path, name = ".", rest[dot+1:]
	if dot > 0 && rest[:dot] != "." {
		path = rest[:dot]
	}
	if name == "" || strings.ContainsAny(name, "/ ") {
		return "", "", cli.Misuse("found %q, want a type with its package, such as ./queue.Queue", arg)
	}
	return path, name, nil
}

// find loads the package of the subject and enumerates what can be called.
func (l *lining) find(arg string) (*found, error) {
	path, name, err := l.split(arg)
	if err != nil {
		return nil, err
	}
	p, err := l.loadTypes(path)
	if err != nil {
		return nil, err
	}
	f := &found{pkg: p.Types}
	if p.Module != nil && p.Module.Main {
		f.place = subject.Place{Path: p.PkgPath, Name: p.Name, Scope: p.Types.Scope()}
	} else if err := l.findImporter(f, p); err != nil {
		return nil, err
	}
	f.harness, err = subject.New(p.Types, name, f.place, l.subject, l.calls)
	if err != nil {
		return nil, cli.Cannot("docs/line-up.md says what a subject needs; -new, -methods and -values help to find it.", "%v", err)
	}
	l.shape(f.harness)
	if l.against != "" {
		if err := f.harness.Against(p.Types, l.against); err != nil {
			return nil, cli.Cannot("The specification needs the methods of the subject.", "-against: %v", err)
		}
	}
	return f, nil
}

// shape has random tests made of what was found, and not of calls that were
// only named for the beginning or the end.
func (l *lining) shape(h *subject.Harness) {
	s := &l.request.Shape
	if len(s.Sequences) > 0 || h.Enumerated == 0 {
		return
	}
	for _, c := range h.Invocations[:h.Enumerated] {
		s.Sequences = append(s.Sequences, []lineup.Call{c})
	}
}

// loadTypes loads one package with its types.
func (l *lining) loadTypes(path string) (*packages.Package, error) {
	pkgs, err := load.Packages(l.Ctx, load.Types, load.Where{Dir: l.Dir}, path)
	if err != nil {
		return nil, analyse.LoadError(err)
	}
	switch {
	case len(pkgs) == 0 || analyse.OutsideModule(pkgs, l.Dir):
		return nil, analyse.NoPackages(l.Dir, path)
	case len(pkgs) > 1:
		return nil, cli.Misuse("%s is %d packages, want one", path, len(pkgs))
	}
	if p := pkgs[0]; len(p.Errors) > 0 {
		return nil, cli.Cannot("'go build' must accept the package.", "%s", analyse.ErrorLine(l.App, p, p.Errors[0]))
	}
	return pkgs[0], nil
}

// findImporter finds a package of this module that imports the subject's,
// which the generated test can be put into. The standard library can be
// imported by any.
func (l *lining) findImporter(f *found, dependency *packages.Package) error {
	pkgs, err := load.Packages(l.Ctx, load.Names, load.Where{Dir: l.Dir}, "./...")
	if err != nil {
		return analyse.LoadError(err)
	}
	slices.SortFunc(pkgs, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	at := slices.IndexFunc(pkgs, func(p *packages.Package) bool { return p.Imports[dependency.PkgPath] != nil })
	if at < 0 && dependency.Module == nil && len(pkgs) > 0 {
		at = 0
	}
	if at < 0 {
		return cli.Cannot("Import it in one, in a file of its own if need be.", "no package of this module imports %s", dependency.PkgPath)
	}
	host, err := l.loadTypes(pkgs[at].PkgPath)
	if err != nil {
		return err
	}
	f.place = subject.Place{Path: host.PkgPath, Name: host.Name, Scope: host.Types.Scope()}
	if dependency.Module != nil {
		f.deps = []string{dependency.Module.Path}
	}
	return nil
}

// tests is the number of tests that the run consists of, 0 if it is not known.
func (l *lining) tests() int {
	switch {
	case len(l.request.Tests) > 0:
		return len(l.request.Tests)
	case l.request.Auto > 0:
		return 0
	}
	return l.request.Samples
}
