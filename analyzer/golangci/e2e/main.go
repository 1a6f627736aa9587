// Command golangci is golangci-lint with the linter mapatom: what `golangci-lint
// custom` would make of the .custom-gcl.yml beside it. The test of this package
// builds and runs it.
//
// It is a module of its own, so that nobody else downloads golangci-lint.
package main

import (
	"fmt"
	"os"

	"github.com/golangci/golangci-lint/v2/pkg/commands"
	"github.com/golangci/golangci-lint/v2/pkg/exitcodes"

	_ "github.com/mapatom/mapatom/analyzer/golangci" // registers mapatom
)

func main() {
	if err := commands.Execute(commands.BuildInfo{Version: "2.15.0", GoVersion: "unknown"}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(exitcodes.Failure)
	}
}
