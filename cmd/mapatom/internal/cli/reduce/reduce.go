// Package reduce is the command that prints register programs.
package reduce

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/mapatom/mapatom/analyzer"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli"
	"github.com/mapatom/mapatom/cmd/mapatom/internal/cli/analyse"
)

// Command makes mapatom reduce.
func Command(a *cli.App) *cobra.Command {
	o := &analyse.Options{}
	var function string
	var whole bool
	cmd := &cobra.Command{
		Use:   "reduce [packages]",
		Short: "Print extensions as register programs",
		Long: `Reduce prints what the verdicts are about: each extension as a program over
registers, the form in which it is checked. With -whole it prints the functions
that touch a map as a whole, before extensions are cut out.`,
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: analyse.PackageArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Programs = whole
			graph, err := analyse.Run(a, cmd, o, args)
			if err != nil {
				return err
			}
			texts, names := programs(a, graph, whole, function)
			if len(texts) == 0 && function != "" && a.Status == cli.Clean {
				return noFunction(function, names)
			}
			_, err = io.WriteString(a.Stdout, strings.Join(texts, "\n"))
			return err
		},
	}
	o.AddFlags(cmd)
	o.AddTags(cmd)
	cmd.Flags().StringVar(&function, "func", "", "only the function with this `name`, e.g. Get or (*Registry).Get")
	cmd.Flags().BoolVar(&whole, "whole", false, "print whole functions")
	return cmd
}

// programs are the texts of the programs in the function with the given name,
// or in all of them, and the names of all functions that have one.
func programs(a *cli.App, graph *checker.Graph, whole bool, function string) (texts, names []string) {
	add := func(name, text string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		if function == "" || isNamed(name, function) {
			texts = append(texts, strings.ReplaceAll(text, "; "+a.Dir+string(filepath.Separator), "; "))
		}
	}
	for _, act := range graph.Roots {
		res := analyse.Result(act)
		if res == nil {
			continue
		}
		if whole {
			for _, p := range res.Programs {
				add(p.Name, fmt.Sprintf("; %s.%s\n%s", act.Package.PkgPath, p.Name, p))
			}
			continue
		}
		for _, e := range analyse.InOrder(act.Package.Fset, res.Extensions) {
			if e.Region != nil {
				add(e.Function, header(a, act, e)+e.Region.String())
			}
		}
	}
	return texts, names
}

// header says in comments what a register program is part of.
func header(a *cli.App, act *checker.Action, e *analyzer.Extension) string {
	verdict := e.Verdict.String()
	for _, more := range []string{string(e.Category), e.Reason} {
		if more != "" {
			verdict += ", " + more
		}
	}
	cell := e.Map
	if e.Key != "" {
		cell += ", key " + e.Key
	}
	return fmt.Sprintf("; %s.%s at %s\n; %s\n; %s environment: %s\n",
		e.Package, e.Function, a.Position(act.Package.Fset, e.Pos), cell, e.Environment, verdict)
}

// isNamed reports whether a person would call the function so: "Get" and
// "Registry.Get" are "(*Registry).Get" too.
func isNamed(name, as string) bool {
	bare := strings.NewReplacer("(", "", ")", "", "*", "")
	name, as = bare.Replace(name), bare.Replace(as)
	return name == as || strings.HasSuffix(name, "."+as)
}

func noFunction(function string, names []string) error {
	if len(names) == 0 {
		return cli.Cannot("Try -whole, or other packages.", "no function in these packages has an extension")
	}
	return cli.Cannot("There are some in "+strings.Join(names, ", ")+".", "no extension in a function named %q", function)
}
