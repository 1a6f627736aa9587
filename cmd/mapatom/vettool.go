package main

import (
	"flag"
	"strings"

	"golang.org/x/tools/go/analysis"

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

// vetAnalyzer is the Analyzer, with its flags under their own names as well:
// unitchecker calls them -mapatom.env and so on, which nobody would guess.
func vetAnalyzer() *analysis.Analyzer {
	a := analyzer.Analyzer
	a.Flags.VisitAll(func(f *flag.Flag) {
		flag.Var(f.Value, f.Name, f.Usage)
	})
	return a
}
