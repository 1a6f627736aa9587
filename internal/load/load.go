// Package load has the go command list packages, and reads them: what is asked of it for
// which purpose is said here once, and so is how its refusal reads.
package load

import (
	"context"
	"strings"

	"golang.org/x/tools/go/packages"
)

// What is how much is to be known of packages.
type What packages.LoadMode

const (
	// Names has the packages' files, and which packages they import.
	Names = What(packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedModule)
	// Graph has that of all that they import as well.
	Graph = Names | What(packages.NeedDeps)
	// Sources has the files besides that the compiler is given, for those who read
	// them themselves; those of the standard library need not be there.
	Sources = Graph | What(packages.NeedCompiledGoFiles)
	// Types has the syntax and the types of the packages themselves; the types of what
	// they import are read from what the compiler has left.
	Types = Names | What(packages.NeedCompiledGoFiles|packages.NeedSyntax|packages.NeedTypes|packages.NeedTypesInfo|packages.NeedTypesSizes)
	// Exports has the files that the compiler has left.
	Exports = What(packages.NeedName | packages.NeedExportFile)
)

// Where says where the go command runs, and with what.
type Where struct {
	Dir   string   // "" is the working directory
	Env   []string // nil is that of the process
	Flags []string
	Tests bool // the packages' tests too
}

// Error is what the go command says when it lists nothing.
type Error struct {
	Patterns []string
	Err      error
}

func (e *Error) Error() string {
	return "packages " + strings.Join(e.Patterns, " ") + ": " + e.Err.Error()
}
func (e *Error) Unwrap() error { return e.Err }

// Packages loads what the patterns match. The error is an Error; what is wrong with
// a package is in its Errors.
func Packages(ctx context.Context, what What, at Where, patterns ...string) ([]*packages.Package, error) {
	first := what
	if what == Sources {
		first = Graph
	}
	list := func(what What) ([]*packages.Package, error) {
		pkgs, err := packages.Load(&packages.Config{
			Mode: packages.LoadMode(what), Context: ctx, Dir: at.Dir, Env: at.Env, BuildFlags: at.Flags, Tests: at.Tests,
		}, patterns...)
		if err != nil {
			return nil, &Error{patterns, err}
		}
		return pkgs, nil
	}
	pkgs, err := list(first)
	if err != nil || what == first {
		return pkgs, err
	}
	if translated(pkgs) {
		return list(what)
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) { p.CompiledGoFiles = p.GoFiles })
	return pkgs, nil
}
