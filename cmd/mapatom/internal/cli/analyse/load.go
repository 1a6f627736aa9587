package analyse

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/packages"

	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/internal/load"
)

// load loads the packages that the patterns match. A package that has tests
// is there once: with them, if they are asked for.
func (o *Options) load(a *cli.App, cmd *cobra.Command, patterns []string) ([]*packages.Package, error) {
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	pkgs, err := load.Packages(a.Ctx, load.Sources, load.Where{Dir: a.Dir, Tests: o.Tests, Flags: o.buildFlags()}, patterns...)
	if err != nil {
		return nil, LoadError(err)
	}
	pkgs = withoutVariants(pkgs)
	if len(pkgs) == 0 || OutsideModule(pkgs, a.Dir) {
		return nil, NoPackages(a.Dir, patterns...)
	}
	if err := misspelt(cmd, patterns, pkgs); err != nil {
		return nil, err
	}
	return pkgs, nil
}

// LoadError adds what to do to an error of the go command.
func LoadError(err error) error {
	var refused *load.Error
	if errors.As(err, &refused) {
		err = refused.Err
	}
	msg := strings.TrimSpace(err.Error())
	switch {
	case strings.Contains(msg, exec.ErrNotFound.Error()):
		return cli.Cannot("Install Go, or add its bin directory to PATH.", "the go command is not in PATH")
	case strings.Contains(msg, "go.mod file not found"):
		return noModule()
	}
	// go/packages puts the exit status before what the go command says.
	if _, said, ok := strings.Cut(msg, "stderr: "); ok {
		msg = strings.TrimPrefix(strings.TrimSpace(said), "go: ")
	}
	return cli.Cannot("Check that 'go list' accepts the same patterns.", "the packages could not be loaded: %s", msg)
}

// OutsideModule reports whether nothing could be loaded because there is no module.
func OutsideModule(pkgs []*packages.Package, dir string) bool {
	return !InModule(dir) && !slices.ContainsFunc(pkgs, func(p *packages.Package) bool { return len(p.GoFiles) > 0 })
}

// InModule reports whether a directory is in a module or a workspace.
func InModule(dir string) bool {
	for {
		for _, name := range []string{"go.mod", "go.work"} {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return true
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// NoPackages says that no package matches the patterns, and why if that is known.
func NoPackages(dir string, patterns ...string) error {
	if !InModule(dir) {
		return noModule()
	}
	return cli.Cannot("Patterns are those of the go command, such as ./... or ./store.", "no packages match %s", strings.Join(patterns, " "))
}

func noModule() error {
	return cli.Cannot("Run mapatom inside a Go module.", "there is no go.mod file in this directory or above it")
}

// withoutVariants drops the generated test mains, and a package of which the
// variant with its tests is there too: both hold the same files.
func withoutVariants(pkgs []*packages.Package) []*packages.Package {
	tested, mains := map[string]bool{}, map[string]bool{}
	for _, p := range pkgs {
		mains[p.PkgPath+".test"] = true
		if p.ID != p.PkgPath {
			tested[p.PkgPath] = true
		}
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		return mains[p.ID] || p.ID == p.PkgPath && tested[p.PkgPath]
	})
	slices.SortStableFunc(pkgs, func(x, y *packages.Package) int { return strings.Compare(x.ID, y.ID) })
	return slices.CompactFunc(pkgs, func(x, y *packages.Package) bool { return x.ID == y.ID })
}

// misspelt recognizes a command that is misspelt or in the wrong place, which
// looks like a package that does not exist.
func misspelt(cmd *cobra.Command, patterns []string, pkgs []*packages.Package) error {
	for _, p := range pkgs {
		if len(p.GoFiles) > 0 || !slices.Contains(patterns, p.PkgPath) {
			continue
		}
		for _, like := range cmd.Root().SuggestionsFor(p.PkgPath) {
			if like == p.PkgPath {
				return cli.Misuse("there is no package %q; the command %s comes before the packages", p.PkgPath, like)
			}
			return cli.Misuse("there is no command and no package %q; did you mean %q?", p.PkgPath, like)
		}
		// The go command would look for it in the standard library.
		if len(p.Errors) > 0 && !strings.ContainsAny(p.PkgPath, "./") {
			return cli.Misuse("there is no command and no package %q; packages of this module begin with ./", p.PkgPath)
		}
	}
	return nil
}

// maxLoadErrors is how many errors are printed: the first ones explain the
// others.
const maxLoadErrors = 10

// printErrors prints what is wrong with the packages and what to do about it,
// and reports whether anything is.
func printErrors(a *cli.App, pkgs []*packages.Package) bool {
	var lines []string
	advice := "check the patterns: 'go list' must accept them"
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			if err.Kind != packages.ListError {
				advice = "packages with errors were not analysed: 'go build' must accept them"
			}
			// The go command says of an import that is missing what the type
			// checker can only repeat.
			if strings.HasSuffix(err.Msg, `(invalid package name: "")`) {
				continue
			}
			if line := ErrorLine(a, p, err); !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	})
	for i, line := range lines {
		if i == maxLoadErrors {
			fmt.Fprintf(a.Stderr, "... and %d more\n", len(lines)-i)
			break
		}
		fmt.Fprintln(a.Stderr, cli.Visible(line))
	}
	if len(lines) > 0 {
		fmt.Fprintln(a.Stderr, "mapatom: "+advice)
	}
	return len(lines) > 0
}

// ErrorLine is what is wrong with a package, in one line with its place.
func ErrorLine(a *cli.App, p *packages.Package, err packages.Error) string {
	msg := strings.TrimSpace(err.Msg)
	switch {
	case strings.Contains(msg, "does not contain main module"):
		msg += " (is this directory inside a Go module?)"
	case strings.Contains(msg, "does not contain modules listed in go.work"):
		msg += " (add its module with 'go work use', or set GOWORK=off)"
	}
	if err.Pos == "" || err.Pos == "-" {
		return p.ID + ": " + strings.TrimPrefix(msg, "pattern "+p.ID+": ")
	}
	return a.Relative(err.Pos) + ": " + msg
}
