package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mapatom/mapatom/analyzer"
)

// isVetTool reports whether the arguments are those that go vet gives to its
// -vettool: a question about the program, or the description of one package.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch args[0] {
	case "-V=full", "-flags":
		return true
	}
	return strings.HasSuffix(args[len(args)-1], ".cfg")
}

// runVetTool analyses the package that the last argument describes, and ends
// the process.
func runVetTool(args []string) {
	a := vetAnalyzer()
	if config := args[len(args)-1]; wantsFactsOnly(config) {
		unitchecker.Run(config, a.Requires)
	}
	unitchecker.Main(a)
}

// wantsFactsOnly reports whether the package of a description is only imported
// by those that go vet was asked about. A description that cannot be read is
// left to unitchecker, which says why.
func wantsFactsOnly(config string) bool {
	data, err := os.ReadFile(config)
	if err != nil {
		return false
	}
	var c unitchecker.Config
	return json.Unmarshal(data, &c) == nil && c.VetxOnly
}

// vetAnalyzer is the Analyzer, with its flags under their own names as well:
// unitchecker calls them -mapatom.env and so on, which nobody would guess.
func vetAnalyzer() *analysis.Analyzer {
	a := guarded(analyzer.Analyzer)
	a.Flags.VisitAll(func(f *flag.Flag) {
		flag.Var(f.Value, f.Name, f.Usage)
	})
	return a
}

// guarded makes an error of a panic, so that the other packages are analysed
// all the same: the driver runs each in a goroutine of its own.
func guarded(a *analysis.Analyzer) *analysis.Analyzer {
	for _, required := range a.Requires {
		guarded(required)
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
