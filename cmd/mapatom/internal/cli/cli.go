// Package cli is what the commands of mapatom share: where they print, what they
// exit with, how they say what went wrong, how they write JSON and files, and how
// they show that they are still at work. Each command is a package below.
//
// A command is a function that makes a cobra.Command for an App. It returns an
// error for what kept it from its work, a Failure if there is something to do
// about it, and sets the App's status for what it found.
package cli

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mapatom/mapatom/internal/checker/witness"
)

// The exit statuses.
const (
	Clean       = 0
	Failed      = 1 // something could not be analysed
	Usage       = 2
	Findings    = 3
	Unknown     = 4   // something was not decided within the budget, and nothing is wrong
	Interrupted = 130 // as shells have it for Ctrl-C
)

// App is one run of the program.
type App struct {
	Ctx            context.Context
	Stdout, Stderr io.Writer
	Dir            string // the working directory; paths are printed relative to it
	// Status is what a command that succeeded exits with.
	Status int
}

// Raise keeps the status that says most: that something failed, then that something
// is wrong, then that it is not known.
func (a *App) Raise(status int) {
	rank := func(s int) int { return slices.Index([]int{Clean, Unknown, Findings, Failed}, s) }
	if rank(status) > rank(a.Status) {
		a.Status = status
	}
}

// Failure is an error with what to do about it, in a sentence.
type Failure struct {
	Status  int
	problem string
	Advice  string
}

func (f *Failure) Error() string { return f.problem }

// Misuse is a mistake in the arguments.
func Misuse(format string, args ...any) error {
	return &Failure{Usage, fmt.Sprintf(format, args...), "Run 'mapatom help' for the commands and flags."}
}

// Cannot is something that keeps mapatom from its work.
func Cannot(advice, format string, args ...any) error {
	return &Failure{Failed, fmt.Sprintf(format, args...), advice}
}

// Run runs a tree of commands and returns the exit status.
func Run(ctx context.Context, commands func(*App) *cobra.Command, args []string, stdout, stderr io.Writer) (status int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(stderr, "mapatom: internal error: %v\n"+
				"Please report it with the package that you ran it on: https://github.com/mapatom/mapatom/issues\n", p)
			status = Failed
		}
	}()
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintf(stderr, "mapatom: %v\nChange to a directory that exists.\n", err)
		return Failed
	}
	a := &App{Ctx: ctx, Stdout: stdout, Stderr: stderr, Dir: dir}
	root := commands(a)
	root.SetArgs(doubleDashes(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(err)
	}
	return a.Status
}

// fail prints an error and says which status it means.
func (a *App) fail(err error) int {
	if a.Ctx.Err() != nil {
		fmt.Fprintln(a.Stderr, "mapatom: interrupted")
		return Interrupted
	}
	fmt.Fprintf(a.Stderr, "mapatom: %s\n", Visible(err.Error()))
	var f *Failure
	if !errors.As(err, &f) {
		return Failed
	}
	fmt.Fprintln(a.Stderr, f.Advice)
	return f.Status
}

// doubleDashes lets flags be written as go vet's are: -json for --json.
func doubleDashes(args []string) []string {
	out := make([]string, len(args))
	copy(out, args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		if len(arg) > 2 && arg[0] == '-' && arg[1] != '-' {
			out[i] = "-" + arg
		}
	}
	return out
}

// NoArguments refuses all arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Misuse("%s takes no arguments; there is %q", cmd.Name(), args[0])
	}
	return nil
}

// Complete has shells complete the values of a flag.
func Complete(cmd *cobra.Command, flag string, values ...string) {
	// The only error is a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// Visible is a text that may quote what others have written, such as arguments, with
// escape sequences and the like written out. Lines and tabs stay.
func Visible(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		fields := strings.Split(line, "\t")
		for j := range fields {
			fields[j] = witness.Printable(fields[j])
		}
		lines[i] = strings.Join(fields, "\t")
	}
	return strings.Join(lines, "\n")
}

// Position is a position as it is printed.
func (a *App) Position(fset *token.FileSet, pos token.Pos) string {
	return a.Relative(fset.Position(pos).String())
}

// Relative shortens a path (with a position after it) inside the working
// directory.
func (a *App) Relative(path string) string {
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(a.Dir, string(filepath.Separator))+string(filepath.Separator)); ok {
		return rest
	}
	return path
}

// RelativeLines shortens the paths at which lines begin.
func (a *App) RelativeLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = a.Relative(line)
	}
	return strings.Join(lines, "\n")
}
