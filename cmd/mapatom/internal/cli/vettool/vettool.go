// Package vettool is mapatom as go vet runs it, once for each package.
package vettool

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
	"github.com/mapatom/mapatom/internal/analyzer/config"
	"github.com/mapatom/mapatom/internal/pace"
)

// Is reports whether the arguments are those that go vet gives to its
// -vettool: a question about the program, or the description of one package.
func Is(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "-V=full", "-flags":
		return true
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg")
}

// Run analyses the package that the last argument describes, and ends
// the process.
func Run(args []string) {
	if args[0] == "-V=full" {
		fatal(printToolID(os.Stdout))
		os.Exit(cli.Clean)
	}
	pace.Start()
	a := vetAnalyzer()
	description := args[len(args)-1]
	unit := readUnit(description)
	// What is found is the default: a flag that says otherwise comes later.
	path, err := unitConfig(&unit, args)
	fatal(err)
	fatal(a.Flags.Set("config", path))
	if unit.VetxOnly {
		unitchecker.Run(description, a.Requires)
	}
	unitchecker.Main(a)
}

// fatal ends the process if there is an error.
func fatal(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "mapatom: %v\n", err)
		os.Exit(cli.Failed)
	}
}

// readUnit reads the description of a package. One that cannot be read is left
// to unitchecker, which says why.
func readUnit(path string) (unit unitchecker.Config) {
	if data, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(data, &unit)
	}
	return unit
}

// unitConfig is the path of the configuration for a package: the one that a flag
// names, or the nearest to the package's directory, in which go vet runs its
// tool. Another module, in the module cache, may have one, but that speaks for
// its own developers.
func unitConfig(unit *unitchecker.Config, args []string) (string, error) {
	for _, arg := range args {
		name, value, ok := strings.Cut(strings.TrimLeft(arg, "-"), "=")
		if ok && (name == "config" || name == "mapatom.config") {
			return value, nil
		}
	}
	if unit.ModuleVersion != "" || unit.Standard[unit.ImportPath] {
		return config.None, nil
	}
	return config.Locate(".")
}

// printToolID answers -V=full. go vet keeps what its tool has said as long as the
// answer is the same, so the configuration is a part of it.
func printToolID(w io.Writer) error {
	conf, err := config.Find(".") // a mistake in it is said once, and not for each package
	if err != nil {
		return err
	}
	h := sha256.New()
	if err := analyse.HashProgram(h, conf.Path); err != nil {
		return err
	}
	// The form is that of go/analysis' own tools; the go command parses it.
	_, err = fmt.Fprintf(w, "%s version devel comments-go-here buildID=%02x\n", filepath.Base(os.Args[0]), h.Sum(nil))
	return err
}

// vetAnalyzer is the Analyzer, with its flags under their own names as well:
// unitchecker calls them -mapatom.env and so on, which nobody would guess.
func vetAnalyzer() *analysis.Analyzer {
	a := analyse.Guarded(analyzer.New(analyzer.Options{Sole: true}))
	a.Flags.VisitAll(func(f *flag.Flag) {
		flag.Var(f.Value, f.Name, f.Usage)
	})
	return a
}
