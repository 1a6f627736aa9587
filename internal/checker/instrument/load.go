package instrument

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/load"
	"golang.org/x/tools/go/packages"
)

// loaded is what the go command says of the packages.
type loaded struct {
	module *packages.Module // the user's
	// targets are the import paths that the patterns match, and order all
	// packages that are to be rewritten, those that are imported first.
	targets []string
	order   []string
	// syntax has the packages with their types, the variant with tests where
	// tests are rewritten; external has the packages of external tests.
	syntax, external map[string]*packages.Package
	ours             bool     // the user's code imports packages of this module
	dirs             []string // of the modules of all packages
}

// find finds the packages to rewrite: the targets, those of the user's module
// that they import, and the dependencies that were named.
func find(ctx context.Context, c *Config) (*loaded, error) {
	pkgs, err := load.Packages(ctx, load.Graph, load.Where{Dir: c.Dir, Env: c.env(), Tests: c.Tests}, c.Patterns...)
	if err != nil {
		return nil, err
	}
	l := &loaded{syntax: map[string]*packages.Package{}, external: map[string]*packages.Package{}}
	for _, p := range pkgs {
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("package %s: %w", p.PkgPath, p.Errors[0])
		}
		if p.Module != nil && p.Module.Main && p.ID == p.PkgPath && !strings.HasSuffix(p.PkgPath, ".test") {
			l.targets = append(l.targets, p.PkgPath)
			l.module = p.Module
		}
	}
	if l.module == nil {
		return nil, fmt.Errorf("no package of the module in %s matches %s", c.Dir, strings.Join(c.Patterns, " "))
	}
	l.collect(pkgs, c.Dependencies)
	if missing := l.unmatched(c.Dependencies); missing != "" {
		return nil, fmt.Errorf("dependency %s: none of the packages imports a package of that path or module", missing)
	}
	return l, l.types(ctx, c)
}

// collect orders the packages that are to be rewritten.
func (l *loaded) collect(roots []*packages.Package, dependencies []string) {
	seen := map[string]bool{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if m := p.Module; m != nil {
			if m.Replace != nil {
				m = m.Replace
			}
			if m.Dir != "" && !slices.Contains(l.dirs, m.Dir) {
				l.dirs = append(l.dirs, m.Dir)
			}
		}
		l.ours = l.ours || strings.HasPrefix(p.PkgPath, checkerPath+"/") && p.PkgPath != checkerPath
		if p.Module == nil || seen[p.PkgPath] || p.ID != p.PkgPath || strings.HasSuffix(p.PkgPath, ".test") || runtimePackage(p.PkgPath) {
			return
		}
		seen[p.PkgPath] = true
		if p.Module.Main || named(p, dependencies) {
			l.order = append(l.order, p.PkgPath)
		}
	})
}

// runtimePackage reports whether the package is one that the rewritten code
// itself stands on.
func runtimePackage(path string) bool {
	rest, ok := strings.CutPrefix(path, checkerPath+"/")
	if !ok {
		return false
	}
	first, _, _ := strings.Cut(rest, "/")
	return slices.Contains([]string{"history", "internal", "lineup", "sched"}, first)
}

// named reports whether the package or its module is one of those named.
func named(p *packages.Package, dependencies []string) bool {
	return slices.Contains(dependencies, p.PkgPath) || slices.Contains(dependencies, p.Module.Path)
}

// unmatched is the first dependency that is not among the packages.
func (l *loaded) unmatched(dependencies []string) string {
	for _, d := range dependencies {
		if !slices.ContainsFunc(l.order, func(path string) bool { return path == d || strings.HasPrefix(path, d+"/") }) {
			return d
		}
	}
	return ""
}

// types loads the packages to rewrite with syntax and types, and the targets
// with their tests if those are wanted; what they import comes from the
// compiler's export data. Nobody runs the tests of the others: they would have
// to be compiled, and what only they import.
func (l *loaded) types(ctx context.Context, c *Config) error {
	if !c.Tests {
		return l.typesOf(ctx, c, false, l.order)
	}
	var targets, others []string
	for _, path := range l.order {
		if slices.Contains(l.targets, path) {
			targets = append(targets, path)
		} else {
			others = append(others, path)
		}
	}
	if err := l.typesOf(ctx, c, true, targets); err != nil {
		return err
	}
	return l.typesOf(ctx, c, false, others)
}

// typesOf loads some of the packages to rewrite.
func (l *loaded) typesOf(ctx context.Context, c *Config, tests bool, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	pkgs, err := load.Packages(ctx, load.Types, load.Where{Dir: c.Dir, Env: c.env(), Tests: tests}, paths...)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		switch {
		case strings.HasSuffix(p.PkgPath, ".test"):
		case strings.HasSuffix(p.Name, "_test") && p.ID != p.PkgPath:
			l.external[strings.TrimSuffix(p.PkgPath, "_test")] = p
		case l.syntax[p.PkgPath] == nil || len(p.Syntax) > len(l.syntax[p.PkgPath].Syntax):
			l.syntax[p.PkgPath] = p
		}
	}
	return errors.Join(ctx.Err())
}

// testFiles are the test files of a package in its directory.
func testFiles(dir string) []string {
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go"))
	return names
}

// harnessed reports whether a file has functions that the user wrote to help
// with the checks.
func harnessed(file string) bool {
	source, err := os.ReadFile(file)
	return err == nil && strings.Contains(string(source), "//mapatom:harness")
}
